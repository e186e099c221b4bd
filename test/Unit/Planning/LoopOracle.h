//===- LoopOracle.h - The loops of a plan, walked through -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the loops of docs/Planning.md block by block and counts what moves and
// what is multiplied. Slow and simple on purpose: the model must agree.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_PLANNING_LOOPORACLE_H
#define TRN_TEST_UNIT_PLANNING_LOOPORACLE_H

#include "trn/Machine/Machine.h"
#include "trn/Planning/BlockModel.h"

namespace mlir::trn {

class LoopOracle {
public:
  LoopOracle(const PlanningTask &task, const BlockPlan &plan)
      : task(task), shape(task.shape), plan(plan) {
    forBlocks(shape.m, plan.blockM, [&](int64_t rows) {
      if (shape.isSingle())
        singleStrip(rows);
      else if (task.isRecompute())
        forBlocks(shape.n, plan.blockN, [&](int64_t columns) {
          stageOne(rows);
          outputBlock(rows, columns, shape.r);
        });
      else
        strip(rows);
    });
  }

  int64_t readBytes = 0, writeBytes = 0;
  double tensorNs() const { return columns * task.machine.tensorNsPerColumn; }
  double dmaNs() const {
    return task.machine.dmaEngineNs(readBytes + writeBytes, descriptors) /
           task.machine.dmaEngines;
  }

private:
  template <typename Body>
  void forBlocks(int64_t size, int64_t block, Body body) {
    for (int64_t start = 0; start < size; start += block)
      body(std::min(block, size - start));
  }
  void load(int64_t rows, int64_t width) {
    readBytes += rows * width * byteSize(shape.type);
    descriptors += rows;
  }
  void store(int64_t rows, int64_t width) {
    writeBytes += rows * width * byteSize(shape.type);
    descriptors += rows;
  }
  void multiply(int64_t contraction, int64_t stationary, int64_t moving) {
    int64_t passes = shape.type == ElementType::F32 ? 4 : 1;
    forBlocks(contraction, 128, [&](int64_t) {
      forBlocks(stationary, 128, [&](int64_t) {
        forBlocks(moving, 512, [&](int64_t width) {
          columns += passes * std::max<int64_t>(64, width);
        });
      });
    });
  }
  /// Of [rows, width] with `rows` in partitions.
  void transpose(int64_t rows, int64_t width) {
    int64_t passes = shape.type == ElementType::F32 ? 4 : 1;
    forBlocks(rows, 128, [&](int64_t height) {
      forBlocks(width, 128, [&](int64_t) {
        columns += passes * std::max<int64_t>(64, height);
      });
    });
  }
  void loadX(int64_t rows, int64_t depth) {
    if (shape.inputTransposed)
      return load(depth, rows);
    forBlocks(depth, plan.blockX, [&](int64_t width) { load(rows, width); });
    transpose(rows, depth);
  }
  void stageOne(int64_t rows) {
    bool first = true;
    forBlocks(shape.k, plan.blockK, [&](int64_t depth) {
      loadX(rows, depth);
      forBlocks(shape.r, plan.blockR, [&](int64_t rank) {
        load(depth, rank);
        if (task.isExplicit())
          multiply(depth, rows, rank);
        else
          multiply(depth, rank, rows);
      });
      if (!first)
        load(shape.r - plan.residentRank, rows);
      store(shape.r - plan.residentRank, rows);
      first = false;
    });
    if (task.isExplicit())
      transpose(rows, shape.r);
  }
  /// `depth` rows of V or W, and the block of O that they lead to.
  void outputBlock(int64_t rows, int64_t width, int64_t depth) {
    load(depth, width);
    if (plan.residentRank < shape.r)
      forBlocks(rows, 512, [&](int64_t piece) {
        load(shape.r - plan.residentRank, piece);
      });
    product(rows, width, depth);
    storeOutput(rows, width);
  }
  void product(int64_t rows, int64_t width, int64_t depth) {
    bool turned = shape.outputTransposed;
    multiply(depth, turned ? width : rows, turned ? rows : width);
  }
  void storeOutput(int64_t rows, int64_t width) {
    bool turned = shape.outputTransposed;
    store(turned ? width : rows, turned ? rows : width);
  }
  void strip(int64_t rows) {
    stageOne(rows);
    forBlocks(shape.n, plan.blockN,
              [&](int64_t width) { outputBlock(rows, width, shape.r); });
  }
  void singleStrip(int64_t rows) {
    if (!plan.rereadX)
      loadX(rows, shape.k);
    forBlocks(shape.n, plan.blockN, [&](int64_t width) {
      forBlocks(shape.k, plan.blockK, [&](int64_t depth) {
        if (plan.rereadX)
          loadX(rows, depth);
        load(depth, width);
        product(rows, width, depth);
      });
      storeOutput(rows, width);
    });
  }

  const PlanningTask &task;
  const ChainShape &shape;
  const BlockPlan &plan;
  double columns = 0, descriptors = 0;
};

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_PLANNING_LOOPORACLE_H
