//===- CutKernel.h - Split kernels ------------------------------*- C++ -*-===//
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

/// A place to split a kernel, whose body is linalg on tensors: after the
/// computation of `matrix`. The rest must need nothing else from before.
struct KernelCut {
  Value matrix;
  /// The first kernel hands over the transpose of the matrix.
  bool isTransposed = false;
};

/// All places, in the order of the code.
SmallVector<KernelCut> findCuts(func::FuncOp kernel);

/// One of the kernels that replace a whole one.
struct KernelPart {
  func::FuncOp kernel;
  /// Location of the last product of the whole kernel.
  Location loc;
  /// By argument: the argument of the whole kernel or, numbered after these, a
  /// matrix between parts.
  SmallVector<unsigned> arguments;
};

/// Splits into private kernels outside any module: one computes the matrix, the
/// other reads it.
std::pair<KernelPart, KernelPart> cutKernel(func::FuncOp kernel,
                                            const KernelCut &cut);

/// Splits `kernel` wherever possible. Parts hand over transposed matrices if
/// `isTransposed`. A kernel that cannot be split is its only part.
SmallVector<KernelPart> cutEverywhere(func::FuncOp kernel, bool isTransposed);

/// Whether `kernel` is private and only called, so that others may replace it.
bool isOnlyCalled(func::FuncOp kernel);

/// Whether two kernels have the same body, apart from locations.
bool areEqual(func::FuncOp kernel, func::FuncOp other);

/// Calls `parts` with the `operands` of the whole kernel; matrices between them
/// are in HBM.
void emitCalls(OpBuilder &builder, Location loc, ArrayRef<KernelPart> parts,
               ValueRange operands);

/// Replaces each call of `kernel` by calls of `parts`.
void replaceCalls(func::FuncOp kernel, ArrayRef<KernelPart> parts);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_OUTLINE_CUTKERNEL_H
