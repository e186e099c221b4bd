//===- Walker.cpp - Runs through the loops of a plan ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walker.h"

#include "Reorder.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

std::optional<WithScalars> planning::findScalars(const Argument &left,
                                                 const Argument &right,
                                                 const BlockView &to,
                                                 bool hasThen) {
  auto isTile = [&](const Argument &argument) {
    return argument.block && argument.block->width() == to.width();
  };
  if (isTile(left) && (hasThen || !isTile(right)))
    return WithScalars{*left.block, right};
  if (isTile(left))
    return std::nullopt;
  return WithScalars{*right.block, left, /*isReversed=*/true};
}

void planning::walk(const Schedule &schedule, const Machine &machine,
                    PlanVisitor &visitor) {
  Walker(schedule, machine, visitor).run();
}

void planning::walkInOrder(const Schedule &schedule, const Machine &machine,
                           PlanVisitor &visitor) {
  if (!schedule.plan.scheduled)
    return walk(schedule, machine, visitor);
  Reorder reorder(schedule.graph, machine, visitor);
  walk(schedule, machine, reorder);
  reorder.finish();
}

void Walker::run() {
  Extents extents;
  for (auto [number, dim] : llvm::enumerate(graph.dims)) {
    Extent &extent = extents.emplace_back(Extent{0, dim.size});
    extent.groupsOf = dim.groupsOf;
    if (dim.groupsOf)
      extent.groupSize = graph.groupSize(number);
  }
  for (const Home &home : plan.homes)
    if (isForAllBatches(home) && !isConstantBelow(home)) {
      visitor->enterStage(home.nests.front());
      openHome(home, extents);
    }
  overBatches(graph.batches(), extents);
}

void BufferWalker::repeat(int64_t count, Body body) {
  if (count == 1 || isWrittenOut)
    for (int64_t i = 0; i < count; ++i)
      body(i);
  if (count <= 1 || isWrittenOut)
    return;
  int32_t loop = loops++;
  visitor->beginLoop(loop, count);
  body(LinearExpr::counter(loop));
  visitor->endLoop(loop);
}

void BufferWalker::overPieces(int64_t size, int64_t block, PieceBody body,
                              bool isUnrolled) {
  int64_t full = size / block;
  if (isUnrolled)
    for (int64_t start = 0; start < full * block; start += block)
      body(start, block);
  else
    repeat(full, [&](const LinearExpr &i) { body(i * block, block); });
  if (int64_t rest = size % block)
    body(full * block, rest);
}

void BufferWalker::overTiles(const BlockView &block, int64_t width,
                             TileBody body) {
  auto overRow = [&](const LinearExpr &row, int64_t rows) {
    overPieces(block.columns, width,
               [&](const LinearExpr &column, int64_t columns) {
                 body({row, rows, column, columns});
               });
  };
  overPieces(block.rows, machine.partitions, overRow);
}

/// Whether iterations of the loop at `depth` run over those columns alone that
/// a mask leaves of their rows. They differ in these, so each is written out.
bool Walker::followsBand(NestRange group, unsigned depth,
                         const Extents &extents) const {
  if (!band || !mayFollow(*band, group, depth))
    return false;
  const Extent &columns = extents[band->columns];
  return extents[band->rows].start.isConstant() && columns.start == 0 &&
         columns.size == graph.sizeOf(band->columns);
}

/// Whether iterations that do so must have no loops inside of them: tiles have
/// masks of their own.
bool Walker::writesOut(bool followsBand) const {
  return followsBand && llvm::any_of(graph.matrices, isMadeMask);
}

/// The block of `loop` at `index`; the last one may be smaller.
Extents Walker::iteration(const Extents &extents, Loop loop, LinearExpr index,
                          bool followsBand) const {
  Extents inner = extents;
  Extent &extent = inner[loop.dim];
  bool isRest = index == LinearExpr(extent.size / loop.block);
  extent.size = isRest ? extent.size % loop.block : loop.block;
  extent.later |= !(index == LinearExpr(0));
  extent.start += index * loop.block;
  cutGroups(inner, loop.dim);
  if (!followsBand)
    return inner;
  Extent &columns = inner[band->columns];
  int64_t side = machine.partitions, all = columns.size;
  auto [first, end] =
      band->band.columnsOf(extent.start.constant, extent.size, 0, all);
  // At least one tile, of rows that see nothing, too.
  first = std::min(first, all - 1) / side * side;
  end = std::min<int64_t>(all, llvm::alignTo(std::max(end, first + 1), side));
  columns.start += first;
  columns.size = end - first;
  return inner;
}

/// Whether the first iteration of the loop at `depth` differs from the others:
/// sums in SBUF are first written, then added to.
bool Walker::startsSums(NestRange group, unsigned depth,
                        const Extents &extents) const {
  return !extents[plan.nests[group.first].loops[depth].dim].later &&
         llvm::any_of(llvm::seq_inclusive(group.first, group.last),
                      [&](unsigned nest) { return sumsInSbuf(nest, depth); });
}

/// Nests of `range` that share more than `depth` loops, without those that fill
/// homes ahead of the others.
llvm::SmallVector<NestRange> Walker::groupsOf(NestRange range,
                                              unsigned depth) const {
  llvm::SmallVector<NestRange> groups;
  for (unsigned nest = range.first; nest <= range.last; ++nest)
    if (plan.aheadOf(graph, nest, depth))
      continue;
    else if (groups.empty() || plan.sharedLoops(nest - 1) <= depth)
      groups.push_back({nest, nest});
    else
      groups.back().last = nest;
  return groups;
}

void Walker::emitNests(NestRange range, unsigned depth, const Extents &extents,
                       const OnTheSide &side) {
  llvm::SmallVector<NestRange> groups = groupsOf(range, depth);
  FillShares shares = side.shares;
  for (auto [i, group] : llvm::enumerate(groups)) {
    OnTheSide own;
    if (i == 0)
      own = {{}, side.ahead, side.behind};
    for (auto [rest, all] : llvm::zip_equal(shares, side.shares)) {
      int64_t count = countPieces(all, groups, i, extents);
      if (count)
        own.shares.push_back({rest.filling, rest.first, count});
      rest.first += count;
    }
    openHomes(group, depth, extents);
    emitGroup(group, depth, extents, own);
    closeHomes(group, depth, extents);
  }
}

void Walker::emitGroup(NestRange group, unsigned depth, const Extents &extents,
                       const OnTheSide &side) {
  if (depth == plan.nests[group.first].loops.size()) {
    emitTiles(group.first, extents);
    return fillPieces(side.shares);
  }
  if (emitPipeline(group, depth, extents, side.shares))
    return;
  if (!side.streamed())
    return emitLoop(group, depth, extents, side.shares);
  if (plan.nests[group.first].loops[depth].dim != side.streamed()->dim)
    return emitColumns(group, depth, extents, side);
  streamLoop(group, depth, extents, side);
  fillPieces(side.shares);
}

/// All iterations of the loop at `depth`, with `shares` spread over them, or
/// behind them if they are not alike.
void Walker::emitLoop(NestRange group, unsigned depth, const Extents &extents,
                      llvm::ArrayRef<FillShare> shares) {
  llvm::ArrayRef<FillShare> all = shares;
  Loop loop = plan.nests[group.first].loops[depth];
  int64_t trips = extents[loop.dim].size / loop.block;
  bool isBand = followsBand(group, depth, extents);
  llvm::SaveAndRestore leaving(leavesOut, leavesOut || writesOut(isBand));
  llvm::SaveAndRestore writingOut(isWrittenOut, isWrittenOut || leavesOut);
  bool isLoop = !isBand && !isWrittenOut;
  if (!isLoop)
    beginRotation(group, depth + 1,
                  cut(extents, loop.dim, 0,
                      std::min(loop.block, extents[loop.dim].size)));
  auto iterate = [&](const LinearExpr &index, const FillShares &parts = {}) {
    if (isBand && depth == 0)
      visitor->enterStrip();
    emitNests(group, depth + 1, iteration(extents, loop, index, isBand),
              {parts});
  };
  bool starts = !isWrittenOut && startsSums(group, depth, extents);
  bool isSpread = trips && !starts;
  int64_t begin = starts && trips > 1;
  if (begin)
    iterate(0);
  if (!isSpread)
    shares = {};
  if (!isLoop)
    for (int64_t i = begin; i < trips; ++i)
      iterate(i, partsOf(shares, i - begin, i - begin + 1, trips - begin));
  else
    spread(trips - begin, shares,
           [&](const LinearExpr &i, const FillShares &parts) {
             iterate(i + begin, parts);
           });
  if (extents[loop.dim].size % loop.block)
    iterate(trips);
  if (!isLoop)
    endRotation(depth + 1);
  if (!isSpread)
    fillPieces(all);
}
