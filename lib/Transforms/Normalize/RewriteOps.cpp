//===- RewriteOps.cpp - Patterns, up to a limit ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RewriteOps.h"

using namespace mlir;

// Patterns that end take a few rewrites an op: fewer in all modules of tests.
constexpr int64_t kRewritesPerOp = 16;

LogicalResult mlir::trn::rewriteOps(func::FuncOp func,
                                    ArrayRef<Operation *> ops,
                                    RewritePatternSet patterns,
                                    GreedyRewriteConfig config) {
  int64_t limit = kRewritesPerOp * (ops.size() + 1);
  config.setMaxNumRewrites(limit);
  if (succeeded(applyOpPatternsGreedily(ops, std::move(patterns), config)))
    return success();
  return func.emitRemark("rewriting stops after ")
         << limit << " rewrites of " << ops.size()
         << " ops, which is a fault of trn-mlir: products may stay on the host";
}
