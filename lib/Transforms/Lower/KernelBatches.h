//===- KernelBatches.h - What a kernel runs over ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_LOWER_KERNELBATCHES_H
#define TRN_LIB_TRANSFORMS_LOWER_KERNELBATCHES_H

#include "trn/Analysis/Dimensions.h"

namespace mlir::trn {

/// One dimension of each batch of `kernel`: what products multiply for each
/// index, and what lies outside of rows that are reduced or, where there is
/// nothing else, computed element by element.
SmallVector<Dimension> findBatches(func::FuncOp kernel,
                                   const Dimensions &dimensions);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_LOWER_KERNELBATCHES_H
