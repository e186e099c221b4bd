//===- PlanNeighbors.cpp - Schedules that differ in a number --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps in the plan itself, of whatever kind it is: along the axes of the
// space, several of its numbers change at once.
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/PlanSpace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// Blocks to try for what is `size` long, in place of `block`.
static llvm::SmallVector<int64_t, 16> otherBlocks(int64_t block, int64_t size,
                                                  const Machine &machine) {
  int64_t tile = machine.partitions, wide = machine.movingFreeMax;
  llvm::SmallVector<int64_t, 16> wanted{block - tile, block + tile,
                                        block - wide, block + wide,
                                        block / 2,    block * 2};
  // So many of one size.
  int64_t count = llvm::divideCeilSigned(size, block);
  for (int64_t even : {count - 1, count, count + 1})
    if (even > 0)
      wanted.push_back(llvm::divideCeilSigned(size, even));
  llvm::SmallVector<int64_t, 16> blocks;
  for (int64_t other : wanted) {
    int64_t tiles = llvm::alignTo(std::max<int64_t>(other, 1), tile);
    if (int64_t legal = std::min(tiles, size);
        legal != block && !llvm::is_contained(blocks, legal))
      blocks.push_back(legal);
  }
  return blocks;
}

/// How much a loop cuts into blocks: a block of the loop around it, or its dim.
static int64_t sizeCutBy(const Graph &graph, const Nest &nest, unsigned depth) {
  int64_t size = graph.sizeOf(nest.loops[depth].dim);
  for (const Loop &outer : llvm::ArrayRef(nest.loops).take_front(depth))
    if (outer.dim == nest.loops[depth].dim)
      size = outer.block;
  return size;
}

/// Gives a loop another block, and those inside of it no larger ones.
static void setBlock(Nest &nest, unsigned depth, int64_t block) {
  Loop &loop = nest.loops[depth];
  loop.block = block;
  for (Loop &inner : llvm::MutableArrayRef(nest.loops).drop_front(depth + 1))
    if (inner.dim == loop.dim)
      inner.block = std::min(inner.block, block);
}

/// In the one nest, and in all beside it that cut the dim alike, as nests share
/// loops.
static void addOtherBlocks(const Schedule &schedule, unsigned nest,
                           unsigned depth, const Machine &machine,
                           std::vector<Schedule> &result) {
  const Plan &plan = schedule.plan;
  Loop loop = plan.nests[nest].loops[depth];
  auto hasLoop = [&](unsigned other) {
    return llvm::is_contained(plan.nests[other].loops, loop);
  };
  unsigned first = nest, last = nest + 1;
  while (first > 0 && hasLoop(first - 1))
    --first;
  while (last < plan.nests.size() && hasLoop(last))
    ++last;
  int64_t size = sizeCutBy(schedule.graph, plan.nests[nest], depth);
  for (int64_t block : otherBlocks(loop.block, size, machine)) {
    Schedule &together = result.emplace_back(schedule);
    for (unsigned number = first; number < last; ++number)
      for (auto [level, same] : llvm::enumerate(plan.nests[number].loops))
        if (same == loop)
          setBlock(together.plan.nests[number], level, block);
    Schedule &alone = result.emplace_back(schedule);
    setBlock(alone.plan.nests[nest], depth, block);
  }
}

static void addOtherSlots(const Schedule &schedule, unsigned home,
                          std::vector<Schedule> &result) {
  int64_t slots = schedule.plan.homes[home].slots;
  for (int64_t other : {slots - 1, slots + 1, slots * 2})
    if (other != slots)
      result.emplace_back(schedule).plan.homes[home].slots = other;
}

static void addOtherLevels(const Schedule &schedule, unsigned home,
                           std::vector<Schedule> &result) {
  const Home &own = schedule.plan.homes[home];
  result.emplace_back(schedule).plan.homes[home].early = !own.early;
  for (unsigned level : {0u, own.level - 1, own.level + 1})
    if (level != own.level)
      for (bool early : {false, true}) {
        Home &other = result.emplace_back(schedule).plan.homes[home];
        other.moveTo(level);
        other.early = early;
      }
}

/// What only `nest` reads in products, in `from` loops, is moved into `to`.
static void moveFactors(Schedule &schedule, unsigned nest, unsigned from,
                        unsigned to) {
  const Stage &stage = schedule.graph.stages[nest];
  for (Home &home : schedule.plan.homes)
    if (home.level == from &&
        llvm::all_equal({home.nests.front(), home.nests.back(), nest}) &&
        llvm::any_of(stage.terms, [&](const Term &term) {
          return term.left == home.matrix || term.right == home.matrix;
        }))
      home.level = to;
}

/// Blocks of the contraction `over` pass by inside of all other loops of a
/// nest, whose sums stay in PSUM; or they no longer do.
static void addOtherSums(const Schedule &schedule, unsigned nest, unsigned over,
                         const Machine &machine,
                         std::vector<Schedule> &result) {
  const Plan &plan = schedule.plan;
  unsigned written = schedule.graph.stages[nest].result;
  auto home = llvm::find_if(plan.homes,
                            [&](const Home &home) {
                              return home.matrix == written &&
                                     home.nests.front() == nest;
                            }) -
              plan.homes.begin();
  unsigned depth = plan.nests[nest].loops.size();
  const std::optional<Sums> &sums = plan.homes[home].sums;
  if (sums == Sums{depth - 1, Store::Psum}) {
    Schedule &other = result.emplace_back(schedule);
    other.plan.homes[home].sums.reset();
    other.plan.nests[nest].loops.pop_back();
    moveFactors(other, nest, depth, depth - 1);
  }
  if (sums)
    return;
  for (int64_t tiles : {1, 2, 4, 8})
    for (unsigned from : {depth, 0u}) {
      Schedule &other = result.emplace_back(schedule);
      other.plan.homes[home].sums = Sums{depth, Store::Psum};
      other.plan.nests[nest].loops.push_back(
          {over, tiles * machine.partitions});
      moveFactors(other, nest, from, depth + 1);
    }
}

/// At most `most` slots for each home.
static void limitSlots(Schedule &schedule, int64_t most) {
  for (Home &home : schedule.plan.homes)
    home.slots = std::min(home.slots, most);
}

unsigned PlanSpace::numSteps(const Schedule &schedule) const {
  unsigned count = 2 * schedule.plan.homes.size();
  for (const Nest &nest : schedule.plan.nests)
    count += 1 + nest.loops.size();
  return count;
}

std::vector<FittingSchedule>
PlanSpace::neighbors(const Schedule &schedule, unsigned step,
                     llvm::function_ref<bool(const Schedule &)> isNew) const {
  std::vector<Schedule> all;
  auto isNext = [&] { return step-- == 0; };
  auto isFree = [&](unsigned dim) {
    return !forced(schedule.graph.dims[dim].of.value_or(dim));
  };
  const Plan &plan = schedule.plan;
  for (unsigned home = 0; home < plan.homes.size(); ++home) {
    if (isNext())
      addOtherSlots(schedule, home, all);
    if (isNext() && !constraints.recompute)
      addOtherLevels(schedule, home, all);
  }
  for (auto [number, nest] : llvm::enumerate(plan.nests)) {
    llvm::ArrayRef<Term> terms = schedule.graph.stages[number].terms;
    if (isNext() && !terms.empty() && isFree(terms.front().over))
      addOtherSums(schedule, number, terms.front().over, machine, all);
    for (auto [depth, loop] : llvm::enumerate(nest.loops))
      if (isNext() && isFree(loop.dim))
        addOtherBlocks(schedule, number, depth, machine, all);
  }
  std::vector<FittingSchedule> fitting;
  for (Schedule &other : all) {
    if (!isNew(other) || !keepAsDemanded(other))
      continue;
    std::optional<FittingSchedule> fits = fit(other);
    // What has larger blocks may fit with fewer of them.
    for (int64_t most : {2, 1}) {
      if (fits)
        break;
      limitSlots(other, most);
      fits = fit(other);
    }
    if (fits)
      fitting.push_back(std::move(*fits));
  }
  return fitting;
}
