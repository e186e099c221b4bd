//===- Balance.h - What factors have of their product ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_BALANCE_H
#define TRN_LIB_COMPRESS_BALANCE_H

#include "Algebra.h"
#include "trn/Compress/Factors.h"

namespace mlir::trn {

struct Balanced {
  Factors factors; // with their weightError
  double square;   // of U V
  double shared;   // the product of U V and W
};

/// Of U^T [rank, in] and V [rank, out] for `weight` [out, in], whose product
/// has the squares of these singular values, the largest one first.
Balanced balance(std::vector<float> first, std::vector<float> second,
                 const Matrix &squares, SigmaSide side,
                 llvm::ArrayRef<float> weight, int64_t out, int64_t in,
                 Workers &workers);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_BALANCE_H
