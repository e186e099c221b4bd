//===- WalkAhead.cpp - Homes that are filled ahead of their readers -------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Engines work in program order: while a strip of X is loaded and transposed,
// nothing is multiplied. What is filled ahead comes on the side instead, here
// X^T by one strip:
//
//   for the first strip: its pieces of X^T, each followed by the products of
//                        the first block column that read it
//   for each strip:      its products; after every few of them, a piece of
//                        X^T for the next strip
//
// Buffers take turns if they are filled while others are read, so that loop
// runs over pairs of strips.

#include "Walker.h"

#include "trn/Planning/Fillers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <deque>
#include <numeric>

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// The homes inside of `level` loops that are filled ahead for `group`. One
/// that is read to fill another one comes first: it is filled further ahead.
static llvm::SmallVector<const Home *, 2>
homesAhead(const Plan &plan, NestRange group, unsigned level) {
  llvm::SmallVector<const Home *, 2> homes;
  for (unsigned ahead = Home::maxAhead; ahead > 0; --ahead)
    for (const Home &home : plan.homes)
      if (home.ahead == ahead && home.level == level &&
          group.contains(home.nests.front()))
        homes.push_back(&home);
  return homes;
}

//===----------------------------------------------------------------------===//
// The first iteration
//===----------------------------------------------------------------------===//

/// Whether the products of the first of `readers` can follow the pieces: the
/// innermost loop, and no outer one but the next, runs over them.
bool Walker::canStream(NestRange readers, const Filling &fill) const {
  const Home &home = *fill.home;
  unsigned nest = readers.first, depth = home.level;
  llvm::ArrayRef<Loop> loops = plan.nests[nest].loops;
  if (!llvm::is_contained(home.nests, nest) || loops.size() <= depth ||
      loops.size() > depth + 2 || loops.back().dim != fill.dim ||
      loops[depth - 1].dim == fill.dim ||
      (loops.size() == depth + 2 && loops[depth].dim == fill.dim))
    return false;
  // Nests that read it ahead need it before, sums and expressions all of it.
  if (llvm::any_of(home.nests,
                   [&](unsigned other) {
                     bool fillsIt =
                         isWritten(home) && other == home.nests.front();
                     return !fillsIt && plan.aheadOf(graph, other, depth);
                   }) ||
      (home.sums && home.sums->level == depth && isWritten(home)) ||
      llvm::is_contained(stageOf(nest).expression.matrices(), home.matrix))
    return false;
  auto isAheadInside = [&](const Home &other) {
    return other.ahead && other.level > depth && other.nests.front() == nest;
  };
  bool alone = nest == readers.last || plan.sharedLoops(nest) <= depth;
  return alone && graph.matrices[home.matrix].has(fill.dim) &&
         fill.fullPieces() > 0 && fill.piece % loops.back().block == 0 &&
         !sumsInSbuf(nest, loops.size() - 1) &&
         llvm::none_of(plan.homes, isAheadInside);
}

/// Whether `count` fillings beside `readers` come one after the other, so that
/// one may read another: each takes iterations of its own, but where there are
/// too few, one shares several out to its groups.
bool Walker::keepsOrder(NestRange readers, unsigned depth,
                        const Extents &extents, int64_t count) const {
  if (groupsOf(readers, depth).size() != 1)
    return false;
  llvm::ArrayRef<Loop> loops = plan.nests[readers.first].loops;
  if (depth == loops.size())
    return true;
  Loop loop = loops[depth];
  return extents[loop.dim].size / loop.block >= count ||
         keepsOrder(readers, depth + 1, iteration(extents, loop, 0), count);
}

/// Whether `fills`, which later iterations need, can come beside the first one,
/// in this order: one group of readers keeps it, and each home is complete with
/// its last piece.
bool Walker::canCatchUp(NestRange readers, unsigned level,
                        llvm::ArrayRef<Filling> fills) const {
  auto isAheadInside = [&](const Home &home) {
    return home.ahead && home.level > level &&
           readers.contains(home.nests.front());
  };
  return !isWrittenOut && groupsOf(readers, level).size() == 1 &&
         llvm::none_of(plan.homes, isAheadInside) &&
         llvm::all_of(fills, [&](const Filling &fill) {
           const Home &home = *fill.home;
           bool isEvicted =
               isWritten(home) && home.sums && home.sums->level == level;
           return fill.remainder() == 0 && !isEvicted;
         });
}

/// The loop at `depth` over the pieces: those that are read are brought in one
/// ahead of it, those of the next iteration replace what has been read.
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
  bool isBand = followsBand(group, depth, extents);
  auto block = [&](int64_t index, const OnTheSide &own) {
    emitNests(group, depth + 1, iteration(extents, loop, index, isBand), own);
  };
  if (blocks == 1) {
    block(0, {{}, side.ahead, side.behind});
    return fillPieces(side.shares);
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

//===----------------------------------------------------------------------===//
// All iterations
//===----------------------------------------------------------------------===//

bool Walker::emitPipeline(NestRange group, unsigned depth,
                          const Extents &extents,
                          llvm::ArrayRef<FillShare> shares) {
  llvm::SmallVector<const Home *, 2> homes = homesAhead(plan, group, depth + 1);
  if (homes.empty())
    return false;
  Loop loop = plan.nests[group.first].loops[depth];
  bool isBand = followsBand(group, depth, extents);
  llvm::SaveAndRestore leaving(leavesOut, leavesOut || writesOut(isBand));
  llvm::SaveAndRestore writingOut(isWrittenOut, isWrittenOut || leavesOut);
  bool isLoop = !isBand && !isWrittenOut;
  auto at = [&](const LinearExpr &index) {
    return iteration(extents, loop, index, isBand);
  };
  int64_t full = extents[loop.dim].size / loop.block;
  int64_t count = llvm::divideCeilSigned(extents[loop.dim].size, loop.block);
  NestRange readers{groupsOf(group, depth + 1).front().first, group.last};

  if (!isLoop)
    beginRotation(group, depth + 1, cut(extents, loop.dim, 0, loop.block));
  // The loop takes as many iterations at once as buffers take turns.
  int64_t unit = 1;
  llvm::SmallVector<llvm::SmallVector<int32_t, 3>, 2> slots(homes.size());
  for (auto [home, own] : llvm::zip_equal(homes, slots)) {
    unit = std::lcm(unit, home->slots);
    for (int64_t slot = 0; slot < std::min(home->slots, count); ++slot)
      own.push_back(allocateHome(*home, cut(extents, loop.dim, 0, loop.block)));
  }
  auto livesIn = [&](const LinearExpr &index) {
    Lives lives;
    for (auto [home, own] : llvm::zip_equal(homes, slots))
      lives.push_back(
          {&liveOf(*home),
           {heldIn(own[index.constant % home->slots], *home, at(index))}});
    return lives;
  };
  auto start = [&](const Home &home, const LinearExpr &index) {
    Filling fill = startFilling(home, at(index), livesIn(index));
    for (const Home &other : plan.homes)
      if (other.level == home.level && !other.ahead && fill.isServedBy(other))
        fill.lives.push_back({&liveOf(other), {}}); // of each filling
    return fill;
  };

  // Two fillings of a home would share what their nest reads alone, which takes
  // turns where iterations are written out.
  const Home *streamed = nullptr;
  for (const Home *home : homes)
    if (!streamed && !isWrittenOut && canStream(readers, start(*home, 0)))
      streamed = home;
  int64_t most = homes.front()->ahead;
  llvm::SmallVector<Filling, 4> early; // ahead of others of their iteration
  for (const Home *home : homes)
    for (int64_t i = 1; home->ahead > 1 && i <= home->ahead && i < count; ++i)
      early.push_back(start(*home, i));
  bool isChained = false; // some read others
  int64_t fillings = 0;
  for (const Home *home : homes) {
    isChained |= isWritten(*home);
    fillings += home->ahead;
  }
  bool catchesUp =
      !early.empty() && !(streamed && streamed->slots == 1) &&
      canCatchUp(readers, depth + 1, early) &&
      (!isChained || keepsOrder(readers, depth + 1, at(0), fillings));
  for (int64_t i = 0; i < (catchesUp ? 1 : std::min(most, count)); ++i)
    for (const Home *home : homes)
      if (i < home->ahead && home != streamed) {
        Filling fill = start(*home, i);
        fillAll(fill);
      }

  // The iteration at `index`, which fills later ones if there are such.
  auto run = [&](const LinearExpr &index, FillShares outer) {
    if (isBand && depth == 0)
      visitor->enterStrip();
    for (auto &[home, live] : livesIn(index))
      *home = live;
    OnTheSide side{std::move(outer)};
    bool isFirst = index == LinearExpr(0);
    std::deque<Filling> beside, behind;
    if (isFirst && streamed)
      side.ahead = &beside.emplace_back(start(*streamed, 0));
    for (const Home *home : homes) {
      unsigned last = home->nests.back();
      bool isBehind = home->slots == 1 && last < readers.last &&
                      plan.sharedLoops(last, readers.last) <= depth + 1;
      bool isStored = isWritten(*home) && isOffChip(home->matrix);
      bool isLate = isFirst && (catchesUp || home == streamed);
      for (unsigned ahead = isLate ? 1 : home->ahead; ahead <= home->ahead;
           ++ahead) {
        if (index.isConstant() && index.constant + ahead >= count)
          break;
        Filling fill = start(*home, index + ahead);
        (isBehind ? fill.from : fill.until) = last + 1;
        bool replaces = home == streamed && last == readers.first && !isStored;
        if (home->slots == 1 && !isBehind && !replaces) {
          behind.push_back(std::move(fill));
          continue;
        }
        Filling &own = beside.emplace_back(std::move(fill));
        if (home->slots == 1 && !isBehind)
          side.behind = &own;
        else if (int64_t pieces = own.fullPieces())
          side.shares.push_back({&own, 0, pieces});
      }
    }
    for (Filling &fill : beside)
      beginFilling(fill);
    emitNests(readers, depth + 1, at(index), side);
    for (Filling &fill : beside)
      finishFilling(fill,
                    /*fillsRest=*/&fill != side.ahead && &fill != side.behind);
    for (Filling &fill : behind)
      fillAll(fill);
  };
  auto sharesOf = [&](int64_t from, int64_t to) {
    return partsOf(shares, from, to, count);
  };

  // The last ones, which fill no others, and a smaller one are set apart.
  int64_t begin = 0;
  if (full > 1 && (streamed || catchesUp || startsSums(group, depth, extents)))
    run(begin++, sharesOf(0, 1));
  int64_t alike = isLoop ? full - most - begin : 0;
  int64_t rounds = std::max<int64_t>(0, alike) / unit;
  int64_t end = begin + rounds * unit;
  spread(rounds, sharesOf(begin, end),
         [&](const LinearExpr &round, const FillShares &parts) {
           for (int64_t i = 0; i < unit; ++i)
             run(round * unit + begin + i, i ? FillShares() : parts);
         });
  for (int64_t i = end; i < count; ++i)
    run(i, sharesOf(i, i + 1));
  if (!isLoop)
    endRotation(depth + 1);
  return true;
}

//===----------------------------------------------------------------------===//
// Outside of all loops
//===----------------------------------------------------------------------===//

/// The first nest beside which `home`, outside of all loops, can be filled: all
/// that its filling reads is there.
static unsigned firstBeside(const Graph &graph, const Plan &plan,
                            const Home &home) {
  unsigned begin = firstFiller(graph, plan, home), end = home.nests.front() + 1;
  unsigned first = 0;
  for (unsigned nest = begin; nest < end; ++nest) {
    const Stage &stage = graph.stages[nest];
    llvm::SmallVector<unsigned, 4> read{home.matrix};
    if (graph.stages[end - 1].result == home.matrix)
      read = stage.operands();
    for (unsigned matrix : read) {
      const Home *own = plan.homeOf(matrix, nest);
      if (own && own->level == 0 && own->nests.front() < begin)
        first = std::max(first, own->nests.front());
      for (unsigned writer = 0; writer < begin; ++writer)
        if (graph.stages[writer].result == matrix) {
          const Home *there = plan.homeOf(matrix, writer);
          first = std::max(first,
                           (there == own ? writer : there->nests.back()) + 1);
        }
    }
  }
  return first;
}

/// All nests. What is filled ahead outside of all loops comes on the side of
/// those in front of the first one that reads it.
void Walker::emitKernel(const Extents &extents) {
  struct Beside {
    Filling fill;
    size_t begin, end; // groups
    FillShare rest;
  };
  NestRange all{firstNest, unsigned(plan.nests.size() - 1)};
  llvm::SmallVector<NestRange> groups = groupsOf(all, /*depth=*/0);
  std::deque<Beside> besides;
  for (const Home *home : homesAhead(plan, all, /*level=*/0)) {
    Beside &own = besides.emplace_back();
    own.fill = startFilling(*home, extents, {});
    unsigned reader = home->nests[isWritten(*home)];
    unsigned first = firstBeside(graph, plan, *home);
    own.end =
        llvm::find_if(groups,
                      [&](NestRange group) { return group.last >= reader; }) -
        groups.begin();
    own.begin =
        llvm::find_if(groups,
                      [&](NestRange group) { return group.first >= first; }) -
        groups.begin();
    own.begin = std::min(own.begin, own.end);
    own.fill.from = first;
    own.fill.until = groups[own.end].first;
    own.rest = {&own.fill, 0, own.fill.fullPieces()};
  }
  for (auto [i, group] : llvm::enumerate(groups)) {
    OnTheSide side;
    for (Beside &own : besides) {
      const Home &home = *own.fill.home;
      if (i == own.begin) {
        liveOf(home).block = heldIn(allocateHome(home, extents), home, extents);
        beginFilling(own.fill);
      }
      if (i == own.end) {
        fillPieces(own.rest);
        finishFilling(own.fill, /*fillsRest=*/true);
      } else if (own.begin <= i && i < own.end) {
        FillShare whole{&own.fill, 0, own.fill.fullPieces()};
        int64_t count = countPieces(whole, groups, i, extents);
        if (count)
          side.shares.push_back({&own.fill, own.rest.first, count});
        own.rest.first += count;
        own.rest.count -= count;
      }
    }
    emitNests(group, /*depth=*/0, extents, side);
  }
}
