//===- MatchBand.cpp - Masks that are bands -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchBand.h"
#include "trn/Transforms/Normalize/Scores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <deque>

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

/// An op of which elements are computed, by linear functions of row and column
/// for its loops; none for those that are batches.
struct Frame {
  linalg::GenericOp op;
  SmallVector<std::optional<Linear>> loops;
};

/// A scalar in the body of an op, or outside of all.
struct Scalar {
  Value value;
  const Frame *frame;
};

/// Whether each element of what `op` computes, in their order, is computed by
/// itself.
bool isComputedAlone(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 &&
         op.isAllParallelLoops() && !op.hasDynamicShape() &&
         op.getIndexingMapsArray().back().isIdentity() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

/// Reads the body of a mask, and those of what it reads.
class BandMatcher {
public:
  explicit BandMatcher(linalg::GenericOp op);

  std::optional<MatchedBand> run();

private:
  /// What `scalar` is, if it is an element of a tensor that follows from
  /// indices or is constant.
  Scalar resolve(Scalar scalar);
  Scalar define(Scalar scalar, unsigned operand) {
    return resolve(
        {scalar.value.getDefiningOp()->getOperand(operand), scalar.frame});
  }
  std::optional<Linear> read(Scalar scalar);
  std::optional<Linear> readExact(Scalar scalar);
  bool holds(Type type, const Linear &linear);
  std::optional<APFloat> readFloat(Scalar scalar);
  /// The diagonals where `condition` holds.
  std::optional<Band> bound(Scalar condition);
  std::optional<Band> compare(Scalar comparison);
  bool hasNumberInEveryRow(const Band &band);

  linalg::GenericOp op;
  std::deque<Frame> frames; // they stay where they are
  /// Bodies may read their numbers any number of times.
  static constexpr unsigned maxSteps = 1000;
  unsigned steps = 0;
};
} // namespace

BandMatcher::BandMatcher(linalg::GenericOp op) : op(op) {
  Frame frame{op, SmallVector<std::optional<Linear>>(op.getNumLoops())};
  frame.loops.back() = Linear{0, 1, 0};
  frame.loops[op.getNumLoops() - 2] = Linear{1, 0, 0};
  frames.push_back(std::move(frame));
}

/// The indices of what `op` reshapes for those of its result, if they are the
/// same but for dimensions of one index.
static std::optional<SmallVector<std::optional<Linear>>>
throughUnits(Operation *op, ArrayRef<std::optional<Linear>> indices) {
  auto sizesOf = [](Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getShape();
  };
  ArrayRef<int64_t> to = sizesOf(op->getResult(0));
  SmallVector<std::optional<Linear>> own;
  size_t dim = 0;
  for (int64_t size : sizesOf(op->getOperand(0))) {
    own.push_back(Linear());
    if (size == 1)
      continue;
    while (dim < to.size() && to[dim] == 1)
      ++dim;
    if (dim == to.size() || to[dim] != size)
      return std::nullopt;
    own.back() = indices[dim++];
  }
  return own;
}

Scalar BandMatcher::resolve(Scalar scalar) {
  constexpr size_t maxFrames = 32;
  auto argument = dyn_cast<BlockArgument>(scalar.value);
  linalg::GenericOp reader = scalar.frame ? scalar.frame->op : nullptr;
  if (!argument || !reader || argument.getOwner() != reader.getBody() ||
      frames.size() == maxFrames)
    return scalar;
  OpOperand *operand = reader.getMatchingOpOperand(argument);
  if (!reader.isDpsInput(operand))
    return scalar;
  SmallVector<std::optional<Linear>> indices;
  for (AffineExpr index : reader.getMatchingIndexingMap(operand).getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    indices.push_back(loop ? scalar.frame->loops[loop.getPosition()]
                           : std::nullopt);
    if (auto constant = dyn_cast<AffineConstantExpr>(index))
      indices.back() = Linear{0, 0, constant.getValue()};
  }
  Value tensor = operand->get();
  while (isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
      tensor.getDefiningOp())) {
    auto own = throughUnits(tensor.getDefiningOp(), indices);
    if (!own)
      return scalar;
    indices = *own;
    tensor = tensor.getDefiningOp()->getOperand(0);
  }
  if (matchPattern(tensor, m_Constant()))
    return {tensor, nullptr};
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return {fill.getInputs()[0], nullptr};
  auto maker = tensor.getDefiningOp<linalg::GenericOp>();
  if (!maker || !isComputedAlone(maker))
    return scalar;
  frames.push_back({maker, std::move(indices)});
  return resolve(
      {maker.getBody()->getTerminator()->getOperand(0), &frames.back()});
}

/// Whether no row and column makes `linear` wrap in an integer of `type`.
/// Nobody counts further than an i32 does.
bool BandMatcher::holds(Type type, const Linear &linear) {
  unsigned bits =
      type.isIndex() ? 32 : std::min(32u, type.getIntOrFloatBitWidth());
  int64_t least = linear.constant, most = linear.constant;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [factor, size] :
       llvm::zip_equal(std::array{linear.row, linear.column},
                       ArrayRef(sizes).take_back(2))) {
    int64_t last = 0;
    if (!llvm::isInt<32>(factor) || llvm::MulOverflow(factor, size - 1, last))
      return false;
    (last < 0 ? least : most) += last;
  }
  return llvm::isIntN(bits, least) && llvm::isIntN(bits, most);
}

std::optional<Linear> BandMatcher::read(Scalar scalar) {
  if (++steps > maxSteps)
    return std::nullopt;
  std::optional<Linear> linear = readExact(scalar);
  Type type = getElementTypeOrSelf(scalar.value.getType());
  return linear && holds(type, *linear) ? linear : std::nullopt;
}

/// What `scalar` is if integers do not end.
std::optional<Linear> BandMatcher::readExact(Scalar scalar) {
  APInt constant;
  if (matchPattern(scalar.value, m_ConstantInt(&constant)))
    return constant.isSignedIntN(32)
               ? std::optional(Linear{0, 0, constant.getSExtValue()})
               : std::nullopt;
  Operation *inner = scalar.value.getDefiningOp();
  if (auto index = dyn_cast_if_present<linalg::IndexOp>(inner))
    return scalar.frame ? scalar.frame->loops[index.getDim()] : std::nullopt;
  if (isa_and_present<arith::IndexCastOp, arith::ExtSIOp>(inner))
    return read(define(scalar, 0));
  bool isSum = isa_and_present<arith::AddIOp>(inner);
  if (!isSum && !isa_and_present<arith::SubIOp>(inner))
    return std::nullopt;
  std::optional<Linear> left = read(define(scalar, 0));
  std::optional<Linear> right = read(define(scalar, 1));
  if (!left || !right)
    return std::nullopt;
  return left->plus(*right, isSum ? 1 : -1);
}

std::optional<APFloat> BandMatcher::readFloat(Scalar scalar) {
  FloatAttr number;
  DenseFPElementsAttr numbers;
  if (matchPattern(scalar.value, m_Constant(&number)))
    return number.getValue();
  if (matchPattern(scalar.value, m_Constant(&numbers)) && numbers.isSplat())
    return numbers.getSplatValue<APFloat>();
  return std::nullopt;
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

std::optional<Band> BandMatcher::compare(Scalar comparison) {
  auto compare = comparison.value.getDefiningOp<arith::CmpIOp>();
  std::optional<Linear> left = read(define(comparison, 0));
  std::optional<Linear> right = read(define(comparison, 1));
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

std::optional<Band> BandMatcher::bound(Scalar condition) {
  if (condition.value.getDefiningOp<arith::CmpIOp>())
    return compare(condition);
  if (!condition.value.getDefiningOp<arith::AndIOp>() || ++steps > maxSteps)
    return std::nullopt;
  std::optional<Band> left = bound(define(condition, 0));
  std::optional<Band> right = bound(define(condition, 1));
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

std::optional<MatchedBand> BandMatcher::run() {
  Scalar mask =
      resolve({op.getBody()->getTerminator()->getOperand(0), &frames.front()});
  if (!mask.value.getDefiningOp<arith::SelectOp>())
    return std::nullopt;
  std::optional<APFloat> inside = readFloat(define(mask, 1)),
                         outside = readFloat(define(mask, 2));
  if (!inside || !outside)
    return std::nullopt;
  std::optional<Band> band = bound(define(mask, 0));
  // One bound holds where its opposite does not.
  bool isLess = outside->isNegative() && !outside->isZero();
  if (band && !isLess) {
    std::swap(inside, outside);
    if (band->least && band->most)
      return std::nullopt;
    band = band->least ? Band{std::nullopt, *band->least - 1}
                       : Band{*band->most + 1, std::nullopt};
  }
  const APFloat &in = *inside, &out = *outside;
  bool isMask = in.isZero() || (in.isInfinity() && !in.isNegative());
  if (!band || !isMask || !isFarBelowScores(out) ||
      (band->least && band->most && *band->least > *band->most) ||
      (!out.isInfinity() && !hasNumberInEveryRow(*band)))
    return std::nullopt;
  band->inside = in.isZero() ? 0 : std::numeric_limits<float>::infinity();
  return MatchedBand{*band, out.isInfinity()};
}

std::optional<MatchedBand> mlir::trn::matchBand(Value mask) {
  auto type = cast<RankedTensorType>(mask.getType());
  if (auto collapse = mask.getDefiningOp<tensor::CollapseShapeOp>())
    mask = collapse.getSrc();
  auto op = mask.getDefiningOp<linalg::GenericOp>();
  if (!op || type.getRank() != 2 || op.getNumLoops() < 2 ||
      !isComputedAlone(op))
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (sizes.back() != type.getDimSize(1))
    return std::nullopt;
  std::optional<MatchedBand> matched = BandMatcher(op).run();
  int64_t rows = sizes[sizes.size() - 2];
  if (matched && rows != type.getDimSize(0))
    matched->band.period = rows;
  return matched;
}
