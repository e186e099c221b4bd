//===- BlockCosts.h - What one block costs ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Columns and rows are counted in floating point, because a plan for an absurd
// shape must be comparable, not exact.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_BLOCKCOSTS_H
#define TRN_LIB_PLANNING_BLOCKCOSTS_H

#include "trn/Machine/Machine.h"
#include "trn/Machine/Work.h"
#include "trn/Planning/BlockModel.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::trn {

/// Sum of `cost(piece)` over the pieces that `length` falls into.
template <typename Cost>
double overPieces(int64_t length, int64_t piece, Cost cost) {
  double sum = 0;
  if (int64_t full = length / piece)
    sum += double(full) * cost(piece);
  if (int64_t tail = length % piece)
    sum += cost(tail);
  return sum;
}

/// Work of the tensor engine, in moving columns, and of DMA, in nanoseconds.
class BlockCosts {
public:
  explicit BlockCosts(const PlanningTask &task)
      : machine(task.machine), type(task.shape.type) {}

  double tiles(int64_t size) const {
    return double(llvm::divideCeilSigned(size, machine.partitions));
  }
  /// One pass over `size` moving columns.
  double moving(int64_t size) const {
    return overPieces(size, machine.movingFreeMax, [&](int64_t columns) {
      return double(matmulCycles(machine, type, columns));
    });
  }
  /// Transposing one tile's width of `rows` rows.
  double transposing(int64_t rows) const {
    return overPieces(rows, machine.partitions, [&](int64_t height) {
      return double(tensorTransposeCycles(machine, type, height));
    });
  }
  double tensorNs(double columns) const {
    return columns * machine.tensorNsPerColumn;
  }
  /// Copying a tile of `columns` from PSUM to SBUF on ScalarE.
  double evictionNs(int64_t columns) const {
    return overPieces(columns, machine.movingFreeMax, [&](int64_t size) {
      return double(activationCycles(machine, size) +
                    machine.scalarAccessCycles) /
             machine.scalarGHz;
    });
  }
  /// Moving `bytes` in so many contiguous rows.
  double dmaNs(double bytes, double rows) const {
    return machine.dmaEngineNs(bytes, rows) / double(machine.dmaEngines);
  }
  /// Moving a block of `rows` by `columns` elements.
  double blockNs(double rows, double columns) const {
    return dmaNs(rows * columns * byteSize(type), rows);
  }

private:
  const Machine &machine;
  ElementType type;
};

/// The time that the loops of `plan` take: in each of them the slower of tensor
/// engine and DMA, and the first loads, which nothing overlaps with.
double estimateLatencyNs(const PlanningTask &task, const BlockPlan &plan);

} // namespace mlir::trn

#endif // TRN_LIB_PLANNING_BLOCKCOSTS_H
