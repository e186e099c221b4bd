//===- CountedLoops.cpp - Loops that count
//---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// JAX writes the layers of a model as a loop that counts, with tensors of one
// number:
//
//   scf.while (%n = %zero, %h = %x) : (tensor<i32>, ...) {
//     %c = arith.cmpi slt, (tensor.extract %n[]), 16
//     scf.condition(%c) %n, %h
//   } do {
//     ...
//     scf.yield (linalg.generic { arith.addi } %n, %one), %next
//   }
//
// Nobody knows how often it runs, so each kernel of it is a launch. As
//
//   scf.for %i = 0 to 16 step 1 iter_args(%h = %x)
//
// its kernels follow each other. What it writes into parts of a tensor, as the
// caches of all layers, is a concatenation if the loop is unrolled.

#include "OneSpelling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// A number, or a sum of what a block is given and a number.
struct Count {
  BlockArgument argument = {};
  int64_t number = 0;
};

/// A comparison with a constant.
struct Limit {
  BlockArgument argument;
  int64_t number;
};
} // namespace

/// Whether `value` is a scalar or a tensor of one.
static bool isNumber(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return !type || (type.hasStaticShape() && type.getNumElements() == 1);
}

/// The scalar, or the only element of a tensor, that `value` stands for: what a
/// body computes of its inputs is followed to these.
static Value findScalar(Value value) {
  while (isNumber(value)) {
    if (auto extract = value.getDefiningOp<tensor::ExtractOp>();
        extract && extract.getIndices().empty())
      value = extract.getTensor();
    else if (auto elements = value.getDefiningOp<tensor::FromElementsOp>();
             elements && elements.getType().getRank() == 0)
      value = elements.getElements()[0];
    else if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
      if (!op || op.getNumLoops() != 0 || !op.hasPureTensorSemantics())
        return value;
      OpOperand *operand = op.getMatchingOpOperand(argument);
      value = operand->get();
    } else if (auto op = value.getDefiningOp<linalg::LinalgOp>();
               op && op.getNumLoops() == 0 && op.hasPureTensorSemantics() &&
               op->getNumResults() == 1) {
      value = op.getBlock()->getTerminator()->getOperand(0);
    } else {
      return value;
    }
  }
  return value;
}

static std::optional<Count> matchCount(Value value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 8;
  value = findScalar(value);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isNumber(argument) ? std::optional(Count{argument}) : std::nullopt;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && number.getBitWidth() <= 64)
    return Count{{}, number.getSExtValue()};
  auto add = value.getDefiningOp<arith::AddIOp>();
  if (!add || depth == maxDepth)
    return std::nullopt;
  auto left = matchCount(add.getLhs(), depth + 1),
       right = matchCount(add.getRhs(), depth + 1);
  int64_t sum;
  if (!left || !right || (left->argument && right->argument) ||
      llvm::AddOverflow(left->number, right->number, sum))
    return std::nullopt;
  return Count{left->argument ? left->argument : right->argument, sum};
}

/// What `condition` says of one of the arguments: that it is below a number.
static std::optional<Limit> matchLimit(Value condition) {
  auto compare = findScalar(condition).getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt)
    return std::nullopt;
  auto left = matchCount(compare.getLhs()),
       right = matchCount(compare.getRhs());
  if (!left || !right || !left->argument || left->number || right->argument)
    return std::nullopt;
  return Limit{left->argument, right->number};
}

/// Replaces `count`, an integer or a tensor of one, by `number`, an index.
static void replaceCount(OpBuilder &builder, Value count, Value number) {
  Location loc = count.getLoc();
  Type element = getElementTypeOrSelf(count.getType());
  if (!element.isIndex())
    number = arith::IndexCastOp::create(builder, loc, element, number);
  auto type = dyn_cast<RankedTensorType>(count.getType());
  if (!type)
    return count.replaceAllUsesWith(number);
  bool isRead = llvm::any_of(count.getUsers(), [](Operation *user) {
    return !isa<tensor::ExtractOp>(user);
  });
  Value tensor =
      isRead ? tensor::FromElementsOp::create(builder, loc, type, number)
             : Value();
  // The host would have to read the number from a tensor.
  for (Operation *user : llvm::make_early_inc_range(count.getUsers()))
    if (isa<tensor::ExtractOp>(user)) {
      user->replaceAllUsesWith(ValueRange(number));
      user->erase();
    }
  if (isRead)
    count.replaceAllUsesWith(tensor);
}

/// What it counts to, if a count of `type` holds that. Nobody counts further
/// than an i32 does.
static std::optional<int64_t> findEnd(int64_t first, int64_t limit,
                                      int64_t step, Type type) {
  Type element = getElementTypeOrSelf(type);
  unsigned bits =
      element.isIndex() ? 32 : std::min(32u, element.getIntOrFloatBitWidth());
  auto fits = [&](int64_t number) { return llvm::isIntN(bits, number); };
  if (!fits(first) || !fits(limit) || !fits(step))
    return std::nullopt;
  int64_t trips = llvm::divideCeil(std::max<int64_t>(limit - first, 0), step);
  int64_t end = first + trips * step;
  return fits(end) ? std::optional(end) : std::nullopt;
}

static void countLoop(scf::WhileOp loop) {
  Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
  scf::ConditionOp condition = loop.getConditionOp();
  std::optional<Limit> limit = matchLimit(condition.getCondition());
  if (!limit || limit->argument.getOwner() != before ||
      !llvm::equal(condition.getArgs(), before->getArguments()) ||
      llvm::any_of(before->without_terminator(),
                   [](Operation &op) { return !isMemoryEffectFree(&op); }))
    return;
  const unsigned counter = limit->argument.getArgNumber();
  BlockArgument inside = after->getArgument(counter);
  auto first = matchCount(loop.getInits()[counter]);
  auto next = matchCount(after->getTerminator()->getOperand(counter));
  if (!first || first->argument || !next || next->argument != inside ||
      next->number <= 0)
    return;
  std::optional<int64_t> end =
      findEnd(first->number, limit->number, next->number, inside.getType());
  if (!end)
    return;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto indexOf = [&](int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  SmallVector<Value> inits(loop.getInits());
  inits.erase(inits.begin() + counter);
  auto counted =
      scf::ForOp::create(builder, loc, indexOf(first->number), indexOf(*end),
                         indexOf(next->number), inits,
                         [](OpBuilder &, Location, Value, ValueRange) {});
  // The counter is that of the loop, and known behind it.
  Block *body = counted.getBody();
  Operation *yield = after->getTerminator();
  builder.setInsertionPoint(yield);
  SmallVector<Value> yielded(yield->getOperands());
  yielded.erase(yielded.begin() + counter);
  scf::YieldOp::create(builder, yield->getLoc(), yielded);
  yield->erase();
  builder.setInsertionPointToStart(after);
  replaceCount(builder, inside, counted.getInductionVar());
  SmallVector<Value> arguments(after->getArguments());
  arguments.erase(arguments.begin() + counter);
  for (auto [argument, own] : llvm::zip(arguments, counted.getRegionIterArgs()))
    argument.replaceAllUsesWith(own);
  body->getOperations().splice(body->end(), after->getOperations());
  builder.setInsertionPointAfter(counted);
  replaceCount(builder, loop.getResult(counter), indexOf(*end));
  SmallVector<Value> results(loop.getResults());
  results.erase(results.begin() + counter);
  for (auto [result, own] : llvm::zip(results, counted.getResults()))
    result.replaceAllUsesWith(own);
  loop.erase();
}

/// Whether each iteration of `loop` writes a part of a tensor that it is given,
/// as the results of all layers: the host would do that between kernels.
static bool writesParts(scf::ForOp loop) {
  return llvm::any_of(loop.getRegionIterArgs(), [](BlockArgument argument) {
    return llvm::any_of(argument.getUsers(), [&](Operation *user) {
      auto insert = dyn_cast<tensor::InsertSliceOp>(user);
      return insert && insert.getDest() == argument;
    });
  });
}

/// Writes the iterations of `loop` one behind the other, so that what it puts
/// together is known.
static void unroll(scf::ForOp loop) {
  constexpr int64_t maxTrips = 100;
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips || trips->ugt(maxTrips) || !writesParts(loop))
    return;
  auto func = loop->getParentOfType<func::FuncOp>();
  if (failed(loopUnrollFull(loop)))
    return;
  // Offsets become numbers.
  RewritePatternSet patterns(func.getContext());
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns,
                                                      func.getContext());
  tensor::InsertSliceOp::getCanonicalizationPatterns(patterns,
                                                     func.getContext());
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op) ||
        isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
      ops.push_back(op);
  });
  (void)applyOpPatternsGreedily(ops, std::move(patterns));
}

void mlir::trn::countLoops(func::FuncOp func) {
  SmallVector<scf::WhileOp> counting; // readers of a counter may go
  func.walk([&](scf::WhileOp loop) { counting.push_back(loop); });
  llvm::for_each(counting, countLoop);
  SmallVector<scf::ForOp> loops;
  func.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) // inner ones come first
    unroll(loop);
}
