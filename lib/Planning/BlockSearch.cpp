//===- BlockSearch.cpp - The best blocks for one block-m ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The footprint grows with every block, so for each block the search starts
// from the smallest value and takes the largest that fits, up to the size from
// which on more brings nothing. What is left to compare are few combinations.
//
//===----------------------------------------------------------------------===//

#include "BlockSearch.h"
#include "trn/Machine/Machine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;

llvm::SmallVector<Effort, 3> mlir::trn::efforts(const PlanningTask &task) {
  // Rows of a quarter of the saturating length move at about 90 % of the rate
  // on trn1. A contraction of four tiles keeps the tensor engine busy for about
  // as long as the vector engine needs to add a partial sum. After 16 roundings
  // to bf16, the sum of random terms is off by 2^-9 / sqrt(3) * sqrt(16 / 2),
  // which is 0.3 %.
  const Machine &machine = task.machine;
  int64_t tile = machine.partitions;
  int64_t row = machine.dmaSaturatingBytes / (4 * byteSize(task.shape.type));
  int64_t minBlockN = std::max(llvm::divideCeilSigned(row, tile) * tile, tile);
  constexpr int64_t any = std::numeric_limits<int64_t>::max();
  return {{minBlockN, 4, 16, 2}, {tile, 1, 16, 2}, {tile, 1, any, 1}};
}

/// The first plan that is about as fast as the fastest: within a factor `tie`.
static std::optional<BlockPlan> firstOfTheBest(llvm::ArrayRef<BlockPlan> plans,
                                               double tie = 1.02) {
  double best = std::numeric_limits<double>::infinity();
  for (const BlockPlan &plan : plans)
    best = std::min(best, plan.latencyNs);
  for (const BlockPlan &plan : plans)
    if (plan.latencyNs <= best * tie)
      return plan;
  return std::nullopt;
}

BlockSearch::BlockSearch(const PlanningTask &task, const BlockRequest &request)
    : task(task), request(request) {
  // Half of a saturating row still moves at about 80 % of the rate, and leaves
  // SBUF for the second buffer.
  int64_t saturating =
      task.machine.dmaSaturatingBytes / (2 * byteSize(task.shape.type));
  rowElements = std::max(llvm::alignTo(saturating, task.machine.movingFreeMax),
                         uint64_t(task.machine.movingFreeMax));
}

int64_t BlockSearch::tiles(int64_t size) const {
  return llvm::divideCeilSigned(size, task.machine.partitions);
}

bool BlockSearch::fits(const BlockPlan &plan) const {
  return peakPartitionBytes(plannedBuffers(task, plan), task.machine) <=
         task.machine.sbufPartitionBytes;
}

/// The largest number in [0, limit] for which all numbers up to it are good.
int64_t BlockSearch::largest(int64_t limit,
                             llvm::function_ref<bool(int64_t)> good) const {
  int64_t low = 0, high = limit;
  while (low < high) {
    int64_t middle = low + (high - low + 1) / 2;
    if (good(middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// Whether partial sums would be rounded to the storage type too often.
bool BlockSearch::roundsTooOften(const BlockPlan &plan,
                                 const Effort &effort) const {
  return plan.partials && *plan.partials != ElementType::F32 &&
         llvm::divideCeilSigned(task.shape.k, plan.blockK) >
             effort.maxRoundings;
}

/// Widens `field` to the fastest multiple of `step` up to `target` that fits:
/// wider blocks move in longer rows, but their first loads take longer. Of
/// about equally fast ones the widest, as the cost of short rows is the least
/// certain constant.
void BlockSearch::widen(BlockPlan &plan, int64_t BlockPlan::*field,
                        int64_t limit, int64_t target, int64_t step) const {
  llvm::SmallVector<BlockPlan, 8> plans;
  for (int64_t size = target; size >= plan.*field; size -= step) {
    BlockPlan trial = plan;
    trial.*field = std::min(size, limit);
    if (!plans.empty() && plans.back().*field == trial.*field)
      continue;
    if (trial.*field > plan.*field && !fits(trial))
      continue;
    modelCost(task, trial);
    plans.push_back(std::move(trial));
  }
  if (std::optional<BlockPlan> best = firstOfTheBest(plans, 1.01))
    plan = std::move(*best);
}

/// Makes the blocks of `limit` about equally large without making more of them.
void BlockSearch::balance(int64_t &block, int64_t limit) const {
  if (block >= limit)
    return;
  int64_t count = llvm::divideCeilSigned(limit, block);
  block = llvm::divideCeilSigned(tiles(limit), count) * task.machine.partitions;
}

BlockPlan BlockSearch::smallest(int64_t blockM, const Effort &effort) const {
  const ChainShape &shape = task.shape;
  int64_t tile = task.machine.partitions;
  BlockPlan plan;
  plan.blockM = blockM;
  plan.blockK = request.blockK ? request.blockK : shape.k;
  plan.blockN =
      request.blockN ? request.blockN : std::min(effort.minBlockN, shape.n);
  plan.slotsV = plan.slotsO = effort.slots;
  if (!shape.inputTransposed) {
    plan.blockX = std::min(effort.minBlockKTiles * tile, plan.blockK);
    plan.slotsXRaw = effort.slots;
  }
  if (!shape.isSingle()) {
    plan.blockR = request.blockR ? request.blockR : std::min(tile, shape.r);
    plan.slotsU = effort.slots;
    plan.residentRank = shape.r;
  }
  if (plan.blockK < shape.k)
    plan.partials = shape.type;
  return plan;
}

std::vector<BlockPlan> BlockSearch::leastPlans() const {
  const ChainShape &shape = task.shape;
  int64_t tile = task.machine.partitions;
  int64_t blockM = request.blockM ? request.blockM : std::min(tile, shape.m);
  BlockPlan least = smallest(blockM, efforts(task).back());
  std::vector<BlockPlan> plans{least};
  if (!request.blockK && least.blockK > tile) {
    plans.push_back(least);
    plans.back().blockK = tile;
  }
  for (BlockPlan &plan : plans) {
    plan.blockX = std::min(plan.blockX, plan.blockK);
    if (plan.blockK < shape.k)
      plan.partials = shape.type;
    plan.rereadX = shape.isSingle() && plan.blockK < shape.k;
  }
  bool maySpill =
      !shape.isSingle() && !task.isExplicit() && !task.isRecompute();
  for (size_t index = 0, count = plans.size(); maySpill && index < count;
       ++index) {
    BlockPlan plan = plans[index];
    plan.residentRank = 0;
    plan.slotsSave = plan.slotsReload = 1;
    plans.push_back(plan);
  }
  for (BlockPlan &plan : plans)
    modelCost(task, plan);
  auto key = [&](const BlockPlan &plan) {
    return std::pair(
        peakPartitionBytes(plannedBuffers(task, plan), task.machine),
        plan.latencyNs);
  };
  llvm::sort(plans, [&](const BlockPlan &a, const BlockPlan &b) {
    return key(a) < key(b);
  });
  return plans;
}

/// Uses the room that is left for longer DMA rows.
void BlockSearch::finish(BlockPlan &plan) const {
  const ChainShape &shape = task.shape;
  int64_t tile = task.machine.partitions, moving = task.machine.movingFreeMax;
  plan.blockX = std::min(plan.blockX, plan.blockK);
  if (plan.blockX) {
    for (int64_t size = std::min(rowElements, 2 * moving); size > plan.blockX;
         size -= tile) {
      BlockPlan trial = plan;
      trial.blockX = std::min(size, plan.blockK);
      if (fits(trial))
        plan = trial;
    }
    balance(plan.blockX, plan.blockK);
    // Of an even number of raw blocks none is left over: trn-overlap-strips.
    if (int64_t count = llvm::divideCeilSigned(plan.blockK, plan.blockX);
        plan.prefetchX && count > 1 && count % 2)
      plan.blockX =
          llvm::divideCeilSigned(tiles(plan.blockK), count + 1) * tile;
  }
  if (!shape.isSingle() && !request.blockR) {
    widen(plan, &BlockPlan::blockR, shape.r, rowElements, tile);
    balance(plan.blockR, shape.r);
  }
  if (!request.blockN && !plan.rereadX && !task.isRecompute()) {
    int64_t step = plan.blockN % moving ? tile : moving;
    widen(plan, &BlockPlan::blockN, shape.n, rowElements, step);
  }
  if (plan.slotsReload == 1) {
    BlockPlan trial = plan;
    trial.slotsReload = plan.slotsV;
    if (fits(trial))
      plan = trial;
  }
  modelCost(task, plan);
}

/// The sizes of K blocks to compare: the whole contraction if it fits, else the
/// largest blocks of equal size and some smaller ones, which leave room for
/// longer rows of U or for more exact partial sums.
std::vector<int64_t> BlockSearch::blocksOfK(BlockPlan plan,
                                            const Effort &effort) const {
  if (request.blockK)
    return {request.blockK};
  if (fits(plan))
    return {task.shape.k};
  int64_t tile = task.machine.partitions;
  int64_t all = tiles(task.shape.k);
  plan.partials = task.shape.type;
  plan.blockX = std::min(plan.blockX, tile);
  int64_t most = largest(all - 1, [&](int64_t count) {
    plan.blockK = count * tile;
    return fits(plan);
  });
  std::vector<int64_t> blocks;
  if (!most)
    return blocks;
  int64_t count = llvm::divideCeilSigned(all, most);
  for (int step = 0; step < 8; ++step, count += (count + 3) / 4) {
    int64_t size = llvm::divideCeilSigned(all, count);
    if (size >= effort.minBlockKTiles &&
        (blocks.empty() || blocks.back() > size * tile))
      blocks.push_back(size * tile);
  }
  return blocks;
}

/// Every width of a block column that can be asked for at this effort.
std::vector<int64_t> BlockSearch::widthsOfN(const Effort &effort) const {
  if (request.blockN)
    return {request.blockN};
  // One row of a block must fit a partition.
  int64_t limit = task.machine.sbufPartitionBytes / byteSize(task.shape.type);
  std::vector<int64_t> widths = {std::min(effort.minBlockN, task.shape.n)};
  while (widths.back() < std::min(limit, task.shape.n))
    widths.push_back(std::min(widths.back() + effort.minBlockN, task.shape.n));
  return widths;
}

std::optional<BlockPlan> BlockSearch::resident(int64_t blockM,
                                               const Effort &effort) const {
  const BlockPlan start = smallest(blockM, effort);
  if (task.shape.isSingle()) {
    if (start.blockK < task.shape.k || !fits(start))
      return rereading(blockM, effort);
    BlockPlan plan = start;
    finish(plan);
    return plan;
  }

  llvm::SmallVector<BlockPlan, 16> plans;
  auto consider = [&](BlockPlan plan) {
    if (roundsTooOften(plan, effort) || !fits(plan))
      return;
    finish(plan);
    plans.push_back(std::move(plan));
  };
  // Of about equally fast plans, exact sums come first, then few K blocks.
  std::vector<int64_t> blocksK = blocksOfK(start, effort);
  for (ElementType partials : {ElementType::F32, task.shape.type})
    for (int64_t blockK : blocksK) {
      BlockPlan plan = start;
      plan.blockK = blockK;
      plan.blockX = std::min(plan.blockX, blockK);
      if (blockK < task.shape.k)
        plan.partials = partials;
      consider(plan);
    }
  std::optional<BlockPlan> best = firstOfTheBest(plans);
  plans.clear();
  if (BlockPlan plan = start; mayPrefetchX(plan)) {
    plan.prefetchX = true;
    consider(plan);
  }
  // Where DMA limits, its queue had better not wait for transposes.
  if (best && !plans.empty() && plans[0].dmaNs < plans[0].tensorNs &&
      plans[0].latencyNs < best->latencyNs)
    return plans[0];
  return best;
}

/// Whether the second stage could bring in X for the next strip.
bool BlockSearch::mayPrefetchX(const BlockPlan &plan) const {
  return !task.isExplicit() && !task.isRecompute() &&
         plan.blockK == task.shape.k && task.shape.m / plan.blockM > 1;
}

/// A single product whose X strip does not fit: blocks of X and W pass by, and
/// the sums of one output block stay.
std::optional<BlockPlan> BlockSearch::rereading(int64_t blockM,
                                                const Effort &effort) const {
  int64_t tile = task.machine.partitions;
  llvm::SmallVector<BlockPlan, 16> plans;
  for (ElementType partials : {ElementType::F32, task.shape.type}) {
    for (int64_t blockN : widthsOfN(effort)) {
      BlockPlan plan = smallest(blockM, effort);
      plan.rereadX = true;
      plan.blockN = blockN;
      plan.partials = partials;
      if (!request.blockK) {
        int64_t most = largest(tiles(task.shape.k) - 1, [&](int64_t count) {
          plan.blockK = count * tile;
          return fits(plan);
        });
        plan.blockK = most * tile;
        plan.blockX = std::min(plan.blockX, plan.blockK);
        if (!most ||
            most < std::min(effort.minBlockKTiles, tiles(task.shape.k) - 1))
          break;
        balance(plan.blockK, task.shape.k);
      }
      // Wider blocks need more, so none of them fits either.
      if (roundsTooOften(plan, effort) || !fits(plan))
        break;
      finish(plan);
      plans.push_back(std::move(plan));
    }
  }
  return firstOfTheBest(plans);
}

std::optional<BlockPlan> BlockSearch::spilled(int64_t blockM,
                                              const Effort &effort) const {
  if (task.shape.isSingle() || task.isExplicit() || task.isRecompute())
    return std::nullopt;
  int64_t tile = task.machine.partitions;
  int64_t all = tiles(task.shape.k);
  std::vector<int64_t> blocksK;
  if (request.blockK)
    blocksK = {request.blockK};
  else
    for (int64_t count = 1; count <= all; count += (count + 1) / 2)
      if (int64_t size = llvm::divideCeilSigned(all, count);
          count == 1 || size >= effort.minBlockKTiles)
        blocksK.push_back(std::min(size * tile, task.shape.k));

  llvm::SmallVector<BlockPlan, 16> plans;
  for (int64_t blockN : widthsOfN(effort)) {
    bool any = false;
    for (int64_t blockK : blocksK)
      for (auto [slotsReload, slotsO] :
           {std::pair<int64_t, int64_t>(1, effort.slots),
            {effort.slots, effort.slots},
            {effort.slots, 1}}) {
        BlockPlan plan = smallest(blockM, effort);
        plan.blockN = blockN;
        plan.blockK = blockK;
        plan.blockX = std::min(plan.blockX, blockK);
        plan.slotsSave = effort.slots;
        plan.slotsReload = slotsReload;
        plan.slotsO = slotsO;
        plan.partials.reset();
        if (blockK < task.shape.k)
          plan.partials = task.shape.type;
        plan.residentRank = 0;
        if (roundsTooOften(plan, effort) || !fits(plan))
          continue;
        any = true;
        plan.residentRank =
            tile * largest(tiles(task.shape.r) - 1, [&](int64_t count) {
              plan.residentRank = count * tile;
              return fits(plan);
            });
        finish(plan);
        plans.push_back(std::move(plan));
      }
    if (!any)
      break;
  }
  // Every spilled row costs, so here the very best is taken.
  auto best = std::min_element(plans.begin(), plans.end(),
                               [](const BlockPlan &a, const BlockPlan &b) {
                                 return a.latencyNs < b.latencyNs;
                               });
  return best == plans.end() ? std::nullopt : std::optional(*best);
}
