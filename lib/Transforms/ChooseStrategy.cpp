//===- ChooseStrategy.cpp - How a chain becomes kernels -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/ChooseStrategy.h"

#include "trn/Machine/Machine.h"
#include "trn/Transforms/ChainMatcher.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::trn;

/// 2 * multiply-adds of `product`, or none if that overflows.
static std::optional<int64_t> countProductFlops(const Product &product) {
  std::optional<int64_t> macs = llvm::checkedMul(product.m, product.n);
  if (macs)
    macs = llvm::checkedMul(*macs, product.k);
  return macs ? llvm::checkedMul(*macs, int64_t(2)) : std::nullopt;
}

std::optional<int64_t> mlir::trn::countFlops(const Chain &chain) {
  std::optional<int64_t> flops = countProductFlops(chain.first);
  if (!flops || !chain.second)
    return flops;
  std::optional<int64_t> rest = countProductFlops(*chain.second);
  return rest ? llvm::checkedAdd(*flops, *rest) : std::nullopt;
}

static ChainShape shapeOf(const Chain &chain) {
  ChainShape shape;
  shape.m = chain.first.m;
  shape.k = chain.first.k;
  shape.r = chain.second ? chain.second->k : 0;
  shape.n = chain.last().n;
  shape.type = chain.first.operandType;
  shape.inputTransposed = chain.first.lhsTransposed;
  shape.outputTransposed = chain.last().resultTransposed;
  return shape;
}

/// The modelled time of `chain` under `strategy` with blocks of the planner's
/// choice, or why it cannot be planned.
static llvm::Expected<double> planTime(const Chain &chain, Strategy strategy,
                                       TransposeMode transpose,
                                       const Machine &machine) {
  ChainShape shape = shapeOf(chain);
  SmallVector<ChainShape> kernels{shape};
  if (strategy == Strategy::Sequential && !shape.isSingle()) {
    auto [first, second] = splitSequential(shape, transpose);
    kernels = {first, second};
  }
  double time = 0;
  for (const ChainShape &kernel : kernels) {
    llvm::Expected<BlockPlan> plan =
        planBlocks(kernel, strategy, transpose, BlockRequest(), machine);
    if (!plan)
      return plan.takeError();
    time += plan->weighedNs() + machine.kernelOverheadNs;
  }
  return time;
}

llvm::Expected<Strategy> mlir::trn::chooseStrategy(const Chain &chain,
                                                   StrategyRequest request,
                                                   TransposeMode transpose,
                                                   const Machine &machine) {
  SmallVector<Strategy> candidates{Strategy::StripCache, Strategy::Sequential};
  if (request == StrategyRequest::StripCache || !chain.second)
    candidates = {Strategy::StripCache};
  if (chain.second && request == StrategyRequest::Sequential)
    candidates = {Strategy::Sequential};
  if (chain.second && request == StrategyRequest::Recompute)
    candidates = {Strategy::Recompute};
  std::optional<std::pair<double, Strategy>> best;
  llvm::Error failures = llvm::Error::success();
  for (Strategy strategy : candidates) {
    llvm::Expected<double> time = planTime(chain, strategy, transpose, machine);
    if (!time)
      failures = llvm::joinErrors(std::move(failures), time.takeError());
    else if (!best || *time < best->first)
      best = {*time, strategy};
  }
  if (!best)
    return std::move(failures);
  llvm::consumeError(std::move(failures));
  return best->second;
}
