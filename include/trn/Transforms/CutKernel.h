//===- CutKernel.h - Make two kernels of one --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_CUTKERNEL_H
#define TRN_TRANSFORMS_CUTKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace mlir::trn {

/// Where a kernel, whose body is linalg on tensors, falls in two: behind what
/// computes `matrix`, which is all that the rest reads of it.
struct KernelCut {
  Value matrix;
  /// Its transpose is what one kernel hands over to the other.
  bool isTurned = false;
};

/// All of them, in the order of the code.
SmallVector<KernelCut> findCuts(func::FuncOp kernel);

/// One of two kernels that stand for one.
struct KernelHalf {
  func::FuncOp kernel;
  /// Of its last product, whichever kernel stands for it.
  Location loc;
  /// By argument: the one of the whole kernel, or none for the matrix.
  SmallVector<std::optional<unsigned>> arguments;
};

/// What computes the matrix, and what reads it: private kernels, which are in
/// no module yet.
std::pair<KernelHalf, KernelHalf> cutKernel(func::FuncOp kernel,
                                            const KernelCut &cut);

/// Whether `kernel` is private and nothing but calls refers to it, so that
/// others may stand for it.
bool isOnlyCalled(func::FuncOp kernel);

/// Whether the bodies of two kernels are the same, but for where they are from.
bool areEqual(func::FuncOp kernel, func::FuncOp other);

/// Replaces each call of `kernel` by calls of both halves, between which the
/// matrix lies in HBM.
void replaceCalls(func::FuncOp kernel, KernelHalf first, KernelHalf second);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_CUTKERNEL_H
