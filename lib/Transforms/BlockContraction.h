//===- BlockContraction.h - Block contractions in SBUF ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_BLOCKCONTRACTION_H
#define TRN_LIB_TRANSFORMS_BLOCKCONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::trn {

/// Replaces product stages that share an operand (the parts of Y) by stages
/// over blocks of `size` of the contraction, in one loop; their sums so far are
/// kept in the type `partials`:
///
///   %p = U[0:BK]^T * %xt[0:BK];  for k0: %p += U[k0]^T * %xt[k0];  %yt = %p
void blockContraction(IRRewriter &rewriter, ArrayRef<linalg::LinalgOp> stages,
                      int64_t size, Type partials);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_BLOCKCONTRACTION_H
