//===- DropUnits.cpp - Dimensions of one index behind a linalg op ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalizeSteps.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

/// The dimensions of one index that `expand` gives to what a linalg op
/// computes.
static SmallVector<int64_t> findAddedUnits(tensor::ExpandShapeOp expand) {
  SmallVector<int64_t> units;
  if (!expand || !expand.getSrc().getDefiningOp<linalg::LinalgOp>())
    return units;
  ArrayRef<int64_t> shape = expand.getResultType().getShape();
  auto isUnit = [&](int64_t dim) { return shape[dim] == 1; };
  for (const ReassociationIndices &group : expand.getReassociationIndices()) {
    bool keepsLast = llvm::all_of(group, isUnit);
    llvm::copy_if(ArrayRef(group).drop_back(keepsLast),
                  std::back_inserter(units), isUnit);
  }
  return units;
}

namespace {
struct DropUnits final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
        !op.isAllParallelLoops())
      return failure();
    SmallVector<unsigned> loops = findUnits(op);
    if (loops.empty())
      return failure();
    linalg::ControlDropUnitDims control;
    control.controlFn = [&](Operation *) { return loops; };
    auto dropped = linalg::dropUnitDims(rewriter, op, control);
    if (failed(dropped))
      return failure();
    rewriter.replaceOp(op, dropped->replacements);
    return success();
  }

private:
  /// The loops over dimensions that an operand of `op` has been given.
  static SmallVector<unsigned> findUnits(linalg::GenericOp op) {
    llvm::SmallSetVector<unsigned, 4> loops;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (!map.isProjectedPermutation())
        continue;
      for (int64_t dim : findAddedUnits(
               operand->get().getDefiningOp<tensor::ExpandShapeOp>()))
        loops.insert(map.getDimPosition(dim));
    }
    return loops.takeVector();
  }
};

/// Heads of a batch of one are transposed as those without a batch.
struct DropTransposedUnits final : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
    SmallVector<int64_t> units =
        findAddedUnits(op.getInput().getDefiningOp<tensor::ExpandShapeOp>());
    if (!op.hasPureTensorSemantics() || !type.hasStaticShape() || units.empty())
      return failure();
    SmallVector<int64_t> kept, shape, permutation;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (!llvm::is_contained(units, dim)) {
        kept.push_back(dim);
        shape.push_back(size);
      }
    for (int64_t dim : op.getPermutation())
      if (const auto *it = llvm::find(kept, dim); it != kept.end())
        permutation.push_back(it - kept.begin());
    Location loc = op.getLoc();
    Value source =
        trn::reshape(rewriter, loc, op.getInput(), type.clone(shape));
    Value moved = trn::emitTranspose(rewriter, loc, source, permutation);
    rewriter.replaceOp(
        op, trn::reshape(rewriter, loc, moved,
                         cast<RankedTensorType>(op->getResult(0).getType())));
    return success();
  }
};
} // namespace

void mlir::trn::populateDropUnitPatterns(RewritePatternSet &patterns) {
  patterns.add<DropTransposedUnits, DropUnits>(patterns.getContext());
}
