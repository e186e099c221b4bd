//===- RegroupRows.cpp - The same rows in other dimensions ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Scores of grouped heads come out of their product as [kv, group * row, key],
// and a softmax takes them as [head, row, key]. What it does to a row does not
// depend on how rows are grouped, so that no reshape is needed:
//
//   %s = linalg.generic (product)          [2, 256, 128]
//   %t = tensor.expand_shape, collapse     [4, 128, 128]
//   %m = linalg.generic (maximum) %t       [4, 128]
//
// becomes the maximum of [2, 256, 128], and a reshape behind it.

#include "NormalizeSteps.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// What of the loops of an op, of which the last one runs over columns, an
/// operand has.
enum class Part { Rows, RowsAndColumns, Columns, None };

struct RegroupRows final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override;
};

/// A transposition of what a linalg op computes comes before its reshape.
struct TransposeBeforeReshape final : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

static std::optional<Part> partOf(AffineMap map) {
  unsigned rows = map.getNumDims() - 1;
  auto isRange = [&](unsigned first, unsigned end) {
    return map.getNumResults() == end - first &&
           llvm::all_of(llvm::enumerate(map.getResults()), [&](auto result) {
             auto loop = dyn_cast<AffineDimExpr>(result.value());
             return loop && loop.getPosition() == first + result.index();
           });
  };
  return isRange(0, rows + 1)       ? std::optional(Part::RowsAndColumns)
         : isRange(0, rows)         ? std::optional(Part::Rows)
         : isRange(rows, rows + 1)  ? std::optional(Part::Columns)
         : map.getNumResults() == 0 ? std::optional(Part::None)
                                    : std::nullopt;
}

static ArrayRef<int64_t> rowsOf(Value tensor, Part part) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor.getType()).getShape();
  return part == Part::RowsAndColumns ? shape.drop_back() : shape;
}

/// What a linalg op, or one that will be one, computes that `tensor` has the
/// elements of.
static Value skipReshapes(Value tensor) {
  while (isReshape(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  Operation *op = tensor.getDefiningOp();
  bool isComputed = op && !isa<linalg::FillOp>(op) &&
                    (isa<linalg::LinalgOp>(op) || isElementwise(op));
  return isComputed ? tensor : Value();
}

/// The dimensions of the rows of all that `op` reads of linalg ops, before they
/// were reshaped; none if these differ, or are those of `op`.
static std::optional<SmallVector<int64_t>> findRows(linalg::GenericOp op,
                                                    ArrayRef<Part> parts) {
  std::optional<SmallVector<int64_t>> rows;
  for (auto [operand, part] : llvm::zip(op.getDpsInputs(), parts)) {
    if (part != Part::Rows && part != Part::RowsAndColumns)
      continue;
    Value source = skipReshapes(operand);
    if (!source)
      continue;
    auto type = dyn_cast<RankedTensorType>(source.getType());
    if (!type || !type.hasStaticShape() || type.getRank() == 0)
      return std::nullopt;
    bool hasColumns = part == Part::RowsAndColumns;
    if (hasColumns && type.getShape().back() !=
                          cast<ShapedType>(operand.getType()).getShape().back())
      return std::nullopt;
    SmallVector<int64_t> own(rowsOf(source, part));
    // A row has the dimension of one row wherever it is reduced.
    if (own.empty() || (rows && *rows != own))
      return std::nullopt;
    rows = own;
  }
  auto [result, part] = std::pair(op.getDpsInits()[0], parts.back());
  return rows && ArrayRef(*rows) != rowsOf(result, part) ? rows : std::nullopt;
}

LogicalResult RegroupRows::matchAndRewrite(linalg::GenericOp op,
                                           PatternRewriter &rewriter) const {
  bool reduces = isReduction(op);
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.hasIndexSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumLoops() < 2 || (!op.isAllParallelLoops() && !reduces) ||
      !llvm::all_of(
          ArrayRef(op.getIteratorTypesArray()).drop_back(),
          [](auto type) { return type == utils::IteratorType::parallel; }))
    return failure();
  SmallVector<Part> parts;
  for (AffineMap map : op.getIndexingMapsArray())
    if (std::optional<Part> part = partOf(map))
      parts.push_back(*part);
    else
      return failure();
  if (parts.back() != (reduces ? Part::Rows : Part::RowsAndColumns))
    return failure();
  auto rows = findRows(op, parts);
  if (!rows)
    return failure();
  unsigned loops = rows->size() + 1;
  auto regroup = [&](Value tensor, Part part) -> Value {
    if (part != Part::Rows && part != Part::RowsAndColumns)
      return tensor;
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<int64_t> shape(*rows);
    if (part == Part::RowsAndColumns)
      shape.push_back(type.getShape().back());
    return reshapeInit(rewriter, tensor, type.clone(shape));
  };
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  AffineMap identity = rewriter.getMultiDimIdentityMap(loops);
  for (auto [operand, part] : llvm::zip_equal(op->getOperands(), parts)) {
    operands.push_back(regroup(operand, part));
    maps.push_back(part == Part::RowsAndColumns ? identity
                   : part == Part::Rows ? identity.getMajorSubMap(loops - 1)
                   : part == Part::Columns
                       ? identity.getMinorSubMap(1)
                       : AffineMap::get(loops, 0, getContext()));
  }
  SmallVector<utils::IteratorType> iterators(loops,
                                             utils::IteratorType::parallel);
  iterators.back() = op.getIteratorTypesArray().back();
  auto regrouped = linalg::GenericOp::create(
      rewriter, op.getLoc(), operands.back().getType(),
      ArrayRef(operands).drop_back(), operands.back(), maps, iterators);
  rewriter.inlineRegionBefore(op.getRegion(), regrouped.getRegion(),
                              regrouped.getRegion().begin());
  rewriter.replaceOp(
      op, reshape(rewriter, op.getLoc(), regrouped.getResult(0),
                  cast<RankedTensorType>(op.getResult(0).getType())));
  return success();
}

/// The dimensions of `from` in the order in which a transposition of its
/// reshape to `to` has them; none if it moves parts of one.
static std::optional<SmallVector<int64_t>>
permutationOf(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
              ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> common, order;
  SmallVector<ReassociationIndices> fromGroups, toGroups;
  findCommonShape(from, to, common, fromGroups, toGroups);
  SmallVector<int64_t> dims = llvm::to_vector(llvm::make_filter_range(
      permutation, [&](int64_t dim) { return to[dim] != 1; }));
  SmallVector<bool> isDone(common.size());
  for (size_t i = 0; i < dims.size();) {
    auto *group = llvm::find_if(toGroups, [&](const auto &own) {
      return llvm::is_contained(own, dims[i]);
    });
    for (int64_t dim : *group)
      if (to[dim] != 1 && (i == dims.size() || dims[i++] != dim))
        return std::nullopt;
    size_t number = group - toGroups.begin();
    llvm::append_range(order, fromGroups[number]);
    isDone[number] = true;
  }
  for (auto [done, group] : llvm::zip_equal(isDone, fromGroups))
    if (!done)
      llvm::append_range(order, group);
  return order;
}

LogicalResult
TransposeBeforeReshape::matchAndRewrite(linalg::TransposeOp op,
                                        PatternRewriter &rewriter) const {
  Value source = skipReshapes(op.getInput());
  auto type = source ? dyn_cast<RankedTensorType>(source.getType())
                     : RankedTensorType();
  if (!type || source == op.getInput() || !op.hasPureTensorSemantics() ||
      op.hasDynamicShape() || !type.hasStaticShape() ||
      type.getNumElements() == 0)
    return failure();
  auto order = permutationOf(
      type.getShape(), op.getInput().getType().getShape(), op.getPermutation());
  if (!order)
    return failure();
  Value transposed = emitTranspose(rewriter, op.getLoc(), source, *order);
  rewriter.replaceOp(
      op, reshape(rewriter, op.getLoc(), transposed,
                  cast<RankedTensorType>(op->getResult(0).getType())));
  return success();
}

bool mlir::trn::takesReshapeApart(linalg::TransposeOp op) {
  Value source = skipReshapes(op.getInput());
  auto type = source ? dyn_cast<RankedTensorType>(source.getType())
                     : RankedTensorType();
  return type && type.hasStaticShape() && !op.hasDynamicShape() &&
         source != op.getInput() &&
         !permutationOf(type.getShape(), op.getInput().getType().getShape(),
                        op.getPermutation());
}

void mlir::trn::populateRegroupRowsPatterns(RewritePatternSet &patterns) {
  patterns.add<RegroupRows, TransposeBeforeReshape>(patterns.getContext());
}
