//===- SpillRank.h - Keep a part of Y in HBM --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_SPILLRANK_H
#define TRN_LIB_TRANSFORMS_SPILLRANK_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::trn {

/// Splits the contraction of the product behind `last` at `resident`, and what
/// its stationary or moving operand Y holds with it: the second part of Y gets
/// a scratch buffer in HBM.
///
///   %ya = U[:, 0:res]^T * %xt;  %yb = U[:, res:]^T * %xt
///   %o = %ya^T * V[0:res] + %yb^T * V[res:]
void spillRank(IRRewriter &rewriter, linalg::LinalgOp last, int64_t resident);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_SPILLRANK_H
