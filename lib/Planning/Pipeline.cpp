//===- Pipeline.cpp - Loops for which homes are filled ahead --------------===//
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

#include "Pipeline.h"

#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <numeric>

using namespace mlir::trn;
using namespace mlir::trn::planning;

llvm::SmallVector<const Home *, 2>
planning::homesAhead(const Plan &plan, NestRange group, unsigned level) {
  llvm::SmallVector<const Home *, 2> homes;
  for (unsigned ahead = Home::maxAhead; ahead > 0; --ahead)
    for (const Home &home : plan.homes)
      if (home.ahead == ahead && home.level == level &&
          group.contains(home.nests.front()))
        homes.push_back(&home);
  return homes;
}

Pipeline::Pipeline(NestRange group, OpenLoop &loop, Homes &homes,
                   PieceFiller &filler, NestWalker &nests)
    : PlanFacts(homes), loop(loop), homes(homes), filler(filler), nests(nests),
      emit(homes.emit), level(loop.depth + 1), group(group),
      ahead(homesAhead(plan, group, level)),
      readers{groupsOf(group, level).front().first, group.last} {}

//===----------------------------------------------------------------------===//
// Where homes lie
//===----------------------------------------------------------------------===//

void Pipeline::allocateSlots() {
  Extents block = cut(loop.extents, loop.loop.dim, 0, loop.loop.block);
  for (const Home *home : ahead) {
    auto &own = slots.emplace_back();
    for (int64_t slot = 0; slot < std::min(home->slots, loop.blocks()); ++slot)
      own.push_back(homes.allocate(*home, block));
  }
}

Lives Pipeline::livesIn(const LinearExpr &index) {
  Lives lives;
  for (auto [home, own] : llvm::zip_equal(ahead, slots))
    lives.push_back({&homes.liveOf(*home),
                     {homes.place(*home, own[index.constant % home->slots],
                                  loop.at(index))}});
  return lives;
}

Filling Pipeline::describe(const Home &home, const LinearExpr &index) {
  Filling fill = filler.describe(home, loop.at(index), livesIn(index));
  for (const Home &other : plan.homes)
    if (other.level == home.level && !other.ahead && fill.isServedBy(other))
      fill.lives.push_back({&homes.liveOf(other), {}}); // of each filling
  return fill;
}

//===----------------------------------------------------------------------===//
// The first iteration
//===----------------------------------------------------------------------===//

/// Whether the products of the first of `readers` can follow the pieces: the
/// innermost loop, and no outer one but the next, runs over them.
bool Pipeline::canStream(const Filling &fill) const {
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
bool Pipeline::keepsOrder(unsigned depth, const Extents &extents,
                          int64_t count) const {
  if (groupsOf(readers, depth).size() != 1)
    return false;
  llvm::ArrayRef<Loop> loops = plan.nests[readers.first].loops;
  if (depth == loops.size())
    return true;
  Loop loop = loops[depth];
  return extents[loop.dim].size / loop.block >= count ||
         keepsOrder(depth + 1, iteration(extents, loop, 0), count);
}

/// Whether what later iterations need can come beside the first one, in order:
/// one group of readers keeps it, and each home is complete with its last
/// piece.
bool Pipeline::canCatchUp() {
  int64_t fillingsAhead = 0;
  bool isChained = false, isComplete = true, hasEarly = false;
  for (const Home *home : ahead) {
    isChained |= isWritten(*home);
    fillingsAhead += home->ahead;
    bool isEvicted =
        isWritten(*home) && home->sums && home->sums->level == level;
    for (int64_t i = 1;
         home->ahead > 1 && i <= home->ahead && i < loop.blocks(); ++i) {
      hasEarly = true;
      isComplete &= !isEvicted && describe(*home, i).remainder() == 0;
    }
  }
  auto isAheadInside = [&](const Home &home) {
    return home.ahead && home.level > level &&
           readers.contains(home.nests.front());
  };
  return hasEarly && isComplete && !(streamed && streamed->slots == 1) &&
         !emit.isWrittenOut && groupsOf(readers, level).size() == 1 &&
         llvm::none_of(plan.homes, isAheadInside) &&
         (!isChained || keepsOrder(level, loop.at(0), fillingsAhead));
}

/// What the first iteration needs before it begins.
void Pipeline::fillFirst() {
  int64_t most = ahead.front()->ahead;
  for (int64_t i = 0; i < (catchesUp ? 1 : std::min(most, loop.blocks())); ++i)
    for (const Home *home : ahead)
      if (i < home->ahead && home != streamed) {
        Filling fill = describe(*home, i);
        filler.fillAll(fill);
      }
}

//===----------------------------------------------------------------------===//
// All iterations
//===----------------------------------------------------------------------===//

/// The iteration at `index`, which fills later ones if there are such.
void Pipeline::iterate(const LinearExpr &index, FillShares outer) {
  loop.beginIteration();
  for (auto &[home, live] : livesIn(index))
    *home = live;
  OnTheSide side{std::move(outer)};
  bool isFirst = index == LinearExpr(0);
  std::deque<Filling> beside, behind;
  if (isFirst && streamed)
    side.ahead = &beside.emplace_back(describe(*streamed, 0));
  for (const Home *home : ahead) {
    unsigned last = home->nests.back();
    bool isBehind = home->slots == 1 && last < readers.last &&
                    plan.sharedLoops(last, readers.last) <= level;
    bool isStored = isWritten(*home) && isOffChip(home->matrix);
    bool isLate = isFirst && (catchesUp || home == streamed);
    for (unsigned by = isLate ? 1 : home->ahead; by <= home->ahead; ++by) {
      if (index.isConstant() && index.constant + by >= loop.blocks())
        break;
      Filling fill = describe(*home, index + by);
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
    filler.begin(fill);
  nests.emitNests(readers, level, loop.at(index), side);
  for (Filling &fill : beside)
    filler.finish(fill,
                  /*fillsRest=*/&fill != side.ahead && &fill != side.behind);
  for (Filling &fill : behind)
    filler.fillAll(fill);
}

void Pipeline::run(llvm::ArrayRef<FillShare> shares) {
  allocateSlots();
  // Two fillings of a home would share what their nest reads alone, which takes
  // turns where iterations are written out.
  for (const Home *home : ahead)
    if (!streamed && !emit.isWrittenOut && canStream(describe(*home, 0)))
      streamed = home;
  catchesUp = canCatchUp();
  fillFirst();

  int64_t full = loop.fullBlocks(), count = loop.blocks();
  auto sharesOf = [&](int64_t from, int64_t to) {
    return partsOf(shares, from, to, count);
  };
  // The last ones, which fill no others, and a smaller one are set apart.
  int64_t begin = 0;
  if (full > 1 &&
      (streamed || catchesUp || startsSums(group, loop.depth, loop.extents)))
    iterate(begin++, sharesOf(0, 1));
  // The loop takes as many iterations at once as buffers take turns.
  int64_t unit = 1;
  for (const Home *home : ahead)
    unit = std::lcm(unit, home->slots);
  int64_t alike = loop.isLoop() ? full - ahead.front()->ahead - begin : 0;
  int64_t rounds = std::max<int64_t>(0, alike) / unit;
  int64_t end = begin + rounds * unit;
  filler.spread(rounds, sharesOf(begin, end),
                [&](const LinearExpr &round, const FillShares &parts) {
                  for (int64_t i = 0; i < unit; ++i)
                    iterate(round * unit + begin + i, i ? FillShares() : parts);
                });
  for (int64_t i = end; i < count; ++i)
    iterate(i, sharesOf(i, i + 1));
}
