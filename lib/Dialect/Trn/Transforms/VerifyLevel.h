//===- VerifyLevel.h - The levels, one by one -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_DIALECT_TRN_TRANSFORMS_VERIFYLEVEL_H
#define TRN_LIB_DIALECT_TRN_TRANSFORMS_VERIFYLEVEL_H

#include "trn/Analysis/BufferLife.h"
#include "trn/Machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// Fails where an op of a kernel is no trn op, view, loop or index arithmetic,
/// or breaks a rule of `machine`.
LogicalResult verifyVirtualLevel(func::FuncOp kernel, const Machine &machine);

/// Fails where a kernel, whose ops are legal at the virtual level, breaks a
/// rule of the placed one: addresses and engines, then the program as a whole.
LogicalResult verifyPlacedLevel(func::FuncOp kernel, const Machine &machine);

/// placed_c6: fails where two buffers that are live together, and have their
/// addresses, overlap.
LogicalResult verifyNoOverlap(const KernelLives &lives, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_LIB_DIALECT_TRN_TRANSFORMS_VERIFYLEVEL_H
