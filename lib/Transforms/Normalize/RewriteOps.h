//===- RewriteOps.h - Patterns, up to a limit -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_REWRITEOPS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_REWRITEOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::trn {

/// Applies `patterns` to `ops` of `func` until none of them matches. Upstream's
/// driver limits the rewrites of regions only, and patterns that undo each
/// other have no end: this stops after a number of rewrites that grows with
/// `ops`, and says so in a remark. The IR is valid then, too.
LogicalResult rewriteOps(func::FuncOp func, ArrayRef<Operation *> ops,
                         RewritePatternSet patterns,
                         GreedyRewriteConfig config);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_REWRITEOPS_H
