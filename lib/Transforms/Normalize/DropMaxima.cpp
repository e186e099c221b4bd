//===- DropMaxima.cpp - Softmax without maxima ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is computed with the maxima of rows is followed to its readers. Some are
// shifted by a multiple of them, exponentials of those are scaled, and so are
// sums and products of these, until a quotient or a difference is free of them
// again. If all are free in the end, any number may stand for the maxima.
//
//===----------------------------------------------------------------------===//

#include "RewriteOps.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/Passes.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

namespace mlir::trn {
#define GEN_PASS_DEF_DROPMAXIMA
#include "trn/Transforms/Normalize/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

namespace {

/// How a number depends on the maximum of its row.
struct Dependence {
  enum Kind {
    Free,    // not at all
    Zero,    // it is 0, or minus infinity: scaled or shifted, it is the same
    Shifted, // some number + times * maximum
    Scaled,  // some number * exp(times * maximum)
  } kind = Free;
  double times = 0;

  bool isNone() const { return kind == Free || kind == Zero; }
};

/// A maximum of rows, and all that is computed with it.
class SoftmaxMatcher {
public:
  explicit SoftmaxMatcher(linalg::GenericOp maximum) : maximum(maximum) {}

  /// Why the maximum must stay; empty if it need not.
  std::string match();
  void drop(IRRewriter &rewriter);

  /// The ops that read the maxima.
  SetVector<Operation *> readers;

private:
  /// A tensor that depends on the maxima, whose dimensions some of its own are.
  struct Tensor {
    Dependence dependence;
    SmallVector<unsigned> rows;
  };

  bool follow(Operation *op);
  bool follow(linalg::LinalgOp op);
  bool followReshape(Operation *op);
  std::optional<SmallVector<unsigned>> findRowLoops(linalg::LinalgOp op);
  bool evaluate(Operation *op);
  std::optional<Dependence> add(Dependence left, Dependence right) const;
  std::optional<Dependence> choose(arith::SelectOp op) const;
  std::optional<Dependence> apply(Operation *op) const;
  /// Refuses, since `op` is not the same for any maximum.
  bool refuse(Operation *op, StringRef why);

  linalg::GenericOp maximum;
  llvm::MapVector<Value, Tensor> tensors;
  DenseMap<Value, Dependence> scalars; // of the op that is followed
  SetVector<Value> divisors;           // tensors
  std::string reason;
};

} // namespace

bool SoftmaxMatcher::refuse(Operation *op, StringRef why) {
  reason = (op->getName().getStringRef() + " " + why).str();
  return false;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The sum of both, if it depends on the maximum in a way that we follow.
std::optional<Dependence> SoftmaxMatcher::add(Dependence left,
                                              Dependence right) const {
  if (left.kind == Dependence::Scaled || right.kind == Dependence::Scaled) {
    if (left.kind == Dependence::Zero)
      return right;
    if (right.kind == Dependence::Zero)
      return left;
    if (left.kind != right.kind || left.times != right.times)
      return std::nullopt;
    return left;
  }
  double times = left.times + right.times;
  return Dependence{times == 0 ? Dependence::Free : Dependence::Shifted, times};
}

static bool isMinusInfinity(Value value) {
  return matchPattern(value, m_NegInfFloat());
}

static Dependence negate(Dependence of) { return {of.kind, -of.times}; }

/// Of a choice between two that depend on it alike, or one and what it leaves
/// alone: 0 if that is scaled, minus infinity if it is shifted.
std::optional<Dependence> SoftmaxMatcher::choose(arith::SelectOp op) const {
  Dependence taken = scalars.lookup(op.getTrueValue()),
             other = scalars.lookup(op.getFalseValue());
  if (!scalars.lookup(op.getCondition()).isNone())
    return std::nullopt;
  if (taken.kind == other.kind && taken.times == other.times)
    return taken;
  for (auto [own, constant] :
       {std::pair(taken, op.getFalseValue()), {other, op.getTrueValue()}}) {
    if (!own.isNone() && (own.kind == Dependence::Scaled
                              ? matchPattern(constant, m_AnyZeroFloat())
                              : isMinusInfinity(constant)))
      return own;
  }
  return std::nullopt;
}

std::optional<Dependence> SoftmaxMatcher::apply(Operation *op) const {
  auto of = [&](unsigned i) { return scalars.lookup(op->getOperand(i)); };
  // Of a product or quotient whose exponents have this sum: what is scaled
  // several times is out of range before the sums are.
  auto scaled = [&](double times) -> std::optional<Dependence> {
    if (std::abs(times) >
        std::max(std::abs(of(0).times), std::abs(of(1).times)))
      return std::nullopt;
    return Dependence{times == 0 ? Dependence::Free : Dependence::Scaled,
                      times};
  };
  auto times = [&](Dependence shifted,
                   Value factor) -> std::optional<Dependence> {
    FloatAttr constant;
    if (!matchPattern(factor, m_Constant(&constant)))
      return std::nullopt;
    return Dependence{Dependence::Shifted,
                      shifted.times * constant.getValueAsDouble()};
  };
  using Result = std::optional<Dependence>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { return of(0); })
      .Case([&](arith::NegFOp) {
        return of(0).kind == Dependence::Shifted ? negate(of(0)) : of(0);
      })
      .Case([&](arith::AddFOp) { return add(of(0), of(1)); })
      .Case([&](arith::SubFOp) -> Result {
        if (of(1).kind == Dependence::Scaled)
          return add(of(0), of(1));
        return add(of(0), negate(of(1)));
      })
      .Case([&](arith::MulFOp) -> Result {
        for (unsigned i : {0, 1})
          if (of(i).kind == Dependence::Shifted)
            return of(1 - i).isNone() ? times(of(i), op->getOperand(1 - i))
                                      : Result();
        return scaled(of(0).times + of(1).times);
      })
      .Case([&](arith::DivFOp) -> Result {
        if (of(0).kind == Dependence::Shifted ||
            of(1).kind == Dependence::Shifted)
          return std::nullopt;
        return scaled(of(0).times - of(1).times);
      })
      .Case<math::ExpOp, math::Exp2Op>([&](auto power) -> Result {
        if (of(0).kind != Dependence::Shifted || of(0).times > 0)
          return std::nullopt;
        double base = isa<math::Exp2Op>(power) ? std::log(2.0) : 1;
        return Dependence{Dependence::Scaled, of(0).times * base};
      })
      .Case([&](math::LogOp) -> Result {
        if (of(0).kind != Dependence::Scaled)
          return std::nullopt;
        return Dependence{Dependence::Shifted, of(0).times};
      })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>([&](auto) -> Result {
        for (unsigned i : {0, 1})
          if (isMinusInfinity(op->getOperand(1 - i)))
            return of(i);
        return std::nullopt;
      })
      .Case([&](arith::SelectOp select) { return choose(select); })
      .Default([](Operation *) { return std::nullopt; });
}

bool SoftmaxMatcher::evaluate(Operation *op) {
  FloatAttr constant;
  if (matchPattern(op, m_Constant(&constant)) && constant.getValue().isZero()) {
    scalars[op->getResult(0)] = {Dependence::Zero};
    return true;
  }
  auto isTensor = [&](Value operand) { return tensors.contains(operand); };
  if (op->getNumRegions() || llvm::any_of(op->getOperands(), isTensor))
    return refuse(op, "may read any row of it");
  if (llvm::all_of(op->getOperands(), [&](Value operand) {
        return scalars.lookup(operand).isNone();
      }))
    return true;
  std::optional<Dependence> result = apply(op);
  if (!result)
    return refuse(op, "depends on it");
  Type type = op->getResult(0).getType();
  if (!result->isNone() && !type.isF32() && !type.isBF16() && !type.isF64())
    return refuse(op, "is of a type with a small range");
  // Its range is checked where it is read, as a tensor.
  bool isDivision = isa<arith::DivFOp>(op);
  Value divisor = isDivision             ? op->getOperand(1)
                  : isa<math::LogOp>(op) ? op->getOperand(0)
                                         : Value();
  if (divisor && scalars.lookup(divisor).kind == Dependence::Scaled) {
    auto argument = dyn_cast<BlockArgument>(divisor);
    auto reader = dyn_cast<linalg::GenericOp>(op->getParentOp());
    if (!argument || !reader)
      return refuse(op, "divides by what is computed there");
    divisors.insert(reader.getMatchingOpOperand(argument)->get());
  }
  scalars[op->getResult(0)] = *result;
  return true;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The loops of `op` over the rows, which all tensors that depend on the maxima
/// have in the same places.
std::optional<SmallVector<unsigned>>
SoftmaxMatcher::findRowLoops(linalg::LinalgOp op) {
  std::optional<SmallVector<unsigned>> loops;
  for (OpOperand &operand : op->getOpOperands()) {
    auto found = tensors.find(operand.get());
    if (found == tensors.end())
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!op.isDpsInput(&operand) || !map.isProjectedPermutation())
      return std::nullopt;
    auto own = llvm::map_to_vector(found->second.rows, [&](unsigned dim) {
      return map.getDimPosition(dim);
    });
    if (loops && *loops != own)
      return std::nullopt;
    loops = own;
  }
  return loops;
}

bool SoftmaxMatcher::follow(linalg::LinalgOp op) {
  std::optional<SmallVector<unsigned>> loops = findRowLoops(op);
  if (!op.hasPureTensorSemantics() || !loops)
    return refuse(op, "reads it in another order");
  scalars.clear();
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (auto found = tensors.find(operand.get()); found != tensors.end())
      scalars[argument] = found->second.dependence;
    else if (auto fill = operand.get().getDefiningOp<linalg::FillOp>();
             fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
      scalars[argument] = {Dependence::Zero};
  }
  for (Operation &inner : op.getBlock()->without_terminator())
    if (!evaluate(&inner))
      return false;
  Operation *terminator = op.getBlock()->getTerminator();
  for (auto [result, yielded] :
       llvm::zip_equal(op->getResults(), terminator->getOperands())) {
    Dependence dependence = scalars.lookup(yielded);
    if (dependence.isNone())
      continue;
    AffineMap map = op.getIndexingMapMatchingResult(result);
    SmallVector<unsigned> rows;
    for (unsigned loop : *loops) {
      auto dim =
          map.getResultPosition(getAffineDimExpr(loop, op->getContext()));
      if (!dim || !map.isProjectedPermutation())
        return refuse(op, "reduces rows that have maxima of their own");
      rows.push_back(*dim);
    }
    tensors[result] = {dependence, rows};
  }
  return true;
}

/// A reshape that leaves rows alone.
bool SoftmaxMatcher::followReshape(Operation *op) {
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  auto groups = collapse
                    ? collapse.getReassociationIndices()
                    : cast<tensor::ExpandShapeOp>(op).getReassociationIndices();
  Tensor reshaped = tensors[op->getOperand(0)];
  for (unsigned &row : reshaped.rows) {
    auto group = llvm::find_if(groups, [&](const ReassociationIndices &group) {
      return collapse ? llvm::is_contained(group, row) : &group == &groups[row];
    });
    if (group->size() != 1)
      return refuse(op, "reshapes rows that have maxima of their own");
    row = collapse ? group - groups.begin() : group->front();
  }
  tensors[op->getResult(0)] = reshaped;
  return true;
}

bool SoftmaxMatcher::follow(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return follow(linalgOp);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return followReshape(op);
  return refuse(op, "takes it");
}

std::string SoftmaxMatcher::match() {
  Value result = maximum.getResult(0);
  auto rows = llvm::to_vector(llvm::seq<unsigned>(
      0, cast<RankedTensorType>(result.getType()).getRank()));
  tensors[result] = {{Dependence::Shifted, 1}, rows};
  for (Operation *user : result.getUsers())
    if (!isa<linalg::GenericOp>(user))
      return refuse(user, "reads it"), reason;
  readers.insert_range(result.getUsers());
  // Ops come in the order of the block, so operands are known before.
  Block *block = maximum->getBlock();
  for (Operation *op = maximum->getNextNode(); op; op = op->getNextNode()) {
    bool readsIt = false;
    op->walk([&](Operation *inner) {
      readsIt |= llvm::any_of(inner->getOperands(), [&](Value operand) {
        return tensors.contains(operand);
      });
    });
    if (readsIt && !follow(op))
      return reason;
  }
  for (const auto &[tensor, known] : tensors)
    for (Operation *user : tensor.getUsers())
      if (!block->findAncestorOpInBlock(*user))
        return refuse(user, "reads it elsewhere"), reason;
  return divisors.empty() ? "no sum of exponentials divides anything" : "";
}

/// `sums`, but 0 or NaN where exponentials may have lost bits or all of them,
/// or may have become infinite: what is divided by it is no finite number.
static Value emitChecked(OpBuilder &builder, Location loc, Value sums) {
  Type type = getElementTypeOrSelf(sums.getType());
  auto check = [&](OpBuilder &builder, Location loc, ValueRange values) {
    auto number = [&](double value) {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getFloatAttr(type, value));
    };
    Value least =
        arith::MaximumFOp::create(builder, loc, values[0], number(0x1p-64));
    Value clamped =
        arith::MinimumFOp::create(builder, loc, least, number(0x1p96));
    Value isIn = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       values[0], clamped);
    Value one = arith::UIToFPOp::create(builder, loc, type, isIn);
    return arith::MulFOp::create(builder, loc, values[0], one).getResult();
  };
  return emitElementwise(builder, loc, sums, type, check);
}

void SoftmaxMatcher::drop(IRRewriter &rewriter) {
  for (Operation *op : readers) {
    auto reader = cast<linalg::GenericOp>(op);
    for (OpOperand &operand : reader->getOpOperands()) {
      if (operand.get() != maximum.getResult(0))
        continue;
      BlockArgument argument = reader.getMatchingBlockArgument(&operand);
      rewriter.setInsertionPointToStart(reader.getBlock());
      rewriter.replaceAllUsesWith(
          argument, arith::ConstantOp::create(
                        rewriter, reader.getLoc(),
                        rewriter.getFloatAttr(argument.getType(), 0)));
    }
  }
  for (Value sums : divisors) {
    rewriter.setInsertionPointAfterValue(sums);
    Value checked = emitChecked(rewriter, sums.getLoc(), sums);
    // What is checked has the sizes of the sums, which it reads for that.
    rewriter.replaceUsesWithIf(sums, checked, [&](OpOperand &use) {
      return use.getOwner() != checked.getDefiningOp() &&
             !isa<tensor::DimOp>(use.getOwner());
    });
  }
}

namespace {
struct DropMaximaPass final : trn::impl::DropMaximaBase<DropMaximaPass> {
  using DropMaximaBase::DropMaximaBase;

  void runOnOperation() override {
    if (getOperation().isExternal() || isKernel(getOperation()))
      return;
    SmallVector<linalg::GenericOp> maxima;
    getOperation().walk([&](linalg::GenericOp op) {
      if (!isReduction(op))
        return;
      auto reduction = matchReduction(op);
      if (reduction && reduction->function == Function::Max)
        maxima.push_back(op);
    });
    SetVector<Operation *> changed;
    for (linalg::GenericOp maximum : maxima) {
      SoftmaxMatcher softmax(maximum);
      std::string reason = softmax.match();
      auto options = remark::RemarkOpts::name("Maxima").category(getArgument());
      if (!reason.empty()) {
        remark::missed(maximum.getLoc(), options)
            << remark::reason("maxima of rows are computed: {0}", reason);
        continue;
      }
      IRRewriter rewriter(&getContext());
      softmax.drop(rewriter);
      changed.insert_range(softmax.readers);
      remark::passed(maximum.getLoc(), options)
          << "no maxima are subtracted: rows whose exponentials do not add up "
             "to 2^-64 to 2^96 have no finite results";
    }
    if (changed.empty())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    // It erases the maxima, too, which nothing reads any more.
    (void)rewriteOps(getOperation(), changed.takeVector(), std::move(patterns),
                     GreedyRewriteConfig());
  }
};
} // namespace
