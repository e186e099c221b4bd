//===- Angles.cpp - Angles of rotary embeddings ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Models of PyTorch multiply positions and frequencies as matrices
//
//   %angle = linalg.batch_matmul %position, %frequency   [1, 256, 1] [1, 1, 32]
//   %cos = linalg.generic { math.cos } %angle
//
// which sums nothing. No engine has sines and cosines, so the host computes
// these before all kernels; a kernel for the angles would come before that, and
// be a launch of its own.

#include "NormalizeSteps.h"
#include "OneSpelling.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether sines and cosines are all that is computed of `value`.
static bool isAngle(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [](Operation *user) {
           if (isReshape(user) || isa<tensor::ConcatOp>(user))
             return isAngle(user->getResult(0));
           if (isa<math::SinOp, math::CosOp>(user))
             return true;
           auto op = dyn_cast<linalg::LinalgOp>(user);
           if (!op || !op.isAllParallelLoops() || op->getNumResults() != 1)
             return false;
           Block *body = op.getBlock();
           return llvm::hasSingleElement(*body)
                      ? isAngle(op->getResult(0))
                      : isa<math::SinOp, math::CosOp>(body->front());
         });
}

void mlir::trn::multiplyAngles(linalg::LinalgOp product) {
  SmallVector<int64_t> loops = product.getStaticLoopRanges();
  AffineMap written =
      product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  OpBuilder builder(product);
  SmallVector<AffineExpr> own;
  unsigned rank = 0;
  for (auto [loop, size] : llvm::enumerate(loops)) {
    bool isSummed = !written.isFunctionOfDim(loop);
    if (isSummed && size != 1)
      return;
    own.push_back(isSummed ? builder.getAffineConstantExpr(0)
                           : builder.getAffineDimExpr(rank++));
  }
  Value result = product->getResult(0);
  if (!sumsProducts(product) || !isAngle(result) ||
      llvm::any_of(product.getDpsInputs(), [](Value factor) {
        return factor.getDefiningOp<linalg::LinalgOp>() &&
               isProductLike(factor.getDefiningOp<linalg::LinalgOp>());
      }))
    return;
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<AffineMap> maps;
  for (AffineMap map : product.getIndexingMapsArray())
    maps.push_back(map.replaceDimsAndSymbols(own, {}, rank, 0));
  Value empty = tensor::EmptyOp::create(builder, product.getLoc(),
                                        type.getShape(), type.getElementType());
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto angles = linalg::GenericOp::create(
      builder, product.getLoc(), type, product.getDpsInputs(), empty, maps,
      iterators, [&](OpBuilder &nested, Location loc, ValueRange values) {
        auto widen = [&](Value factor) {
          return convertScalarToDtype(nested, loc, factor,
                                      type.getElementType(),
                                      /*isUnsignedCast=*/false);
        };
        linalg::YieldOp::create(nested, loc,
                                arith::MulFOp::create(nested, loc,
                                                      widen(values[0]),
                                                      widen(values[1]))
                                    .getResult());
      });
  result.replaceAllUsesWith(angles.getResult(0));
  product->erase();
}
