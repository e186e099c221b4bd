//===- BlockModel.h - What a block plan needs and costs ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Footprint, traffic and time of the loops that a plan stands for, without
// building them. docs/Planning.md shows the loops.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_BLOCKMODEL_H
#define TRN_PLANNING_BLOCKMODEL_H

#include "trn/Planning/BlockPlan.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::trn {

/// What is planned: a chain, how it is to be lowered, and for which machine.
struct PlanningTask {
  const ChainShape &shape;
  Strategy strategy;
  TransposeMode transpose;
  const Machine &machine;

  bool isRecompute() const {
    return !shape.isSingle() && strategy == Strategy::Recompute;
  }
  /// Y is computed as [m, r] and transposed by the tensor engine.
  bool isExplicit() const {
    return !shape.isSingle() && transpose == TransposeMode::Explicit;
  }
};

/// The phases of one strip, in program order: buffers of different phases may
/// share memory.
/// `FinishY` rounds partial sums and transposes, where that is due.
enum class Phase : uint8_t { LoadX, StageOne, FinishY, StageTwo };

/// One buffer of the plan. The partition holds every 128th row.
struct PlannedBuffer {
  llvm::StringLiteral name;
  int64_t rows, columns, elementBytes, slots;
  Phase first, last; // live from the begin of one to the end of the other

  /// Of one slot, in a partition.
  int64_t bytes(const Machine &machine) const;
};

using PlannedBuffers = llvm::SmallVector<PlannedBuffer, 10>;

/// The SBUF buffers of `plan`.
PlannedBuffers plannedBuffers(const PlanningTask &task, const BlockPlan &plan);

/// The largest sum of live buffers: no placement needs less.
int64_t peakPartitionBytes(llvm::ArrayRef<PlannedBuffer> buffers,
                           const Machine &machine);

/// What placement makes of the buffers, or none if they do not fit SBUF.
std::optional<int64_t>
placedPartitionBytes(llvm::ArrayRef<PlannedBuffer> buffers,
                     const Machine &machine);

/// Writes the modelled times and the traffic into `plan`. Without spills the
/// traffic of a strip cache is that of the design formula,
/// s * (m*k + m*n + ceil(m/blockM) * (k*r + r*n)).
void modelCost(const PlanningTask &task, BlockPlan &plan);

} // namespace mlir::trn

#endif // TRN_PLANNING_BLOCKMODEL_H
