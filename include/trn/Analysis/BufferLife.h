//===- BufferLife.h - When on-chip buffers are live -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_BUFFERLIFE_H
#define TRN_ANALYSIS_BUFFERLIFE_H

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/Machine.h"
#include "trn/Placement/Problem.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func
namespace mlir::scf {
class ForOp;
} // namespace mlir::scf

namespace mlir::trn {

/// Program points `begin <= p < end`. Points number the ops of a kernel in
/// order; an op with a region (a loop) has one before it and one after.
struct PointRange {
  int64_t begin;
  int64_t end;
  bool contains(int64_t point) const { return begin <= point && point < end; }
};

/// The life of one on-chip buffer.
struct BufferLife {
  AllocOp alloc;
  /// The last user in the block of the alloc, possibly a loop around the use;
  /// the alloc itself if there is none.
  Operation *lastUse;
  /// Ops that access the buffer, through views or not, in no particular order.
  SmallVector<Operation *> users;
  /// One execution, from the alloc to behind the last use.
  PointRange range;
  /// The loops around the alloc, innermost first.
  SmallVector<PointRange> loops;
  /// How often the alloc is executed in one run of the kernel.
  int64_t executions = 1;
  /// Share of what the tensor engine executes in the innermost loop while the
  /// buffer is not live: a transfer for the next iteration overlaps with that
  /// if the buffer has its place to itself.
  double restShare = 0;

  MemorySpace getSpace() const;
  /// Whether a DMA fills or drains the buffer.
  bool isTransferred() const;
  /// What the placement solvers see if the buffer had this many slots, and kept
  /// its place during whole iterations of that many loops around it. Slots
  /// rotate, so several need at least the innermost loop.
  placement::Buffer describe(int64_t slots, size_t keptLoops = 0) const;
};

/// How often the body of a loop is executed; a loop whose bounds are not
/// constant counts as often.
int64_t tripCount(scf::ForOp loop);

/// The lives of all on-chip buffers of `kernel`, in program order. Emits an
/// error for a buffer that flows through something other than a view.
FailureOr<SmallVector<BufferLife>> computeBufferLives(func::FuncOp kernel);

/// The points of each loop of `kernel`, its ends included.
DenseMap<Operation *, PointRange> computeLoopRanges(func::FuncOp kernel);

/// Those of `lives` that are in `space`.
SmallVector<BufferLife> livesIn(ArrayRef<BufferLife> lives, MemorySpace space);

/// The order in which buffers are served with extra memory: those of inner
/// loops first, for these wait most often, and among them the small ones, for
/// more of them fit. Only buffers in loops that are executed more than once.
SmallVector<size_t> byUrgency(ArrayRef<BufferLife> lives);

/// The placement of buffers that share `space`, with the slots and addresses
/// that they have already.
placement::Problem describePlacement(ArrayRef<BufferLife> lives,
                                     MemorySpace space, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_BUFFERLIFE_H
