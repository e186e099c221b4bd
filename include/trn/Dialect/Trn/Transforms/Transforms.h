//===- Transforms.h - Steps of the passes on trn ops ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_TRANSFORMS_TRANSFORMS_H
#define TRN_DIALECT_TRN_TRANSFORMS_TRANSFORMS_H

#include "trn/Analysis/BufferLife.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"

namespace mlir::trn {

/// Fails if `kernel` breaks a rule of `level` or of `machine`.
LogicalResult verifyKernel(func::FuncOp kernel, Level level,
                           const Machine &machine);

/// Fails if a function that is no kernel needs the core.
LogicalResult verifyHostCode(func::FuncOp function);

/// Frees each buffer that has no `trn.dealloc` right after its last use.
void insertDeallocs(MutableArrayRef<BufferLife> lives);

/// Explains why buffers that share `space` do not fit: an error at the largest
/// one live at the peak, and a note at each other one live there.
void reportOverflow(ArrayRef<BufferLife> lives, MemorySpace space,
                    const placement::Problem &problem, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_DIALECT_TRN_TRANSFORMS_TRANSFORMS_H
