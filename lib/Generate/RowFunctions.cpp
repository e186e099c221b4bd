//===- RowFunctions.cpp - Norms, rotations, attention ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::trn;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static unsigned lastDim(Value value) { return shapeOf(value).size() - 1; }

static Value sumElements(OpBuilder &builder, Location loc, ValueRange in) {
  return arith::AddFOp::create(builder, loc, in[0], in[1]);
}

static Value sumRows(FunctionBuilder &function, const Twine &name, Value x) {
  return function.reduce(name, x, 0, sumElements);
}

/// 1 / sqrt(mean of squares + epsilon) of each row.
static Value getReciprocalDeviations(FunctionBuilder &function, StringRef name,
                                     Value x, double epsilon) {
  Value squares = function.mapWide(
      name + "_square", {x},
      [](OpBuilder &builder, Location loc, ValueRange in) {
        return Value(arith::MulFOp::create(builder, loc, in[0], in[0]));
      });
  Value sums = sumRows(function, name + "_sum", squares);
  Value count = function.constant("count", shapeOf(x).back());
  Value least = function.constant("epsilon", epsilon);
  return function.mapWide(
      name + "_rstd", {sums},
      [&](OpBuilder &builder, Location loc, ValueRange in) {
        Value mean = arith::DivFOp::create(builder, loc, in[0], count);
        Value raised = arith::AddFOp::create(builder, loc, mean, least);
        return Value(math::RsqrtOp::create(builder, loc, raised));
      });
}

static Value multiplyElements(OpBuilder &builder, Location loc, ValueRange in) {
  return arith::MulFOp::create(builder, loc, in[0], in[1]);
}

Value mlir::trn::normalizeRms(FunctionBuilder &function, StringRef name,
                              Value x, Value gain, double epsilon) {
  Value rstd = getReciprocalDeviations(function, name, x, epsilon);
  Value scaled =
      function.mapElements(name + "_scaled", {x, rstd}, multiplyElements);
  return function.mapElements(name, {scaled, {gain, lastDim(x)}},
                              multiplyElements);
}

Value mlir::trn::normalizeLayer(FunctionBuilder &function, StringRef name,
                                Value x, Value gain, Value bias,
                                double epsilon) {
  Value count = function.constant("count", shapeOf(x).back());
  Value mean = function.mapWide(
      name + "_mean", {sumRows(function, name + "_total", x)},
      [&](OpBuilder &builder, Location loc, ValueRange in) {
        return Value(arith::DivFOp::create(builder, loc, in[0], count));
      });
  Value centred = function.mapWide(
      name + "_centred", {x, mean},
      [](OpBuilder &builder, Location loc, ValueRange in) {
        return Value(arith::SubFOp::create(builder, loc, in[0], in[1]));
      });
  Value rstd = getReciprocalDeviations(function, name, centred, epsilon);
  unsigned columns = lastDim(x);
  return function.mapElements(
      name, {centred, rstd, {gain, columns}, {bias, columns}},
      [](OpBuilder &builder, Location loc, ValueRange in) {
        Value scaled = arith::MulFOp::create(builder, loc, in[0], in[1]);
        Value gained = arith::MulFOp::create(builder, loc, scaled, in[2]);
        return Value(arith::AddFOp::create(builder, loc, gained, in[3]));
      });
}

Value mlir::trn::splitHeads(FunctionBuilder &function, const Twine &name,
                            Value x, int64_t heads) {
  ArrayRef<int64_t> shape = shapeOf(x);
  auto type = RankedTensorType::get({shape[0], heads, shape[1] / heads},
                                    function.getStorage());
  return tensor::ExpandShapeOp::create(
      function.getBuilder(), function.named(name), type, x,
      SmallVector<ReassociationIndices>{{0}, {1, 2}});
}

Value mlir::trn::regroupHeads(FunctionBuilder &function, const Twine &name,
                              Value x, int64_t groups) {
  ArrayRef<int64_t> shape = shapeOf(x);
  SmallVector<ReassociationIndices> outer = {{0, 1}, {2}};
  auto type = RankedTensorType::get(
      {groups, shape[0] * shape[1] / groups, shape[2]}, function.getStorage());
  x = tensor::CollapseShapeOp::create(function.getBuilder(),
                                      function.named(name), x, outer);
  return tensor::ExpandShapeOp::create(function.getBuilder(),
                                       function.named(name), type, x, outer);
}

Value mlir::trn::swapHeads(FunctionBuilder &function, const Twine &name,
                           Value x) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t swapped[] = {shape[1], shape[0], shape[2]};
  if (shape[0] == 1 || shape[1] == 1) // nothing moves
    return regroupHeads(function, name, x, swapped[0]);
  Value out = function.empty(swapped, function.getStorage());
  return linalg::TransposeOp::create(function.getBuilder(),
                                     function.named(name), x, out,
                                     ArrayRef<int64_t>{1, 0, 2})
      ->getResult(0);
}

static const ReassociationIndices sequenceGroups[] = {{0, 1}, {2}, {3}};

Value mlir::trn::splitSequences(FunctionBuilder &function, const Twine &name,
                                Value x, int64_t heads) {
  ArrayRef<int64_t> shape = shapeOf(x);
  if (shape[0] == heads)
    return x;
  auto type = RankedTensorType::get(
      {shape[0] / heads, heads, shape[1], shape[2]}, function.getStorage());
  return tensor::ExpandShapeOp::create(
      function.getBuilder(), function.named(name), type, x, sequenceGroups);
}

Value mlir::trn::mergeSequences(FunctionBuilder &function, const Twine &name,
                                Value x) {
  return tensor::CollapseShapeOp::create(
      function.getBuilder(), function.named(name), x, sequenceGroups);
}

Value mlir::trn::mergeHeads(FunctionBuilder &function, const Twine &name,
                            Value x) {
  return tensor::CollapseShapeOp::create(
      function.getBuilder(), function.named(name), x,
      SmallVector<ReassociationIndices>{{0}, {1, 2}});
}

Value mlir::trn::addElements(FunctionBuilder &function, const Twine &name,
                             Value x, Value y) {
  return function.mapElements(name, {x, y}, sumElements);
}

static Value concat(FunctionBuilder &function, const Twine &name, int64_t dim,
                    ValueRange parts) {
  return tensor::ConcatOp::create(function.getBuilder(), function.named(name),
                                  dim, parts);
}

/// The first half of the columns of each head, or the second.
static Value getHalf(FunctionBuilder &function, const Twine &name, Value x,
                     bool second) {
  OpBuilder &builder = function.getBuilder();
  SmallVector<int64_t> sizes(shapeOf(x));
  sizes[2] /= 2;
  SmallVector<OpFoldResult> offsets(3, builder.getIndexAttr(0));
  offsets[2] = builder.getIndexAttr(second ? sizes[2] : 0);
  return tensor::ExtractSliceOp::create(
      builder, function.named(name), x, offsets,
      getAsIndexOpFoldResult(builder.getContext(), sizes),
      SmallVector<OpFoldResult>(3, builder.getIndexAttr(1)));
}

Value mlir::trn::rotateHalves(FunctionBuilder &function, const Twine &name,
                              Value x, Value cos, Value sin) {
  Value low = getHalf(function, name + "_low", x, false);
  Value high = getHalf(function, name + "_high", x, true);
  Value negated = function.mapElements(
      name + "_negated", {high},
      [](OpBuilder &builder, Location loc, ValueRange in) {
        return Value(arith::NegFOp::create(builder, loc, in[0]));
      });
  Value turned = concat(function, name + "_turned", 2, {negated, low});
  Value cosine =
      function.mapElements(name + "_cos", {x, {cos, 1}}, multiplyElements);
  Value sine =
      function.mapElements(name + "_sin", {turned, {sin, 1}}, multiplyElements);
  return addElements(function, name, cosine, sine);
}

Value mlir::trn::appendRows(FunctionBuilder &function, const Twine &name,
                            Value before, Value rows) {
  return concat(function, name, 1, {before, rows});
}

/// Each of the heads as often as there are heads of queries to it.
static Value repeatHeads(FunctionBuilder &function, const Twine &name, Value x,
                         int64_t heads) {
  ArrayRef<int64_t> shape = shapeOf(x);
  if (shape[0] == heads)
    return x;
  OpBuilder &builder = function.getBuilder();
  Value out = function.empty({shape[0], heads / shape[0], shape[1], shape[2]},
                             function.getStorage());
  AffineMap result = builder.getMultiDimIdentityMap(4);
  Value repeated =
      linalg::GenericOp::create(
          builder, function.named(name), TypeRange{out.getType()},
          ValueRange{x}, ValueRange{out},
          ArrayRef<AffineMap>{result.dropResult(1), result},
          SmallVector<utils::IteratorType>(4, utils::IteratorType::parallel),
          [](OpBuilder &nested, Location loc, ValueRange args) {
            linalg::YieldOp::create(nested, loc, args[0]);
          })
          .getResult(0);
  return tensor::CollapseShapeOp::create(
      builder, function.named(name), repeated,
      SmallVector<ReassociationIndices>{{0, 1}, {2}, {3}});
}

/// Whether the query of a row sees the key of a column.
static Value isSeen(OpBuilder &builder, Location loc,
                    const AttentionSpec &spec) {
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value row = linalg::IndexOp::create(builder, loc, 1);
  Value key = linalg::IndexOp::create(builder, loc, 2);
  Value query = row;
  if (int64_t before = spec.context - spec.m)
    query = arith::AddIOp::create(builder, loc, row, constant(before));
  Value seen = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                     query, key);
  if (!spec.window)
    return seen;
  Value end = arith::AddIOp::create(builder, loc, key, constant(*spec.window));
  Value near = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                     end, query);
  return arith::AndIOp::create(builder, loc, seen, near);
}

static Value getMaxima(FunctionBuilder &function, const Twine &name,
                       Value scores) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return function.reduce(
      name, scores, -infinity,
      [](OpBuilder &builder, Location loc, ValueRange in) {
        return Value(arith::MaximumFOp::create(builder, loc, in[0], in[1]));
      });
}

/// exp(scores - maxima)
static Value getPowers(FunctionBuilder &function, const Twine &name,
                       Value scores, Value maxima) {
  return function.mapWide(
      name, {scores, maxima},
      [](OpBuilder &builder, Location loc, ValueRange in) {
        Value less = arith::SubFOp::create(builder, loc, in[0], in[1]);
        return Value(math::ExpOp::create(builder, loc, less));
      });
}

static Value divideRows(FunctionBuilder &function, const Twine &name,
                        Value powers, Value sums) {
  return function.mapElements(
      name, {powers, sums},
      [](OpBuilder &builder, Location loc, ValueRange in) {
        return Value(arith::DivFOp::create(builder, loc, in[0], in[1]));
      });
}

static Value softmax(FunctionBuilder &function, Value scores) {
  Value maxima = getMaxima(function, "maximum", scores);
  Value powers = getPowers(function, "power", scores, maxima);
  Value sums = sumRows(function, "denominator", powers);
  return divideRows(function, "probability", powers, sums);
}

Value mlir::trn::attend(FunctionBuilder &function, const AttentionSpec &spec,
                        Value q, Value k, Value v) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  k = repeatHeads(function, "keys", k, spec.heads);
  v = repeatHeads(function, "values", v, spec.heads);
  Value products = function.multiplyBatch("product", q, k, /*transposed=*/true);
  Value scale = function.constant("scale", 1 / std::sqrt(spec.headDim));
  // The last position sees all keys.
  bool masked = spec.window || (spec.causal && spec.m > 1);
  Value never = masked ? function.constant("never", -infinity) : Value();
  Value scores = function.mapWide(
      "score", {products},
      [&](OpBuilder &builder, Location loc, ValueRange in) {
        Value score = arith::MulFOp::create(builder, loc, in[0], scale);
        if (!masked)
          return score;
        Value seen = isSeen(builder, loc, spec);
        return Value(arith::SelectOp::create(builder, loc, seen, score, never));
      });
  Value o = function.multiplyBatch("attended", softmax(function, scores), v,
                                   /*transposed=*/false);
  return function.round("attended", o);
}

Value mlir::trn::attendBehind(FunctionBuilder &function, Value q,
                              Value keysBefore, Value valuesBefore, Value mask,
                              Value key, Value value) {
  Value scale = function.constant("scale", 1 / std::sqrt(shapeOf(q).back()));
  Value before = function.mapWide(
      "score_before",
      {function.multiplyBatch("product_before", q, keysBefore,
                              /*transposed=*/true),
       {mask, 2}},
      [&](OpBuilder &builder, Location loc, ValueRange in) {
        Value score = arith::MulFOp::create(builder, loc, in[0], scale);
        return Value(arith::AddFOp::create(builder, loc, score, in[1]));
      });
  // The products with one row are a reduction and work on single elements.
  SmallVector<ReassociationIndices> row = {{0, 1}, {2}};
  auto dropRow = [&](const Twine &name, Value x) -> Value {
    return tensor::CollapseShapeOp::create(function.getBuilder(),
                                           function.named(name), x, row);
  };
  Value products = function.mapWide(
      "product", {q, {dropRow("key", key), {0, 2}}}, multiplyElements);
  Value own = function.mapWide(
      "score", {sumRows(function, "product", products)},
      [&](OpBuilder &builder, Location loc, ValueRange in) {
        return Value(arith::MulFOp::create(builder, loc, in[0], scale));
      });

  Value maxima = function.mapWide(
      "maximum", {getMaxima(function, "maximum_before", before), own},
      [](OpBuilder &builder, Location loc, ValueRange in) {
        return Value(arith::MaximumFOp::create(builder, loc, in[0], in[1]));
      });
  Value powersBefore = getPowers(function, "power_before", before, maxima);
  Value power = getPowers(function, "power", own, maxima);
  Value sums = function.mapWide(
      "denominator",
      {sumRows(function, "denominator_before", powersBefore), power},
      sumElements);
  Value sharesBefore =
      divideRows(function, "probability_before", powersBefore, sums);
  Value share = divideRows(function, "probability", power, sums);
  return function.mapElements(
      "attended",
      {function.multiplyBatch("attended_before", sharesBefore, valuesBefore,
                              /*transposed=*/false),
       {share, {0, 1}},
       {dropRow("value", value), {0, 2}}},
      [](OpBuilder &builder, Location loc, ValueRange in) {
        Value own = arith::MulFOp::create(builder, loc, in[1], in[2]);
        return Value(arith::AddFOp::create(builder, loc, in[0], own));
      });
}
