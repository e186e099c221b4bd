//===- Latency.cpp - How long the loops of a plan take --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Within a loop, rotating buffers let loads run ahead of products, and the
// first load of a loop runs during the last products of the loop before it:
//
//   load    | u 1 | u 2 | v 1 | v 2 |
//   compute       | u 1 | u 2 | v 1 | v 2 |
//
// The queue of loads is in order, though: where a strip of X is in the way, the
// first block of U waits behind it. X is brought in during the second stage if
// there is room; otherwise loading and transposing it is paid for in full.
//
//===----------------------------------------------------------------------===//

#include "BlockCosts.h"

using namespace mlir::trn;

namespace {
/// The time of a loop over blocks.
struct Loop {
  double first = 0; // loading its first block
  double rest = 0;  // all that follows
  double last = 0;  // computing on the last block, while others load
  double total() const { return first + rest; }
  /// What is left of the time if the first load runs during `before`.
  double behind(const Loop &before) const {
    return std::max(0.0, first - before.last) + rest;
  }
};

class LatencyModel {
public:
  LatencyModel(const PlanningTask &task, const BlockPlan &plan)
      : task(task), shape(task.shape), plan(plan), costs(task) {}

  double total() const;

private:
  double loadX(int64_t rows, int64_t depth) const;
  double firstLoads(int64_t rows, int64_t depth) const;
  double transposeX(int64_t rows) const;
  Loop rankLoop(int64_t rows, int64_t depth) const;
  double stageOne(int64_t rows) const;
  Loop outputLoop(int64_t rows, int64_t depth, int64_t nextRows) const;
  double storeO(int64_t rows, int64_t width) const;
  double outputTransfers(int64_t rows, int64_t width, int64_t depth) const;
  double outputProducts(int64_t rows, int64_t width, int64_t depth) const;
  double reloads(int64_t rows) const;
  double reloadStalls(int64_t rows, int64_t width) const;
  double rereadingBlock(int64_t rows, int64_t width) const;
  double strip(int64_t rows) const;
  double prefetchingStrips() const;

  const PlanningTask &task;
  const ChainShape &shape;
  const BlockPlan &plan;
  const BlockCosts costs;
};
} // namespace

/// A loop over blocks of `size`, each of which is loaded, then used.
template <typename Load, typename Use>
static Loop pipeline(int64_t size, int64_t block, int64_t slots, Load load,
                     Use use) {
  int64_t full = size / block, tail = size % block;
  Loop loop;
  loop.first = load(full ? block : tail);
  if (slots == 1) {
    loop.rest =
        overPieces(size, block,
                   [&](int64_t part) { return load(part) + use(part); }) -
        loop.first;
    return loop;
  }
  if (!full) {
    loop.rest = loop.last = use(tail);
    return loop;
  }
  double using_ = use(block);
  loop.rest = double(full - 1) * std::max(loop.first, using_);
  loop.rest += tail ? std::max(load(tail), using_) + use(tail) : using_;
  // A last block of another size has a buffer of its own, in the way of others.
  loop.last = tail ? 0 : using_;
  return loop;
}

double LatencyModel::loadX(int64_t rows, int64_t depth) const {
  if (shape.inputTransposed)
    return costs.blockNs(depth, rows);
  return overPieces(depth, plan.blockX,
                    [&](int64_t width) { return costs.blockNs(rows, width); });
}

/// Bringing one X^T block in: raw blocks are transposed as they arrive, and
/// what the tensor engine leaves in PSUM is copied to SBUF.
double LatencyModel::firstLoads(int64_t rows, int64_t depth) const {
  if (shape.inputTransposed)
    return loadX(rows, depth);
  double tiles = costs.tiles(depth);
  return std::max({loadX(rows, depth),
                   costs.tensorNs(tiles * costs.transposing(rows)),
                   tiles * costs.evictionNs(rows)});
}

/// What the tensor engine spends on transposing a strip of X.
double LatencyModel::transposeX(int64_t rows) const {
  if (shape.inputTransposed)
    return 0;
  return costs.tensorNs(costs.tiles(shape.k) * costs.transposing(rows));
}

/// The products of a strip with all of U, or of a block of k with U's rows.
Loop LatencyModel::rankLoop(int64_t rows, int64_t depth) const {
  double spilled = double(shape.r - plan.residentRank) / double(shape.r);
  // After the first block, spilled sums are reloaded before they are saved.
  double moves = depth < shape.k ? 2 : 1;
  auto load = [&](int64_t rank) {
    return costs.blockNs(depth, rank) +
           costs.blockNs(double(rank) * spilled * moves, rows);
  };
  auto use = [&](int64_t rank) {
    return costs.tensorNs(costs.tiles(depth) *
                          (task.isExplicit()
                               ? costs.tiles(rows) * costs.moving(rank)
                               : costs.tiles(rank) * costs.moving(rows)));
  };
  return pipeline(shape.r, plan.blockR, plan.slotsU, load, use);
}

/// Y's strip, for all blocks of the contraction.
double LatencyModel::stageOne(int64_t rows) const {
  double time = overPieces(shape.k, plan.blockK, [&](int64_t depth) {
    return firstLoads(rows, depth) + rankLoop(rows, depth).total();
  });
  if (task.isExplicit())
    time += costs.tensorNs(costs.tiles(shape.r) * costs.transposing(rows));
  return time;
}

double LatencyModel::reloads(int64_t rows) const {
  double spilled = double(shape.r - plan.residentRank);
  return overPieces(rows, task.machine.movingFreeMax, [&](int64_t piece) {
    return costs.blockNs(spilled, piece);
  });
}

/// With one slot, each piece of the reloaded rows of Y^T waits until the one
/// before it was used. Only products of the first tile with the ranks that
/// stayed hide it.
double LatencyModel::reloadStalls(int64_t rows, int64_t width) const {
  if (plan.slotsReload != 1)
    return 0;
  double spilled = double(shape.r - plan.residentRank);
  int64_t tile = std::min(shape.outputTransposed ? rows : width,
                          task.machine.movingFreeMax);
  double hidden =
      costs.tensorNs(costs.tiles(plan.residentRank) * costs.moving(tile));
  return overPieces(rows, task.machine.movingFreeMax, [&](int64_t piece) {
    return std::max(0.0, costs.blockNs(spilled, piece) - hidden);
  });
}

double LatencyModel::storeO(int64_t rows, int64_t width) const {
  return shape.outputTransposed ? costs.blockNs(width, rows)
                                : costs.blockNs(rows, width);
}

/// The products with the ranks that stayed hide the reload of the others.
double LatencyModel::outputTransfers(int64_t rows, int64_t width,
                                     int64_t depth) const {
  return costs.blockNs(depth, width) + storeO(rows, width) + reloads(rows);
}

double LatencyModel::outputProducts(int64_t rows, int64_t width,
                                    int64_t depth) const {
  return costs.tensorNs(costs.tiles(depth) *
                        (shape.outputTransposed
                             ? costs.tiles(width) * costs.moving(rows)
                             : costs.tiles(rows) * costs.moving(width)));
}

/// One block of O whose X does not stay: each X block is waited for, and so is
/// the first W block; the next one is loaded meanwhile.
double LatencyModel::rereadingBlock(int64_t rows, int64_t width) const {
  double products = overPieces(shape.k, plan.blockK, [&](int64_t depth) {
    return std::max(firstLoads(rows, depth) +
                        outputProducts(rows, width, depth),
                    loadX(rows, depth) + costs.blockNs(depth, width));
  });
  return costs.blockNs(std::min(plan.blockK, shape.k), width) + products;
}

/// All block columns of O for one strip. Meanwhile a strip of X of `nextRows`
/// is brought in, or none if that is 0.
Loop LatencyModel::outputLoop(int64_t rows, int64_t depth,
                              int64_t nextRows) const {
  double loads = 0, transposes = 0;
  if (nextRows) {
    double share = 1 / double(llvm::divideCeilSigned(shape.n, plan.blockN));
    loads = share * loadX(nextRows, shape.k);
    transposes = share * transposeX(nextRows);
  }
  Loop loop = pipeline(
      shape.n, plan.blockN, plan.slotsV,
      [&](int64_t width) {
        return outputTransfers(rows, width, depth) + loads;
      },
      [&](int64_t width) {
        // With one slot, a block of O waits until the one before it is stored.
        return outputProducts(rows, width, depth) + transposes +
               reloadStalls(rows, width) +
               (plan.slotsO == 1 ? storeO(rows, width) : 0);
      });
  loop.first = costs.blockNs(depth, std::min(plan.blockN, shape.n));
  return loop;
}

/// One strip, for which X is brought in when its turn comes.
double LatencyModel::strip(int64_t rows) const {
  if (shape.isSingle())
    return firstLoads(rows, shape.k) +
           outputLoop(rows, shape.k, /*nextRows=*/0).total();
  Loop before;
  if (!task.isExplicit())
    before = rankLoop(rows, shape.k % plan.blockK ? shape.k % plan.blockK
                                                  : plan.blockK);
  return stageOne(rows) +
         outputLoop(rows, shape.r, /*nextRows=*/0).behind(before);
}

/// All strips, each of which brings in X for the next one of the same size.
double LatencyModel::prefetchingStrips() const {
  int64_t rows = plan.blockM, count = shape.m / rows, tail = shape.m % rows;
  Loop ranks = rankLoop(rows, shape.k);
  Loop columns = outputLoop(rows, shape.r, /*nextRows=*/rows);
  Loop last = outputLoop(rows, shape.r, /*nextRows=*/0);
  return firstLoads(rows, shape.k) + ranks.total() +
         double(count - 1) * (columns.behind(ranks) + ranks.behind(columns)) +
         last.behind(ranks) + (tail ? strip(tail) : 0);
}

/// The store that ends the last block is waited for.
double LatencyModel::total() const {
  double lastStore = storeO(std::min(plan.blockM, shape.m), plan.blockN);
  if (plan.prefetchX)
    return prefetchingStrips() + lastStore;
  return lastStore + overPieces(shape.m, plan.blockM, [&](int64_t rows) {
           if (plan.rereadX)
             return overPieces(shape.n, plan.blockN, [&](int64_t width) {
               return rereadingBlock(rows, width);
             });
           if (!task.isRecompute())
             return strip(rows);
           return overPieces(shape.n, plan.blockN, [&](int64_t width) {
             return stageOne(rows) + outputTransfers(rows, width, shape.r) +
                    outputProducts(rows, width, shape.r);
           });
         });
}

double mlir::trn::estimateLatencyNs(const PlanningTask &task,
                                    const BlockPlan &plan) {
  return LatencyModel(task, plan).total();
}
