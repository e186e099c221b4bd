//===- Nests.cpp - Nests and their loops ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nests.h"

#include "Pipeline.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

void Nests::emitNests(NestRange range, unsigned depth, const Extents &extents,
                      const OnTheSide &side) {
  llvm::SmallVector<NestRange> groups = groupsOf(range, depth);
  FillShares shares = side.shares;
  for (auto [i, group] : llvm::enumerate(groups)) {
    OnTheSide own;
    if (i == 0)
      own = {{}, side.ahead, side.behind};
    for (auto [rest, all] : llvm::zip_equal(shares, side.shares)) {
      int64_t count = filler.countPieces(all, groups, i, extents);
      if (count)
        own.shares.push_back({rest.filling, rest.first, count});
      rest.first += count;
    }
    homes.openAll(group, depth, extents);
    emitGroup(group, depth, extents, own);
    tiles.complete(group, depth, extents);
  }
}

void Nests::emitGroup(NestRange group, unsigned depth, const Extents &extents,
                      const OnTheSide &side) {
  if (depth == plan.nests[group.first].loops.size()) {
    tiles.compute(group.first, extents);
    return filler.fillPieces(side.shares);
  }
  Loop loop = plan.nests[group.first].loops[depth];
  if (!homesAhead(plan, group, depth + 1).empty()) {
    OpenLoop open(group, depth, extents, loop, homes, masks);
    return Pipeline(group, open, homes, filler, *this).run(side.shares);
  }
  if (!side.streamed())
    return emitLoop(group, depth, extents, side.shares);
  if (loop.dim != side.streamed()->dim)
    return emitColumns(group, depth, extents, side);
  streamLoop(group, depth, extents, side);
  filler.fillPieces(side.shares);
}

/// All iterations of the loop at `depth`, with `shares` spread over them, or
/// behind them if they are not alike.
void Nests::emitLoop(NestRange group, unsigned depth, const Extents &extents,
                     llvm::ArrayRef<FillShare> shares) {
  OpenLoop loop(group, depth, extents, plan.nests[group.first].loops[depth],
                homes, masks);
  auto iterate = [&](const LinearExpr &index, const FillShares &parts = {}) {
    loop.beginIteration();
    emitNests(group, depth + 1, loop.at(index), {parts});
  };
  int64_t trips = loop.fullBlocks();
  bool starts = !emit.isWrittenOut && startsSums(group, depth, extents);
  bool isSpread = trips && !starts;
  llvm::ArrayRef<FillShare> spread = shares;
  if (!isSpread)
    spread = {};
  int64_t begin = starts && trips > 1;
  if (begin)
    iterate(0);
  if (!loop.isLoop())
    for (int64_t i = begin; i < trips; ++i)
      iterate(i, partsOf(spread, i - begin, i - begin + 1, trips - begin));
  else
    filler.spread(trips - begin, spread,
                  [&](const LinearExpr &i, const FillShares &parts) {
                    iterate(i + begin, parts);
                  });
  if (trips < loop.blocks())
    iterate(trips);
  if (!isSpread)
    filler.fillPieces(shares);
}

//===----------------------------------------------------------------------===//
// Loops beside whose first or last iteration pieces come
//===----------------------------------------------------------------------===//

/// The loop at `depth` over the pieces: those that are read are brought in one
/// ahead of it, those of the next iteration replace what has been read.
void Nests::streamLoop(NestRange group, unsigned depth, const Extents &extents,
                       const OnTheSide &side) {
  const Filling &fill = *side.streamed();
  int64_t last = fill.fullPieces() - 1, size = fill.piece;
  auto fillNext = [&](const LinearExpr &start, int64_t count) {
    if (side.ahead)
      filler.fillPiece(*side.ahead, start, count);
  };
  auto multiply = [&](const LinearExpr &start, int64_t count) {
    emitLoop(group, depth, cut(extents, fill.dim, start, count));
    if (side.behind)
      filler.fillPiece(*side.behind, start, count);
  };
  fillNext(0, size);
  emit.repeat(last, [&](const LinearExpr &i) {
    fillNext((i + 1) * size, size);
    multiply(i * size, size);
  });
  int64_t rest = fill.remainder();
  if (rest)
    fillNext((last + 1) * size, rest);
  multiply(last * size, size);
  if (rest)
    multiply((last + 1) * size, rest);
}

/// The loop at `depth` over blocks of columns: the first and the last one are
/// computed while what they read comes in, or is replaced.
void Nests::emitColumns(NestRange group, unsigned depth, const Extents &extents,
                        const OnTheSide &side) {
  Loop loop = plan.nests[group.first].loops[depth];
  int64_t size = extents[loop.dim].size;
  int64_t blocks = llvm::divideCeilSigned(size, loop.block);
  int64_t begin = side.ahead ? 1 : 0, end = side.behind ? blocks - 1 : blocks;
  bool isBand = masks.followsBand(group, depth, extents);
  auto block = [&](int64_t index, const OnTheSide &own) {
    Extents inner = iteration(extents, loop, index);
    emitNests(group, depth + 1, isBand ? masks.followBand(inner) : inner, own);
  };
  if (blocks == 1) {
    block(0, {{}, side.ahead, side.behind});
    return filler.fillPieces(side.shares);
  }
  if (side.ahead)
    block(0, {{}, side.ahead});
  Extents rest = cut(extents, loop.dim, begin * loop.block,
                     std::min(size, end * loop.block) - begin * loop.block);
  rest[loop.dim].later |= begin > 0;
  emitLoop(group, depth, rest, side.shares);
  if (side.behind)
    block(blocks - 1, {{}, nullptr, side.behind});
}
