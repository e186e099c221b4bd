//===- ControlFlow.cpp - What is known of loops and branches --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/ControlFlow.h"

#include "trn/Analysis/CoreIndex.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

static constexpr int64_t manyTimes = std::numeric_limits<int64_t>::max();

std::optional<int64_t> mlir::trn::countIterations(LoopLikeOpInterface loop) {
  if (std::optional<APInt> count = loop.getStaticTripCount())
    return count->getLimitedValue(manyTimes);
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!lower || !upper || !steps)
    return std::nullopt;
  int64_t count = 1;
  for (auto [from, to, step] : llvm::zip_equal(*lower, *upper, *steps)) {
    std::optional<APInt> dim = constantTripCount(
        from, to, step, /*isSigned=*/true,
        [](Value, Value, bool) { return std::optional<llvm::APSInt>(); });
    if (!dim)
      return std::nullopt;
    int64_t size = dim->getLimitedValue(manyTimes);
    if (llvm::MulOverflow(count, size, count))
      count = manyTimes;
  }
  return count;
}

/// Conditions that are further from their constants wait for a canonicalizer.
static constexpr unsigned maxFoldDepth = 8;

/// Folds what computes `value`, on core `core` if that is known; null if it is
/// not constant.
static Attribute evaluateConstant(Value value, std::optional<int64_t> core,
                                  unsigned depth = 0) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  if (auto result = dyn_cast<OpResult>(value); result && core)
    if (std::optional<int64_t> index = evaluateOnCore(result, *core))
      return Builder(value.getContext()).getIndexAttr(*index);
  Operation *op = value.getDefiningOp();
  if (!op || depth == maxFoldDepth || op->getNumResults() != 1 ||
      op->getNumOperands() == 0 || !isMemoryEffectFree(op))
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    if (Attribute folded = evaluateConstant(operand, core, depth + 1))
      operands.push_back(folded);
    else
      return {};
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  return dyn_cast<Attribute>(results.front());
}

SmallVector<RegionSuccessor>
mlir::trn::findEntries(RegionBranchOpInterface branch,
                       std::optional<int64_t> core) {
  auto operands = llvm::map_to_vector(branch->getOperands(), [&](Value value) {
    return evaluateConstant(value, core);
  });
  SmallVector<RegionSuccessor> successors;
  branch.getEntrySuccessorRegions(operands, successors);
  return successors;
}
