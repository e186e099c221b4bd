//===- BufferizeKernels.cpp - Bufferise kernels ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Runs the bufferisation of One-Shot Bufferize inside each kernel, but not its
// analysis. The tiling passes wrote every copy between memories as an op of its
// own and gave each tensor its memory; every other op updates its destination,
// which nothing else reads, in place. The analysis would see conflicts in the
// nested slices of remainders and insert copies through SBUF that nobody
// planned.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::trn {
#define GEN_PASS_DEF_BUFFERIZEKERNELS
#include "trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

static LogicalResult bufferize(func::FuncOp kernel) {
  bufferization::BufferizationOptions options;
  bufferization::BufferizationState state;
  if (failed(bufferization::bufferizeOp(kernel, options, state)))
    return failure();
  // Loops still carry the buffers that they updated in place, and each part
  // that was written in place is copied onto itself.
  MLIRContext *context = kernel.getContext();
  IRRewriter rewriter(context);
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  RewritePatternSet patterns(context);
  scf::ForOp::getCanonicalizationPatterns(patterns, context);
  memref::CopyOp::getCanonicalizationPatterns(patterns, context);
  memref::SubViewOp::getCanonicalizationPatterns(patterns, context);
  memref::CastOp::getCanonicalizationPatterns(patterns, context);
  return applyPatternsGreedily(kernel, std::move(patterns));
}

namespace {
struct BufferizeKernelsPass final
    : trn::impl::BufferizeKernelsBase<BufferizeKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (isKernel(kernel) && !collectStages(kernel).empty() &&
        failed(bufferize(kernel)))
      signalPassFailure();
  }
};
} // namespace
