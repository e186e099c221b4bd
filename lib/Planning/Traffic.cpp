//===- Traffic.cpp - Bytes and time of a block plan -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums over the whole kernel; Latency.cpp puts them in order.
//
//===----------------------------------------------------------------------===//

#include "BlockCosts.h"
#include <limits>

using namespace mlir::trn;

namespace {
/// Bytes that stop at the largest number instead of wrapping around.
class Bytes {
public:
  void add(std::initializer_list<int64_t> factors) {
    uint64_t product = 1;
    for (int64_t factor : factors)
      product = llvm::SaturatingMultiply<uint64_t>(product, factor);
    total = llvm::SaturatingAdd(total, product);
  }
  int64_t get() const {
    return std::min<uint64_t>(total, std::numeric_limits<int64_t>::max());
  }

private:
  uint64_t total = 0;
};
} // namespace

/// Sum over blocks that are in turn cut into pieces.
template <typename Cost>
static double overBlocks(int64_t length, int64_t block, int64_t piece,
                         Cost cost) {
  return overPieces(length, block, [&](int64_t size) {
    return overPieces(size, piece, cost);
  });
}

static double tensorColumns(const PlanningTask &task, const BlockPlan &plan) {
  const ChainShape &shape = task.shape;
  const BlockCosts costs(task);
  auto moving = [&](int64_t size) { return costs.moving(size); };
  double movingM = overPieces(shape.m, plan.blockM, moving);
  double movingN = overPieces(shape.n, plan.blockN, moving);
  double transposing = overPieces(shape.m, plan.blockM, [&](int64_t rows) {
    return costs.transposing(rows);
  });
  double tilesM = costs.tiles(shape.m), tilesK = costs.tiles(shape.k);
  double tilesR = costs.tiles(shape.r), tilesN = costs.tiles(shape.n);

  double transposeX = shape.inputTransposed ? 0 : tilesK * transposing;
  double output = shape.outputTransposed ? tilesN * movingM : tilesM * movingN;
  double columns = llvm::divideCeilSigned(shape.n, plan.blockN);
  if (shape.isSingle())
    return transposeX * (plan.rereadX ? columns : 1) + tilesK * output;

  double stageOne = tilesK * tilesR * movingM;
  if (task.isExplicit())
    stageOne = tilesK * tilesM * overPieces(shape.r, plan.blockR, moving) +
               tilesR * transposing;
  return (transposeX + stageOne) * (task.isRecompute() ? columns : 1) +
         tilesR * output;
}

/// One for each contiguous piece of HBM that a partition row comes from.
static double descriptors(const PlanningTask &task, const BlockPlan &plan) {
  const ChainShape &shape = task.shape;
  double strips = llvm::divideCeilSigned(shape.m, plan.blockM);
  double columns = llvm::divideCeilSigned(shape.n, plan.blockN);
  double repeatX = task.isRecompute() || plan.rereadX ? columns : 1;
  auto one = [](int64_t) { return 1.0; };

  double x = shape.inputTransposed
                 ? shape.k * strips
                 : shape.m * overBlocks(shape.k, plan.blockK, plan.blockX, one);
  double o = shape.outputTransposed ? shape.n * strips : shape.m * columns;
  if (shape.isSingle())
    return x * repeatX + strips * shape.k * columns + o;

  double u =
      strips * shape.k * double(llvm::divideCeilSigned(shape.r, plan.blockR));
  double v = strips * shape.r * columns;
  double kBlocks = llvm::divideCeilSigned(shape.k, plan.blockK);
  double pieces =
      overBlocks(shape.m, plan.blockM, task.machine.movingFreeMax, one);
  double spills = double(shape.r - plan.residentRank) *
                  ((2 * kBlocks - 1) * strips + columns * pieces);
  return (x + u) * repeatX + v + o + spills;
}

static void countTraffic(const PlanningTask &task, BlockPlan &plan) {
  const ChainShape &shape = task.shape;
  int64_t bytes = byteSize(shape.type);
  int64_t strips = llvm::divideCeilSigned(shape.m, plan.blockM);
  int64_t columns = llvm::divideCeilSigned(shape.n, plan.blockN);
  int64_t kBlocks = llvm::divideCeilSigned(shape.k, plan.blockK);
  int64_t repeatX = task.isRecompute() || plan.rereadX ? columns : 1;
  int64_t spilled = shape.r - plan.residentRank;

  Bytes save, reload, read, write;
  save.add({bytes, shape.m, spilled, kBlocks});
  reload.add({bytes, shape.m, spilled, kBlocks - 1});
  reload.add({bytes, shape.m, spilled, columns});
  read.add({bytes, shape.m, shape.k, repeatX});
  if (shape.isSingle()) {
    read.add({bytes, strips, shape.k, shape.n});
  } else {
    read.add({bytes, strips, shape.k, shape.r, repeatX});
    read.add({bytes, strips, shape.r, shape.n});
  }
  read.add({reload.get()});
  write.add({bytes, shape.m, shape.n});
  write.add({save.get()});

  plan.spillSaveBytes = save.get();
  plan.spillReloadBytes = reload.get();
  plan.hbmReadBytes = read.get();
  plan.hbmWriteBytes = write.get();
}

void mlir::trn::modelCost(const PlanningTask &task, BlockPlan &plan) {
  const BlockCosts costs(task);
  countTraffic(task, plan);
  plan.tensorNs = costs.tensorNs(tensorColumns(task, plan));
  plan.dmaNs =
      costs.dmaNs(double(plan.hbmReadBytes) + double(plan.hbmWriteBytes),
                  descriptors(task, plan));
  plan.latencyNs = estimateLatencyNs(task, plan);
}
