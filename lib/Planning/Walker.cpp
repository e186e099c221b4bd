//===- Walker.cpp - Runs through the loops of a plan ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walker.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

void planning::walk(const Schedule &schedule, const Machine &machine,
                    PlanVisitor &visitor) {
  Walker(schedule, machine, visitor).run();
}

void Walker::run() {
  Extents extents;
  for (const Dim &dim : graph.dims)
    extents.push_back({0, dim.size});
  overBatches(graph.batches(), extents);
}

/// All nests, once for each index of `batches`.
void Walker::overBatches(llvm::ArrayRef<unsigned> batches,
                         const Extents &extents) {
  if (batches.empty())
    return emitNests({0, unsigned(plan.nests.size() - 1)}, /*depth=*/0,
                     extents);
  repeat(graph.sizeOf(batches.front()), [&](const LinearExpr &index) {
    overBatches(batches.drop_front(),
                cut(extents, batches.front(), index, /*size=*/1));
  });
}

void Walker::repeat(int64_t count, Body body) {
  if (count <= 0)
    return;
  if (count == 1)
    return body(0);
  int32_t loop = loops++;
  visitor.beginLoop(loop, count);
  body(LinearExpr::counter(loop));
  visitor.endLoop(loop);
}

void Walker::overPieces(int64_t size, int64_t block, PieceBody body) {
  int64_t full = size / block;
  repeat(full, [&](const LinearExpr &i) { body(i * block, block); });
  if (int64_t rest = size % block)
    body(full * block, rest);
}

void Walker::overTiles(const BlockView &block, int64_t width, TileBody body) {
  auto overRow = [&](const LinearExpr &row, int64_t rows) {
    overPieces(block.columns, width,
               [&](const LinearExpr &column, int64_t columns) {
                 body({row, rows, column, columns});
               });
  };
  overPieces(block.rows, machine.partitions, overRow);
}

/// The block of `loop` at `index`; the last one may be smaller.
Extents Walker::iteration(const Extents &extents, Loop loop,
                          LinearExpr index) const {
  Extents inner = extents;
  Extent &extent = inner[loop.dim];
  bool isRest = index == LinearExpr(extent.size / loop.block);
  extent.size = isRest ? extent.size % loop.block : loop.block;
  extent.later |= !(index == LinearExpr(0));
  extent.start += index * loop.block;
  return inner;
}

/// Whether sums of `nest` stay in SBUF, or in HBM, while the loop at `depth`
/// adds to them.
bool Walker::sumsInSbuf(unsigned nest, unsigned depth) const {
  const Stage &stage = stageOf(nest);
  const Home &home = *plan.homeOf(stage.result, nest);
  return stage.sumsOver(plan.nests[nest].loops[depth].dim) &&
         (!home.sumsInPsum() || home.sums->level > depth);
}

/// Whether the first iteration of the loop at `depth` differs from the others:
/// sums in SBUF are first written, then added to.
bool Walker::startsSums(NestRange group, unsigned depth,
                        const Extents &extents) const {
  return !extents[plan.nests[group.first].loops[depth].dim].later &&
         llvm::any_of(llvm::seq_inclusive(group.first, group.last),
                      [&](unsigned nest) { return sumsInSbuf(nest, depth); });
}

void Walker::emitNests(NestRange range, unsigned depth, const Extents &extents,
                       const OnTheSide &side) {
  llvm::SmallVector<NestRange> groups;
  for (unsigned nest = range.first; nest <= range.last; ++nest)
    if (nest == range.first || plan.sharedLoops(nest - 1) <= depth)
      groups.push_back({nest, nest});
    else
      groups.back().last = nest;
  FillShare share = side.share;
  llvm::SmallVector<int64_t> counts = splitShare(groups, extents, share);
  for (auto [group, count] : llvm::zip_equal(groups, counts)) {
    OnTheSide own{{share.filling, share.first, count}};
    if (group.first == range.first) {
      own.ahead = side.ahead;
      own.behind = side.behind;
    }
    openHomes(group, depth, extents);
    emitGroup(group, depth, extents, own);
    closeHomes(group, depth, extents);
    share.first += count;
  }
}

void Walker::emitGroup(NestRange group, unsigned depth, const Extents &extents,
                       const OnTheSide &side) {
  if (depth == plan.nests[group.first].loops.size()) {
    emitTiles(group.first, extents);
    return fillPieces(side.share);
  }
  if (const Home *home = earlyHome(group, depth))
    return emitStrips(group, depth, extents, *home);
  if (!side.streamed())
    return emitLoop(group, depth, extents, side.share);
  if (plan.nests[group.first].loops[depth].dim != side.streamed()->dim)
    return emitColumns(group, depth, extents, side);
  streamLoop(group, depth, extents, side);
  fillPieces(side.share);
}

/// All iterations of the loop at `depth`, with `share` spread over them, or
/// behind them if they are not alike.
void Walker::emitLoop(NestRange group, unsigned depth, const Extents &extents,
                      const FillShare &share) {
  Loop loop = plan.nests[group.first].loops[depth];
  int64_t trips = extents[loop.dim].size / loop.block;
  auto iterate = [&](const LinearExpr &index, const FillShare &part = {}) {
    emitNests(group, depth + 1, iteration(extents, loop, index), {part});
  };
  bool starts = startsSums(group, depth, extents);
  bool isSpread = share.count && trips && !starts;
  if (!isSpread) {
    int64_t begin = starts && trips > 1;
    if (begin)
      iterate(0);
    repeat(trips - begin, [&](const LinearExpr &i) { iterate(i + begin); });
  } else if (share.count < trips) {
    // After every few iterations one piece.
    int64_t apart = trips / share.count, done = share.count * apart;
    repeat(share.count, [&](const LinearExpr &i) {
      repeat(apart, [&](const LinearExpr &j) { iterate(i * apart + j); });
      fillPieces({share.filling, share.first + i, 1});
    });
    repeat(trips - done, [&](const LinearExpr &i) { iterate(i + done); });
  } else {
    // In every iteration some, in the first ones one more.
    int64_t each = share.count / trips, more = share.count % trips;
    repeat(more, [&](const LinearExpr &i) {
      iterate(i, {share.filling, share.first + i * (each + 1), each + 1});
    });
    LinearExpr first = share.first + more * (each + 1);
    repeat(trips - more, [&](const LinearExpr &i) {
      iterate(i + more, {share.filling, first + i * each, each});
    });
  }
  if (extents[loop.dim].size % loop.block)
    iterate(trips);
  if (!isSpread)
    fillPieces(share);
}
