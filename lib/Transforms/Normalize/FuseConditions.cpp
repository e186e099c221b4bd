//===- FuseConditions.cpp - Elementwise ops that need each other ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Frontends write an op for each step of a softplus
//
//   %large = linalg.generic { arith.cmpf ogt }     tensor<...xi1>
//   %power = linalg.generic { math.exp }
//   %log = linalg.generic { math.log1p }
//   %o = linalg.generic ins(%large, %x, %log) { arith.select }
//
// of which kernels have neither conditions as tensors nor log1p.

#include "NormalizeSteps.h"
#include "RewriteOps.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether `op` has `log1p` in its body.
static bool hasLog1p(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  return generic && !generic.getBody()->getOps<math::Log1pOp>().empty();
}

/// Whether what the op of `operand` computes needs that of the op in front.
static bool needsEachOther(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  return getElementTypeOrSelf(operand->get()).isInteger(1) ||
         getElementTypeOrSelf(operand->getOwner()->getResult(0)).isInteger(1) ||
         hasLog1p(operand->getOwner()) || hasLog1p(producer);
}

void mlir::trn::fuseConditions(func::FuncOp func,
                               ArrayRef<Operation *> consumers) {
  if (llvm::none_of(consumers, hasLog1p))
    return;
  RewritePatternSet patterns(func.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, needsEachOther);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
      .enableConstantCSE(false);
  (void)rewriteOps(func, consumers, std::move(patterns), config);
}
