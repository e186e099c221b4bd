//===- ReductionMatcher.cpp - Reductions in linalg ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;
using llvm::formatv;

bool mlir::trn::isReduction(Operation *op) {
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() > 0 &&
         linalgOp.hasPureTensorSemantics() && !isProductLike(linalgOp) &&
         !linalg::isaConvolutionOpInterface(linalgOp);
}

/// The function that folds values into one. That of a NaN and a number is a NaN
/// on the core, whichever maximum the source asks for.
static std::optional<Function> foldingFunctionOf(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Function>>(op)
      .Case<arith::AddFOp>([](auto) { return Function::Add; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [](auto) { return Function::Max; })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [](auto) { return Function::Min; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether folding by `op`, which is `function`, starts with `number` so that
/// it takes no part: the least finite number is as good as minus infinity, and
/// some maxima drop a NaN.
static bool isNeutral(Operation *op, Function function, const APFloat &number) {
  if (function == Function::Add)
    return number.isZero();
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op) && number.isNaN())
    return true;
  bool hasSign = number.isNegative() == (function == Function::Max);
  return hasSign && (number.isInfinity() || number.isLargest());
}

/// What all elements of `tensor` are, by a fill or a constant.
static std::optional<APFloat> findNumber(Value tensor) {
  FloatAttr number;
  SplatElementsAttr splat;
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>();
      fill && matchPattern(fill.getInputs()[0], m_Constant(&number)))
    return number.getValue();
  if (matchPattern(tensor, m_Constant(&splat)) &&
      isa<FloatType>(splat.getElementType()))
    return splat.getSplatValue<APFloat>();
  return std::nullopt;
}

std::optional<MatchedReduction> mlir::trn::matchFold(linalg::LinalgOp op,
                                                     std::string *obstacle) {
  auto refuse = [&](const Twine &reason) -> std::optional<MatchedReduction> {
    if (obstacle)
      *obstacle = reason.str();
    return std::nullopt;
  };
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  if (op.getNumDpsInits() != 1)
    return refuse(formatv("it has {0} results", op.getNumDpsInits()));
  Block *body = op.getBlock();
  BlockArgument accumulator =
      op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  Operation *fold = body->getTerminator()->getOperand(0).getDefiningOp();
  auto function = fold ? foldingFunctionOf(fold) : std::nullopt;
  if (!function || !accumulator.hasOneUse() ||
      *accumulator.user_begin() != fold)
    return refuse("it reduces, but not by a sum, a maximum or a minimum");
  Value value = fold->getOperand(fold->getOperand(0) == accumulator ? 1 : 0);
  Type type = accumulator.getType();
  if (function == Function::Add && !type.isF32())
    return refuse(formatv("it sums in {0}, but kernels sum in f32", type));
  std::optional<APFloat> start = findNumber(op.getDpsInitOperand(0)->get());
  if (!start || !isNeutral(fold, *function, *start))
    return refuse("it reduces onto values that may change the result; start "
                  "with zeros, or infinity, and combine after it");
  return MatchedReduction{*function, value, loops.front()};
}

std::optional<MatchedReduction>
mlir::trn::matchReduction(linalg::LinalgOp op, std::string *obstacle) {
  if (unsigned loops = op.getNumReductionLoops(); loops != 1) {
    if (obstacle)
      *obstacle = formatv("it reduces {0} dimensions at once, but a kernel can "
                          "one; collapse them",
                          loops);
    return std::nullopt;
  }
  return matchFold(op, obstacle);
}

int64_t mlir::trn::chooseRows(ArrayRef<int64_t> shape,
                              llvm::function_ref<bool(int64_t)> isBatch) {
  int64_t rows = -1;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!isBatch(dim) && (rows < 0 || size >= shape[rows]))
      rows = dim;
  return rows < 0 ? int64_t(shape.size()) - 1 : rows;
}
