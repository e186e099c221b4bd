//===- Latency.cpp - How long the loops of a plan take --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Within a loop, rotating buffers let loads run ahead of products:
//
//   load    | 1 | 2 | 3 |
//   compute     | 1  | 2  | 3  |
//
// Between loops they do not, as the buffers of one phase lie where those of the
// phase before it were. So the first load of each loop is paid for in full, and
// so is the load of the X strip.
//
//===----------------------------------------------------------------------===//

#include "Costs.h"

using namespace mlir::trn;

namespace {
class LatencyModel {
public:
  LatencyModel(const PlanningTask &task, const BlockPlan &plan)
      : task(task), shape(task.shape), plan(plan), costs(task) {}

  double total() const;

private:
  double loadX(int64_t rows, int64_t depth) const;
  double firstLoads(int64_t rows, int64_t depth) const;
  double stageOne(int64_t rows) const;
  double outputLoop(int64_t rows, int64_t depth) const;
  double outputTransfers(int64_t rows, int64_t width, int64_t depth) const;
  double outputProducts(int64_t rows, int64_t width, int64_t depth) const;
  double reloads(int64_t rows) const;
  double rereadingBlock(int64_t rows, int64_t width) const;

  const PlanningTask &task;
  const ChainShape &shape;
  const BlockPlan &plan;
  const Costs costs;
};
} // namespace

/// A loop over blocks of `size`, each of which is loaded, then used.
template <typename Load, typename Use>
static double pipeline(int64_t size, int64_t block, int64_t slots, Load load,
                       Use use) {
  if (slots == 1)
    return overPieces(size, block,
                      [&](int64_t part) { return load(part) + use(part); });
  int64_t full = size / block, tail = size % block;
  if (!full)
    return load(tail) + use(tail);
  double loading = load(block), using_ = use(block);
  double time = loading + double(full - 1) * std::max(loading, using_);
  return time + (tail ? std::max(load(tail), using_) + use(tail) : using_);
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

/// Y's strip, for all blocks of the contraction.
double LatencyModel::stageOne(int64_t rows) const {
  double spilled = double(shape.r - plan.residentRank) / double(shape.r);
  double time = overPieces(shape.k, plan.blockK, [&](int64_t depth) {
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
    return firstLoads(rows, depth) +
           pipeline(shape.r, plan.blockR, plan.slotsU, load, use);
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

/// The products with the ranks that stayed hide the reload of the others.
double LatencyModel::outputTransfers(int64_t rows, int64_t width,
                                     int64_t depth) const {
  return costs.blockNs(depth, width) +
         (shape.outputTransposed ? costs.blockNs(width, rows)
                                 : costs.blockNs(rows, width)) +
         reloads(rows);
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

/// All block columns of O for one strip.
double LatencyModel::outputLoop(int64_t rows, int64_t depth) const {
  return pipeline(
      shape.n, plan.blockN, plan.slotsV,
      [&](int64_t width) { return outputTransfers(rows, width, depth); },
      [&](int64_t width) { return outputProducts(rows, width, depth); });
}

double LatencyModel::total() const {
  return overPieces(shape.m, plan.blockM, [&](int64_t rows) {
    if (plan.rereadX)
      return overPieces(shape.n, plan.blockN, [&](int64_t width) {
        return rereadingBlock(rows, width);
      });
    if (shape.isSingle())
      return firstLoads(rows, shape.k) + outputLoop(rows, shape.k);
    if (!task.isRecompute())
      return stageOne(rows) + outputLoop(rows, shape.r);
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
