//===- ReduceDims.h - Reductions of any dimensions --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_REDUCEDIMS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_REDUCEDIMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// With fewer rows, most partitions would idle.
constexpr int64_t fewRows = 32;

/// Whether `op` is a static reduction whose operands lie as its loops run.
bool isPlainReduction(linalg::GenericOp op);

/// Lets each reduction of `func` reduce one dimension; whether any did not.
bool reduceOneDim(func::FuncOp func);

/// Reductions of a dimension that is not the last one become functions of a few
/// slices, or sums products with ones; whether any did.
bool rewriteOuterReductions(func::FuncOp func);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_REDUCEDIMS_H
