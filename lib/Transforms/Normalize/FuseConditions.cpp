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
// of which kernels have no conditions as tensors. Beside its steps, its log1p
// is one function of the engines.

#include "NormalizeSteps.h"
#include "RewriteOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether `op` has `log1p` in its body.
static bool hasLog1p(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  return generic && !generic.getBody()->getOps<math::Log1pOp>().empty();
}

/// Whether `op` computes conditions of floats, or of such conditions.
static bool comparesFloats(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  return generic && generic.getNumDpsInits() == 1 &&
         getElementTypeOrSelf(generic.getResult(0)).isInteger(1) &&
         (!generic.getBody()->getOps<arith::CmpFOp>().empty() ||
          llvm::any_of(generic.getDpsInputs(), [](Value input) {
            return comparesFloats(input.getDefiningOp());
          }));
}

/// Whether `op` reads conditions that kernels can compute, as tensors.
static bool readsConditions(Operation *op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    return comparesFloats(operand.getDefiningOp());
  });
}

/// Whether what the op of `operand` computes needs that of the op in front.
static bool needsEachOther(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  return comparesFloats(producer) || hasLog1p(operand->getOwner()) ||
         hasLog1p(producer);
}

void mlir::trn::fuseConditions(func::FuncOp func,
                               ArrayRef<Operation *> consumers) {
  if (llvm::none_of(consumers, [](Operation *op) {
        return hasLog1p(op) || readsConditions(op);
      }))
    return;
  RewritePatternSet patterns(func.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, needsEachOther);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
      .enableConstantCSE(false);
  (void)rewriteOps(func, consumers, std::move(patterns), config);
}
