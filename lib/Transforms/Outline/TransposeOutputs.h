//===- TransposeOutputs.h - Return transposes of products -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_TRANSPOSEOUTPUTS_H
#define TRN_LIB_TRANSFORMS_OUTLINE_TRANSPOSEOUTPUTS_H

#include "trn/Transforms/Normalize/ProductMatcher.h"

namespace mlir::trn {

/// Lets `func` return the transposes of those of `products` that it returns.
void transposeOutputs(func::FuncOp func, Products &products);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_TRANSPOSEOUTPUTS_H
