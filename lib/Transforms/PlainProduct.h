//===- PlainProduct.h - Products of two matrices ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PLAINPRODUCT_H
#define TRN_LIB_TRANSFORMS_PLAINPRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// Rewrites `op`, a static product, as one of two matrices, or of batches of
/// them:
///
///   %o = linalg.contract (b, m, k) * (k, n) -> (b, m, n)
///
/// becomes, since neighbours that are only rows count as one dimension,
///
///   %x2 = tensor.collapse_shape %x [[0, 1], [2]]
///   %o2 = linalg.generic (m, k) * (k, n) -> (m, n)
///   %o = tensor.expand_shape %o2 [[0, 1], [2]]
///
/// Where they are no neighbours a transposition makes them ones, which a remark
/// says. So it does where a batch is the innermost dimension of a matrix; all
/// others stay where they are. Returns false if `op` is in this form already.
bool makePlain(RewriterBase &rewriter, linalg::LinalgOp op);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PLAINPRODUCT_H
