//===- CutKernel.h - Make two kernels of one --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_OUTLINE_CUTKERNEL_H
#define TRN_TRANSFORMS_OUTLINE_CUTKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace mlir::trn {

/// Where a kernel, whose body is linalg on tensors, falls in two: behind what
/// computes `matrix`, which is all that the rest reads of it.
struct KernelCut {
  Value matrix;
  /// Its transpose is what one kernel hands over to the other.
  bool isTransposed = false;
};

/// All of them, in the order of the code.
SmallVector<KernelCut> findCuts(func::FuncOp kernel);

/// One of the kernels that stand for a whole one.
struct KernelPart {
  func::FuncOp kernel;
  /// Of its last product, whichever kernel stands for it.
  Location loc;
  /// By argument: the one of the whole kernel, or, counted on from its last
  /// one, a matrix that one part hands over to another.
  SmallVector<unsigned> arguments;
};

/// What computes the matrix, and what reads it: private kernels, which are in
/// no module yet.
std::pair<KernelPart, KernelPart> cutKernel(func::FuncOp kernel,
                                            const KernelCut &cut);

/// Cuts `kernel` wherever it can be cut, and lets the parts hand over matrices
/// transposed if `isTransposed`. A kernel that cannot be cut is its only part.
SmallVector<KernelPart> cutEverywhere(func::FuncOp kernel, bool isTransposed);

/// Whether `kernel` is private and nothing but calls refers to it, so that
/// others may stand for it.
bool isOnlyCalled(func::FuncOp kernel);

/// Whether the bodies of two kernels are the same, but for where they are from.
bool areEqual(func::FuncOp kernel, func::FuncOp other);

/// Calls `parts` with the `operands` of the whole kernel; matrices between them
/// lie in HBM.
void emitCalls(OpBuilder &builder, Location loc, ArrayRef<KernelPart> parts,
               ValueRange operands);

/// Replaces each call of `kernel` by calls of `parts`.
void replaceCalls(func::FuncOp kernel, ArrayRef<KernelPart> parts);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_OUTLINE_CUTKERNEL_H
