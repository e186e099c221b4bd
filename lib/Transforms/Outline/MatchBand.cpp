//===- MatchBand.cpp - Masks that are bands -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchBand.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::trn;
using planning::Band;

namespace {
/// `row * r + column * c + constant`
struct Linear {
  int64_t row = 0, column = 0, constant = 0;

  Linear plus(const Linear &other, int64_t sign) const {
    return {row + sign * other.row, column + sign * other.column,
            constant + sign * other.constant};
  }
};

/// Reads the body of a mask.
class BandMatcher {
public:
  explicit BandMatcher(linalg::GenericOp op) : op(op) {}

  std::optional<Band> run();

private:
  std::optional<Linear> read(Value value);
  /// The diagonals where `condition` holds.
  std::optional<Band> bound(Value condition);
  std::optional<Band> compare(arith::CmpIOp compare);
  bool hasNumberInEveryRow(const Band &band);

  linalg::GenericOp op;
};
} // namespace

std::optional<Linear> BandMatcher::read(Value value) {
  // Narrower ones may not hold all row numbers.
  if (!value.getType().isIndex() &&
      value.getType().getIntOrFloatBitWidth() < 32)
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSignificantBits() < 63
               ? std::optional(Linear{0, 0, constant.getSExtValue()})
               : std::nullopt;
  Operation *inner = value.getDefiningOp();
  if (auto index = dyn_cast_if_present<linalg::IndexOp>(inner)) {
    unsigned column = op.getNumLoops() - 1;
    if (index.getDim() + 1 < column)
      return std::nullopt;
    return index.getDim() == column ? Linear{0, 1, 0} : Linear{1, 0, 0};
  }
  if (isa_and_present<arith::IndexCastOp, arith::ExtSIOp>(inner))
    return read(inner->getOperand(0));
  bool isSum = isa_and_present<arith::AddIOp>(inner);
  if (!isSum && !isa_and_present<arith::SubIOp>(inner))
    return std::nullopt;
  std::optional<Linear> left = read(inner->getOperand(0));
  std::optional<Linear> right = read(inner->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  return left->plus(*right, isSum ? 1 : -1);
}

/// `-a < 0` is `a > 0`.
static arith::CmpIPredicate swapOperands(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  default:
    return predicate;
  }
}

std::optional<Band> BandMatcher::compare(arith::CmpIOp compare) {
  std::optional<Linear> left = read(compare.getLhs());
  std::optional<Linear> right = read(compare.getRhs());
  if (!left || !right)
    return std::nullopt;
  Linear difference = left->plus(*right, -1);
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (difference.column == -1) {
    difference = Linear().plus(difference, -1);
    predicate = swapOperands(predicate);
  }
  if (difference.column != 1 || difference.row != -1)
    return std::nullopt;
  int64_t from = -difference.constant;
  switch (predicate) {
  case arith::CmpIPredicate::sge:
    return Band{from, std::nullopt};
  case arith::CmpIPredicate::sgt:
    return Band{from + 1, std::nullopt};
  case arith::CmpIPredicate::sle:
    return Band{std::nullopt, from};
  case arith::CmpIPredicate::slt:
    return Band{std::nullopt, from - 1};
  default:
    return std::nullopt;
  }
}

std::optional<Band> BandMatcher::bound(Value condition) {
  if (auto comparison = condition.getDefiningOp<arith::CmpIOp>())
    return compare(comparison);
  auto both = condition.getDefiningOp<arith::AndIOp>();
  std::optional<Band> left = both ? bound(both.getLhs()) : std::nullopt;
  std::optional<Band> right = both ? bound(both.getRhs()) : std::nullopt;
  if (!left || !right)
    return std::nullopt;
  auto merge = [](std::optional<int64_t> one, std::optional<int64_t> other,
                  auto choose) {
    return one && other ? std::optional(choose(*one, *other))
           : one        ? one
                        : other;
  };
  return Band{merge(left->least, right->least,
                    [](int64_t a, int64_t b) { return std::max(a, b); }),
              merge(left->most, right->most,
                    [](int64_t a, int64_t b) { return std::min(a, b); })};
}

bool BandMatcher::hasNumberInEveryRow(const Band &band) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto shape = ArrayRef(sizes).take_back(2);
  return (!band.most || *band.most >= 0) &&
         (!band.least || shape[0] - 1 + *band.least < shape[1]);
}

std::optional<Band> BandMatcher::run() {
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  auto select = yield.getOperand(0).getDefiningOp<arith::SelectOp>();
  FloatAttr inside, outside;
  if (!select || !matchPattern(select.getTrueValue(), m_Constant(&inside)) ||
      !matchPattern(select.getFalseValue(), m_Constant(&outside)))
    return std::nullopt;
  std::optional<Band> band = bound(select.getCondition());
  // One bound holds where its opposite does not.
  bool isLess = outside.getValue().isNegative() && !outside.getValue().isZero();
  if (band && !isLess) {
    std::swap(inside, outside);
    if (band->least && band->most)
      return std::nullopt;
    band = band->least ? Band{std::nullopt, *band->least - 1}
                       : Band{*band->most + 1, std::nullopt};
  }
  const APFloat &in = inside.getValue(), &out = outside.getValue();
  bool isMask = in.isZero() || (in.isInfinity() && !in.isNegative());
  bool isLowest = out.isNegative() && (out.isInfinity() || out.isLargest() ||
                                       out.convertToDouble() <= -1e9);
  if (!band || !isMask || !isLowest ||
      (band->least && band->most && *band->least > *band->most) ||
      (!out.isInfinity() && !hasNumberInEveryRow(*band)))
    return std::nullopt;
  band->inside = in.isZero() ? 0 : std::numeric_limits<float>::infinity();
  return band;
}

std::optional<Band> mlir::trn::matchBand(Value mask) {
  auto type = cast<RankedTensorType>(mask.getType());
  if (auto collapse = mask.getDefiningOp<tensor::CollapseShapeOp>())
    mask = collapse.getSrc();
  auto op = mask.getDefiningOp<linalg::GenericOp>();
  if (!op || type.getRank() != 2 || op.getNumDpsInputs() != 0 ||
      op.getNumLoops() < 2 || op.getNumDpsInits() != 1 ||
      !op.isAllParallelLoops() ||
      !op.getIndexingMapsArray().back().isIdentity() || op.hasDynamicShape())
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (sizes.back() != type.getDimSize(1))
    return std::nullopt;
  std::optional<Band> band = BandMatcher(op).run();
  int64_t rows = sizes[sizes.size() - 2];
  if (band && rows != type.getDimSize(0))
    band->period = rows;
  return band;
}
