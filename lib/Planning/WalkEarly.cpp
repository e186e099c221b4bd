//===- WalkEarly.cpp - Strips whose X^T comes early -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Engines work in program order: while a strip of X is loaded and transposed,
// nothing is multiplied. An early home is filled on the side instead:
//
//   for the first strip: its pieces of X^T, each followed by the products of
//                        the first block column that read it
//   for each strip:      its products; after every few of them, a piece of
//                        X^T for the next strip
//
// Two buffers take turns if they are filled while they are read, so that loop
// runs over pairs of strips.

#include "Walker.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// The early home that is filled for the iterations of the loop at `depth`.
const Home *Walker::earlyHome(NestRange group, unsigned depth) const {
  for (const Home &home : plan.homes)
    if (home.early && home.level == depth + 1 &&
        group.contains(home.nests.front()))
      return &home;
  return nullptr;
}

Filling Walker::startFilling(const Home &home, int32_t buffer,
                             const Extents &extents) const {
  Filling fill{&home, buffer, extents};
  fill.dim = graph.matrices[home.matrix].rows;
  int64_t size = extents[fill.dim].size;
  fill.piece = size;
  if (isWritten(home)) {
    for (Loop loop :
         llvm::drop_begin(plan.nests[home.nests.front()].loops, home.level))
      fill.piece = std::min(size, loop.block);
    return fill;
  }
  // A few loads leave room between them for others.
  const int64_t most = 8, tile = machine.partitions;
  fill.piece = std::min(size, tile * llvm::divideCeilSigned(size, tile * most));
  return fill;
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

void Walker::fillPiece(const Filling &fill, const LinearExpr &start,
                       int64_t size) {
  const Home &home = *fill.home;
  unsigned nest = home.nests.front();
  Extents extents = cut(fill.extents, fill.dim, start, size);
  Live current =
      std::exchange(liveOf(home), {heldIn(fill.buffer, home, fill.extents)});
  if (!isWritten(home)) {
    visitor.enterStage(nest);
    visitor.copy(inHbm(home.matrix, nest, extents),
                 inHome(home, nest, extents));
  } else {
    for (unsigned level = home.level; level <= plan.nests[nest].loops.size();
         ++level)
      openHomes({nest, nest}, level, extents);
    emitTiles(nest, extents);
  }
  liveOf(home) = current;
}

void Walker::fillPieces(const FillShare &share) {
  repeat(share.count, [&](const LinearExpr &i) {
    fillPiece(*share.filling, (share.first + i) * share.filling->piece,
              share.filling->piece);
  });
}

void Walker::fillRemainder(const Filling &fill) {
  if (int64_t rest = fill.remainder())
    fillPiece(fill, fill.fullPieces() * fill.piece, rest);
}

void Walker::fillAll(const Filling &fill) {
  fillPieces({&fill, 0, fill.fullPieces()});
  fillRemainder(fill);
}

//===----------------------------------------------------------------------===//
// The first strip
//===----------------------------------------------------------------------===//

/// Whether the products of the first nest of `group` can follow the pieces:
/// the innermost loop, and no outer one but the next, runs over them.
bool Walker::canStream(NestRange group, unsigned depth,
                       const Filling &fill) const {
  llvm::ArrayRef<Loop> loops = plan.nests[group.first].loops;
  if (!llvm::is_contained(fill.home->nests, group.first) ||
      loops.size() <= depth || loops.size() > depth + 2 ||
      loops.back().dim != fill.dim ||
      (loops.size() == depth + 2 && loops[depth].dim == fill.dim))
    return false;
  bool alone =
      group.first == group.last || plan.sharedLoops(group.first) <= depth;
  return alone && fill.fullPieces() > 0 &&
         fill.piece % loops.back().block == 0 &&
         !sumsInSbuf(group.first, loops.size() - 1);
}

/// The loop at `depth` over the pieces: those that are read are brought in one
/// ahead of it, those of the next strip replace what has been read.
void Walker::streamLoop(NestRange group, unsigned depth, const Extents &extents,
                        const OnTheSide &side) {
  const Filling &fill = *side.streamed();
  int64_t last = fill.fullPieces() - 1, size = fill.piece;
  auto fillNext = [&](const LinearExpr &start, int64_t count) {
    if (side.ahead)
      fillPiece(*side.ahead, start, count);
  };
  auto multiply = [&](const LinearExpr &start, int64_t count) {
    emitLoop(group, depth, cut(extents, fill.dim, start, count));
    if (side.behind)
      fillPiece(*side.behind, start, count);
  };
  fillNext(0, size);
  repeat(last, [&](const LinearExpr &i) {
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
void Walker::emitColumns(NestRange group, unsigned depth,
                         const Extents &extents, const OnTheSide &side) {
  Loop loop = plan.nests[group.first].loops[depth];
  int64_t size = extents[loop.dim].size;
  int64_t blocks = llvm::divideCeilSigned(size, loop.block);
  int64_t begin = side.ahead ? 1 : 0, end = side.behind ? blocks - 1 : blocks;
  auto block = [&](int64_t index, const OnTheSide &own) {
    emitNests(group, depth + 1, iteration(extents, loop, index), own);
  };
  if (blocks == 1) {
    block(0, {{}, side.ahead, side.behind});
    return fillPieces(side.share);
  }
  if (side.ahead)
    block(0, {{}, side.ahead});
  Extents rest = cut(extents, loop.dim, begin * loop.block,
                     std::min(size, end * loop.block) - begin * loop.block);
  rest[loop.dim].later |= begin > 0;
  emitLoop(group, depth, rest, side.share);
  if (side.behind)
    block(blocks - 1, {{}, nullptr, side.behind});
}

//===----------------------------------------------------------------------===//
// All strips
//===----------------------------------------------------------------------===//

void Walker::emitStrips(NestRange group, unsigned depth, const Extents &extents,
                        const Home &home) {
  Loop loop = plan.nests[group.first].loops[depth];
  int64_t full = extents[loop.dim].size / loop.block;
  int64_t count = llvm::divideCeilSigned(extents[loop.dim].size, loop.block);
  NestRange readers = group;
  if (isWritten(home))
    readers.first = home.nests.front() + 1;

  llvm::SmallVector<int32_t, 2> slots;
  for (int64_t slot = 0; slot < std::min(home.slots, count); ++slot)
    slots.push_back(allocateHome(home, cut(extents, loop.dim, 0, loop.block)));
  auto strip = [&](const LinearExpr &index) {
    int32_t slot = slots[index.constant % home.slots];
    return startFilling(home, slot, iteration(extents, loop, index));
  };
  Filling first = strip(0);
  bool mayStream = canStream(readers, depth + 1, first);
  // Beside the nests that read the other slot, or behind those that read.
  unsigned lastReader = home.nests.back();
  bool fillsAside = home.slots > 1 ||
                    (lastReader < readers.last &&
                     plan.sharedLoops(lastReader, readers.last) <= depth + 1);
  bool mayRefill = mayStream && home.nests.back() == readers.first &&
                   !(isWritten(home) && isOffChip(home.matrix));
  // The one at `index`, which fills the next one if there is one.
  auto run = [&](const LinearExpr &index) {
    Filling current = strip(index);
    OnTheSide side;
    if (mayStream && index == LinearExpr(0))
      side.ahead = &current;
    liveOf(home) = {heldIn(current.buffer, home, current.extents)};
    if (index == LinearExpr(count - 1))
      return emitNests(readers, depth + 1, current.extents, side);
    Filling next = strip(index + 1);
    if (fillsAside)
      side.share = {&next, 0, next.fullPieces()};
    else if (mayRefill)
      side.behind = &next;
    emitNests(readers, depth + 1, current.extents, side);
    if (fillsAside)
      fillRemainder(next);
    else if (!mayRefill)
      fillAll(next);
  };

  if (!mayStream)
    fillAll(first);
  // The loop takes one strip for each slot, and leaves the last full one.
  int64_t begin = 0, unit = home.slots;
  if (full > 1 && (mayStream || startsSums(group, depth, extents)))
    run(begin++);
  int64_t rounds = std::max<int64_t>(0, full - 1 - begin) / unit;
  repeat(rounds, [&](const LinearExpr &round) {
    for (int64_t i = 0; i < unit; ++i)
      run(round * unit + begin + i);
  });
  for (int64_t i = begin + rounds * unit; i < count; ++i)
    run(i);
}

//===----------------------------------------------------------------------===//
// Filling on the side
//===----------------------------------------------------------------------===//

/// How many of the pieces each group takes, in proportion to its work: those
/// that read the other buffer, which leaves all of PSUM to the ones behind
/// them; these, if there is but one.
llvm::SmallVector<int64_t> Walker::splitShare(llvm::ArrayRef<NestRange> groups,
                                              const Extents &extents,
                                              const FillShare &share) const {
  llvm::SmallVector<int64_t> counts(groups.size(), 0);
  if (share.count == 0)
    return counts;
  llvm::SmallVector<double> sums;
  double sum = 0;
  const Home &home = *share.filling->home;
  for (NestRange group : groups) {
    if ((home.slots > 1) == (group.first <= home.nests.back()))
      for (unsigned nest = group.first; nest <= group.last; ++nest) {
        double work = 1;
        for (unsigned dim : graph.dimsOf(stageOf(nest)))
          work *= double(extents[dim].size);
        sum += work;
      }
    sums.push_back(sum);
  }
  int64_t before = 0;
  for (auto [i, count] : llvm::enumerate(counts)) {
    int64_t until = i + 1 == counts.size() ? share.count
                    : sum ? int64_t(double(share.count) * sums[i] / sum)
                          : 0;
    count = until - before;
    before = until;
  }
  return counts;
}
