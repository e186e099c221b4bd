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

namespace mlir::trn {

/// The life of one on-chip buffer. Program points number the ops of a kernel in
/// order; an op with a region (a loop) has one point before it and one after.
struct BufferLife {
  AllocOp alloc;
  /// The last user in the block of the alloc, possibly a loop around the use;
  /// the alloc itself if there is none.
  Operation *lastUse;
  /// Ops that access the buffer, through views or not, in no particular order.
  SmallVector<Operation *> users;
  /// One execution, from the alloc to behind the last use: `begin <= p < end`.
  int64_t begin, end;
  /// All executions: the innermost loop around the alloc.
  int64_t loopBegin, loopEnd;
  /// Loops around the alloc.
  int64_t loopDepth = 0;
  /// How often the alloc is executed in one run of the kernel.
  int64_t executions = 1;

  MemorySpace getSpace() const;
  /// What the placement solvers see if the buffer had this many slots. Slots
  /// rotate, so several are live during the whole loop.
  placement::Buffer withSlots(int64_t slots) const;
};

/// The lives of all on-chip buffers of `kernel`, in program order. Emits an
/// error for a buffer that flows through something other than a view.
FailureOr<SmallVector<BufferLife>> computeBufferLives(func::FuncOp kernel);

/// Those of `lives` that are in `space`.
SmallVector<BufferLife> livesIn(ArrayRef<BufferLife> lives, MemorySpace space);

/// The placement of buffers that share `space`, with the slots and addresses
/// that they have already.
placement::Problem describePlacement(ArrayRef<BufferLife> lives,
                                     MemorySpace space, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_BUFFERLIFE_H
