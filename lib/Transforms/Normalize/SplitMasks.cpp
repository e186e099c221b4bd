//===- SplitMasks.cpp - What conditions decide, as numbers ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A causal mask is a condition on indices, or a tensor of conditions:
//
//   %s = linalg.generic ... { arith.select (row >= column), %score, -inf }
//
// Engines have neither, but the least of a score and a number that is infinity
// where the condition holds, and minus infinity where it does not, is the same:
//
//   %mask = linalg.generic ... { arith.select (row >= column), inf, -inf }
//   %s = linalg.generic %mask ... { arith.minimumf %score, %mask }
//
// Between two values of data a number chooses, as between a row of a cache and
// the one that is written over it. The mask depends on no input, or on the
// tensor of conditions alone. So do numbers that are computed of indices, as
// the distance of ALiBi:
//
//   %s = linalg.generic ... { %score + %slope * sitofp(column - row) }

#include "NormalizeSteps.h"
#include "trn/Transforms/Normalize/Scores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// What in the body of a generic follows from indices, integers and constants,
/// and from numbers of a run, as a position is.
struct Integer {
  Value value;
  /// What it is computed by, in the order of the body.
  SmallVector<Operation *> ops = {};
  /// Arguments of the body that it reads.
  SmallVector<BlockArgument> reads = {};
};

/// A select whose condition is one, and that otherwise takes one constant.
struct Mask {
  arith::SelectOp select;
  Integer condition = {};
  APFloat otherwise{0.0f};
  bool takesTrue = true; // the value, where the condition holds
  bool isLeast = false;  // no value is less than the constant

  Value value() {
    return takesTrue ? select.getTrueValue() : select.getFalseValue();
  }
  /// Of the tensor: the smallest that holds the constant, as it is read for
  /// each score.
  FloatType type() {
    APFloat narrow = otherwise;
    bool isInexact = false;
    narrow.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &isInexact);
    return select.getType().isF32() && !isInexact
               ? FloatType(BFloat16Type::get(select->getContext()))
               : cast<FloatType>(select.getType());
  }
  FloatAttr number(APFloat number) {
    bool isInexact;
    number.convert(type().getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &isInexact);
    return FloatAttr::get(type(), number);
  }
};
} // namespace

/// What takes part in `value`, if none of that is data.
static std::optional<Integer> readInteger(linalg::GenericOp op, Value value) {
  Integer integer{value};
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (Value(values[i]).getParentBlock() != op.getBody()) {
      if (!values[i].getType().isIntOrIndex() &&
          !matchPattern(values[i], m_Constant()))
        return std::nullopt;
      continue;
    }
    if (auto argument = dyn_cast<BlockArgument>(values[i])) {
      if (argument.getArgNumber() >= op.getNumDpsInputs() ||
          !argument.getType().isIntOrIndex())
        return std::nullopt;
      integer.reads.push_back(argument);
      continue;
    }
    Operation *inner = values[i].getDefiningOp();
    if (!inner->getResult(0).getType().isIntOrIndex() ||
        inner->getNumRegions() != 0)
      return std::nullopt;
    values.insert_range(inner->getOperands());
  }
  for (Operation &inner : *op.getBody())
    if (inner.getNumResults() == 1 && values.contains(inner.getResult(0)))
      integer.ops.push_back(&inner);
  return integer;
}

/// Whether no value is less than the constant that `mask` takes.
static bool isBelowAll(linalg::GenericOp op, Mask &mask) {
  return isFarBelowScores(mask.otherwise) &&
         (mask.otherwise.isInfinity() || isPlainScore(op, mask.value()));
}

static std::optional<Mask> matchMask(linalg::GenericOp op,
                                     arith::SelectOp select) {
  Mask mask{select};
  if (!isa<FloatType>(select.getType()))
    return std::nullopt;
  FloatAttr constant;
  mask.takesTrue = matchPattern(select.getFalseValue(), m_Constant(&constant));
  if (!mask.takesTrue &&
      !matchPattern(select.getTrueValue(), m_Constant(&constant)))
    return std::nullopt;
  mask.otherwise = constant.getValue();
  std::optional<Integer> condition = readInteger(op, select.getCondition());
  if (mask.otherwise.isNaN() || matchPattern(mask.value(), m_Constant()) ||
      !condition)
    return std::nullopt;
  mask.condition = std::move(*condition);
  mask.isLeast = isBelowAll(op, mask);
  return mask;
}

/// Whether a product computes what `op` reads with `loop` and the one in front
/// of it as its rows: heads that share their keys, whose mask is the same for
/// all.
static bool areRowsOfProduct(linalg::GenericOp op, unsigned loop) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    auto source = operand->get().getDefiningOp<linalg::LinalgOp>();
    if (!source || !map.isIdentity() || source.getNumDpsInits() != 1)
      continue;
    AffineMap written =
        source.getMatchingIndexingMap(source.getDpsInitOperand(0));
    if (auto inner = dyn_cast<linalg::GenericOp>(source.getOperation());
        inner && inner.isAllParallelLoops() && written.isIdentity())
      return areRowsOfProduct(inner, loop);
    unsigned without = 0;
    for (OpOperand *factor : source.getDpsInputOperands()) {
      AffineMap read = source.getMatchingIndexingMap(factor);
      auto first = read.getResultPosition(written.getResult(loop - 1));
      auto second = read.getResultPosition(written.getResult(loop));
      if (first.has_value() != second.has_value() ||
          (first && *first + 1 != *second))
        return false;
      without += !first;
    }
    return source.getNumReductionLoops() == 1 && without == 1;
  }
  return false;
}

/// A tensor of `type`, of the loops that `integer` depends on, with what
/// `compute` makes of it; and its map.
static std::pair<Value, AffineMap>
createTensor(RewriterBase &rewriter, linalg::GenericOp op, Location loc,
             const Integer &integer, Type type,
             function_ref<Value(OpBuilder &, Location, Value)> compute) {
  llvm::SmallSetVector<unsigned, 4> used;
  for (Operation *inner : integer.ops)
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      used.insert(index.getDim());
  SmallVector<Value> inputs;
  for (BlockArgument read : integer.reads) {
    OpOperand *operand = op.getMatchingOpOperand(read);
    inputs.push_back(operand->get());
    for (AffineExpr index : op.getMatchingIndexingMap(operand).getResults())
      index.walk([&](AffineExpr part) {
        if (auto loop = dyn_cast<AffineDimExpr>(part))
          used.insert(loop.getPosition());
      });
  }
  SmallVector<unsigned> loops(used.takeVector());
  llvm::sort(loops);
  // A mask for each of such rows, so that they stay together.
  while (integer.reads.empty() && loops.size() > 1 && loops.front() > 0 &&
         areRowsOfProduct(op, loops.front()))
    loops.insert(loops.begin(), loops.front() - 1);
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> own(op.getNumLoops(),
                              getAffineConstantExpr(0, context));
  SmallVector<AffineExpr> read;
  SmallVector<int64_t> shape;
  for (auto [i, loop] : llvm::enumerate(loops)) {
    own[loop] = getAffineDimExpr(i, context);
    read.push_back(getAffineDimExpr(loop, context));
    shape.push_back(op.getStaticLoopRanges()[loop]);
  }
  SmallVector<AffineMap> maps;
  for (BlockArgument argument : integer.reads)
    maps.push_back(op.getMatchingIndexingMap(op.getMatchingOpOperand(argument))
                       .replaceDimsAndSymbols(own, {}, loops.size(), 0));
  maps.push_back(AffineMap::getMultiDimIdentityMap(loops.size(), context));
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shape, type);
  auto created = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), inputs, empty, maps, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        IRMapping mapping;
        for (auto [argument, value] : llvm::zip(integer.reads, values))
          mapping.map(argument, value);
        for (Operation *inner : integer.ops) {
          Operation *copy = builder.clone(*inner, mapping);
          if (auto index = dyn_cast<linalg::IndexOp>(copy))
            index.setDim(llvm::find(loops, index.getDim()) - loops.begin());
        }
        Value number = mapping.lookupOrDefault(integer.value);
        linalg::YieldOp::create(builder, loc, compute(builder, loc, number));
      });
  return {created.getResult(0),
          AffineMap::get(op.getNumLoops(), 0, read, context)};
}

/// One with `open` where the value is taken and the constant elsewhere.
static std::pair<Value, AffineMap> createMask(RewriterBase &rewriter,
                                              linalg::GenericOp op, Mask &mask,
                                              const APFloat &open) {
  return createTensor(
      rewriter, op, mask.select.getLoc(), mask.condition, mask.type(),
      [&](OpBuilder &builder, Location loc, Value condition) {
        Value taken =
            arith::ConstantOp::create(builder, loc, mask.number(open));
        Value otherwise = arith::ConstantOp::create(
            builder, loc, mask.number(mask.otherwise));
        return arith::SelectOp::create(builder, loc, condition,
                                       mask.takesTrue ? taken : otherwise,
                                       mask.takesTrue ? otherwise : taken);
      });
}

/// Whether `op` chooses one of two constants.
static bool isOfConstants(Operation &op) {
  // Kernels divide by -0 as by 0.
  auto isKept = [](Value constant) {
    APFloat number(0.0f);
    return matchPattern(constant, m_ConstantFloat(&number)) &&
           !number.isNegZero();
  };
  return isa<arith::SelectOp>(op) &&
         isa<FloatType>(op.getResult(0).getType()) &&
         isKept(op.getOperand(1)) && isKept(op.getOperand(2));
}

/// What a tensor of what `op` computes holds: bf16, if that is exact for both
/// constants that it chooses.
static Type storedType(Operation &op) {
  auto isExact = [](Value constant) {
    APFloat number(0.0f);
    bool isInexact = true;
    if (matchPattern(constant, m_ConstantFloat(&number)))
      number.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven,
                     &isInexact);
    return !isInexact;
  };
  Type type = op.getResult(0).getType();
  return isOfConstants(op) && type.isF32() && isExact(op.getOperand(1)) &&
                 isExact(op.getOperand(2))
             ? BFloat16Type::get(op.getContext())
             : type;
}

/// What in the body of `op` makes floats of indices alone, if it computes with
/// data, too.
static SmallVector<std::pair<Operation *, Integer>>
findNumbers(linalg::GenericOp op) {
  SmallVector<std::pair<Operation *, Integer>> numbers;
  if (llvm::none_of(op.getRegionInputArgs(), [](BlockArgument argument) {
        return isa<FloatType>(argument.getType()) && !argument.use_empty();
      }))
    return numbers;
  for (Operation &inner : *op.getBody())
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(inner) || isOfConstants(inner))
      if (auto number = readInteger(op, inner.getOperand(0));
          number && number->reads.empty() &&
          llvm::any_of(number->ops, llvm::IsaPred<linalg::IndexOp>))
        numbers.push_back({&inner, std::move(*number)});
  return numbers;
}

/// Selects of `op` between two values of data, by what is none.
static SmallVector<std::pair<arith::SelectOp, Integer>>
findChoices(linalg::GenericOp op) {
  SmallVector<std::pair<arith::SelectOp, Integer>> choices;
  FloatAttr constant;
  for (auto select : op.getBody()->getOps<arith::SelectOp>()) {
    if (!isa<FloatType>(select.getType()) ||
        matchPattern(select.getTrueValue(), m_Constant(&constant)) ||
        matchPattern(select.getFalseValue(), m_Constant(&constant)))
      continue;
    if (auto condition = readInteger(op, select.getCondition());
        condition &&
        (!condition->reads.empty() ||
         llvm::any_of(condition->ops, llvm::IsaPred<linalg::IndexOp>)))
      choices.push_back({select, std::move(*condition)});
  }
  return choices;
}

/// `constant`, which `type` holds.
static Value emitStored(OpBuilder &builder, Value constant, Type type) {
  FloatAttr number;
  matchPattern(constant, m_Constant(&number));
  APFloat value = number.getValue();
  bool isInexact;
  value.convert(cast<FloatType>(type).getFloatSemantics(),
                APFloat::rmNearestTiesToEven, &isInexact);
  return arith::ConstantOp::create(builder, constant.getLoc(),
                                   FloatAttr::get(type, value));
}

/// Replaces the selects of `op` that `masks` are by the least of their values
/// and masks, and the largest of that, if it may be less than the constant.
/// `numbers` are read, and so are those that `choices` follow.
static void
applyMasks(RewriterBase &rewriter, linalg::GenericOp op,
           MutableArrayRef<Mask> masks,
           MutableArrayRef<std::pair<Operation *, Integer>> numbers,
           MutableArrayRef<std::pair<arith::SelectOp, Integer>> choices) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs(op.getDpsInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap result = maps.pop_back_val();
  for (auto &[cast, number] : numbers) {
    Type type = cast->getResult(0).getType(), stored = storedType(*cast);
    Location loc = cast->getLoc();
    auto [tensor, map] = createTensor(
        rewriter, op, loc, number, stored,
        [&, cast = cast](OpBuilder &builder, Location loc,
                         Value value) -> Value {
          if (!isOfConstants(*cast)) {
            IRMapping mapping;
            mapping.map(cast->getOperand(0), value);
            return builder.clone(*cast, mapping)->getResult(0);
          }
          Value chosen[] = {emitStored(builder, cast->getOperand(1), stored),
                            emitStored(builder, cast->getOperand(2), stored)};
          return arith::SelectOp::create(builder, loc, value, chosen[0],
                                         chosen[1]);
        });
    inputs.push_back(tensor);
    maps.push_back(map);
    Value argument =
        op.getBody()->insertArgument(inputs.size() - 1, stored, loc);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(cast);
    rewriter.replaceOp(cast, convertScalarToDtype(rewriter, loc, argument, type,
                                                  /*isUnsignedCast=*/false));
  }
  for (auto &[select, condition] : choices) {
    Type narrow = rewriter.getBF16Type();
    Location loc = select.getLoc();
    rewriter.setInsertionPoint(op);
    auto [tensor, map] = createTensor(
        rewriter, op, loc, condition, narrow,
        [&](OpBuilder &builder, Location loc, Value value) -> Value {
          return arith::UIToFPOp::create(builder, loc, narrow, value);
        });
    inputs.push_back(tensor);
    maps.push_back(map);
    Value number = op.getBody()->insertArgument(inputs.size() - 1, narrow, loc);
    rewriter.setInsertionPoint(select);
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(narrow));
    select.getConditionMutable().assign(arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::OGT, number, zero));
  }
  for (Mask &mask : masks) {
    APFloat infinity =
        APFloat::getInf(mask.otherwise.getSemantics(), /*Negative=*/false);
    auto add = [&](const APFloat &open) {
      auto [tensor, map] = createMask(rewriter, op, mask, open);
      inputs.push_back(tensor);
      maps.push_back(map);
      return op.getBody()->insertArgument(inputs.size() - 1, mask.type(),
                                          mask.select.getLoc());
    };
    rewriter.setInsertionPoint(op);
    Value most = add(infinity), least = mask.isLeast ? Value() : add(-infinity);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(mask.select);
    Location loc = mask.select.getLoc();
    auto widen = [&](Value number) -> Value {
      Type type = mask.select.getType();
      return number.getType() == type
                 ? number
                 : arith::ExtFOp::create(rewriter, loc, type, number);
    };
    Value masked =
        arith::MinimumFOp::create(rewriter, loc, mask.value(), widen(most));
    if (least)
      masked = arith::MaximumFOp::create(rewriter, loc, masked, widen(least));
    rewriter.replaceOp(mask.select, masked);
  }
  maps.push_back(result);
  rewriter.setInsertionPoint(op);
  auto created = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getDpsInits(),
      maps, op.getIteratorTypesArray());
  rewriter.inlineRegionBefore(op.getRegion(), created.getRegion(),
                              created.getRegion().begin());
  for (Operation &inner :
       llvm::make_early_inc_range(llvm::reverse(*created.getBody())))
    if (isOpTriviallyDead(&inner))
      rewriter.eraseOp(&inner);
  rewriter.replaceOp(op, created.getResults());
}

void mlir::trn::splitMasks(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInits() != 1)
    return;
  SmallVector<Mask> masks;
  for (auto select : op.getBody()->getOps<arith::SelectOp>())
    if (std::optional<Mask> mask = matchMask(op, select))
      masks.push_back(std::move(*mask));
  auto numbers = findNumbers(op);
  auto choices = findChoices(op);
  if (masks.empty() && numbers.empty() && choices.empty())
    return;
  IRRewriter rewriter(op.getContext());
  applyMasks(rewriter, op, masks, numbers, choices);
}
