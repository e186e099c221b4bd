//===- Rotations.cpp - Columns in another order, as products --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rotary embeddings swap the halves of a row, and negate one:
//
//   %r = tensor.concat dim(1) %negated, %first     (-x[32:], x[:32])
//
// On the core columns change places by a product with a matrix of zeros, ones
// and minus ones, which is exact: each sum has one term that is not zero.

#include "NormalizeSteps.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// Some columns of a tensor, negated or not.
struct Columns {
  Value source;
  int64_t first = 0, count = 0;
  bool isNegated = false;
};
} // namespace

static RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

/// What `value` is negated of, if it is.
static Value matchNegation(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::NegFOp>(op))
    return op->getOperand(0);
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      linalgOp.getNumDpsInputs() != 1 || linalgOp.getNumDpsInits() != 1 ||
      !linalgOp.isAllParallelLoops() ||
      !llvm::all_of(linalgOp.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return {};
  Block *body = linalgOp.getBlock();
  auto negation =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::NegFOp>();
  return negation && negation.getOperand() == body->getArgument(0)
             ? linalgOp.getDpsInputs()[0]
             : Value();
}

/// The range of the last dimension that a slice, of all there is otherwise,
/// has.
template <typename Slice>
static std::optional<std::pair<int64_t, int64_t>>
matchLastRange(Slice slice, RankedTensorType whole) {
  int64_t last = whole.getRank() - 1;
  if (slice.getStaticSizes().size() != size_t(last + 1) ||
      ShapedType::isDynamicShape(slice.getStaticSizes()) ||
      ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
      !llvm::all_of(slice.getStaticStrides(),
                    [](int64_t stride) { return stride == 1; }))
    return std::nullopt;
  for (int64_t dim = 0; dim < last; ++dim)
    if (slice.getStaticOffsets()[dim] != 0 ||
        slice.getStaticSizes()[dim] != whole.getDimSize(dim))
      return std::nullopt;
  return std::pair(slice.getStaticOffsets()[last],
                   slice.getStaticSizes()[last]);
}

static std::optional<Columns> matchColumns(Value value) {
  Columns columns;
  if (Value source = matchNegation(value)) {
    columns.isNegated = true;
    value = source;
  }
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || slice.getType().getRank() != slice.getSourceType().getRank())
    return std::nullopt;
  auto range = matchLastRange(slice, slice.getSourceType());
  if (!range)
    return std::nullopt;
  columns.source = slice.getSource();
  std::tie(columns.first, columns.count) = *range;
  return columns;
}

/// The pieces that `value` is put together of along its last dimension, with
/// where they begin; none if it is not.
static SmallVector<std::pair<Value, int64_t>> findPieces(Value value) {
  SmallVector<std::pair<Value, int64_t>> pieces;
  RankedTensorType type = typeOf(value);
  if (auto concat = value.getDefiningOp<tensor::ConcatOp>()) {
    if (int64_t(concat.getDim()) != type.getRank() - 1)
      return {};
    int64_t first = 0;
    for (Value input : concat.getInputs()) {
      pieces.emplace_back(input, first);
      first += typeOf(input).getShape().back();
    }
    return pieces;
  }
  int64_t columns = 0;
  while (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
    auto range = matchLastRange(insert, type);
    if (!range || insert.getSourceType().getRank() != type.getRank())
      return {};
    pieces.emplace_back(insert.getSource(), range->first);
    columns += range->second;
    value = insert.getDest();
  }
  bool isAll = value.getDefiningOp<tensor::EmptyOp>() &&
               columns == type.getShape().back();
  return isAll ? pieces : SmallVector<std::pair<Value, int64_t>>();
}

/// Zeros but for one or minus one where a column of the source goes.
static Value createRotation(OpBuilder &builder, Location loc, Type element,
                            int64_t rows, int64_t columns,
                            ArrayRef<std::pair<Columns, int64_t>> pieces) {
  const auto &semantics = cast<FloatType>(element).getFloatSemantics();
  SmallVector<APFloat> numbers(rows * columns, APFloat::getZero(semantics));
  for (const auto &[piece, first] : pieces)
    for (int64_t i = 0; i < piece.count; ++i) {
      APFloat one(semantics, 1);
      if (piece.isNegated)
        one.changeSign();
      numbers[(piece.first + i) * columns + first + i] = one;
    }
  auto type = RankedTensorType::get({rows, columns}, element);
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, numbers));
}

/// `source`, of any dimensions, times `matrix`, with its type.
static Value multiplyRows(OpBuilder &builder, Location loc, Value source,
                          Value matrix) {
  RankedTensorType type = typeOf(source);
  unsigned rows = type.getRank() - 1;
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = typeOf(matrix).getShape().back();
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> loops;
  for (unsigned loop = 0; loop < rows + 2; ++loop)
    loops.push_back(getAffineDimExpr(loop, context));
  AffineExpr column = loops[rows], summed = loops[rows + 1];
  auto map = [&](ArrayRef<AffineExpr> indices) {
    return AffineMap::get(rows + 2, 0, indices, context);
  };
  SmallVector<AffineExpr> left(loops.begin(), loops.begin() + rows), out = left;
  left.push_back(summed);
  out.push_back(column);
  SmallVector<utils::IteratorType> iterators(rows + 2,
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  Value zeros = emitZeros(builder, loc,
                          RankedTensorType::get(shape, builder.getF32Type()));
  Value sums = linalg::GenericOp::create(
                   builder, loc, zeros.getType(), ValueRange{source, matrix},
                   zeros, {map(left), map({summed, column}), map(out)},
                   iterators, buildProductBody)
                   .getResult(0);
  return emitRounding(builder, loc, sums, type.getElementType());
}

/// Whether another insertion, of what it is put together, goes on with `op`.
static bool isContinued(Operation *op) {
  return isa<tensor::InsertSliceOp>(op) && op->hasOneUse() &&
         isa<tensor::InsertSliceOp>(*op->user_begin()) &&
         cast<tensor::InsertSliceOp>(*op->user_begin()).getDest() ==
             op->getResult(0);
}

void mlir::trn::rewriteRotation(Operation *op) {
  if (op->getNumResults() != 1 || isContinued(op))
    return;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || type.getRank() < 2 ||
      type.getEncoding() || !getFloatElementType(type.getElementType()))
    return;
  SmallVector<std::pair<Columns, int64_t>> pieces;
  for (auto [value, first] : findPieces(op->getResult(0))) {
    std::optional<Columns> columns = matchColumns(value);
    if (!columns ||
        (!pieces.empty() && columns->source != pieces.front().first.source))
      return;
    pieces.emplace_back(*columns, first);
  }
  if (pieces.empty())
    return;
  Value source = pieces.front().first.source;
  OpBuilder builder(op);
  Value matrix = createRotation(builder, op->getLoc(), type.getElementType(),
                                typeOf(source).getShape().back(),
                                type.getShape().back(), pieces);
  op->replaceAllUsesWith(
      ValueRange{multiplyRows(builder, op->getLoc(), source, matrix)});
  op->erase();
}
