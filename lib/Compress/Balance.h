//===- Balance.h - Factors whose sides have the same norms ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_BALANCE_H
#define TRN_LIB_COMPRESS_BALANCE_H

#include "Algebra.h"
#include "trn/Compress/Factor.h"

namespace mlir::trn {

/// Of U^T [rank, in] and V [rank, out], with the error of `weight` [out, in]:
/// no number leaves the range of a narrow type on one side only.
Factors balance(Matrix first, Matrix second, Matrix weight, int64_t out,
                int64_t in);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_BALANCE_H
