//===- HostOps.cpp - Work that stays on the host --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/HostOps.h"

#include "HostWork.h"
#include "trn/Analysis/CalledFunctions.h"
#include "trn/Analysis/ControlFlow.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ParallelCombiningOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

static constexpr int64_t manyTimes = std::numeric_limits<int64_t>::max();

static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? manyTimes : product;
}

static int64_t add(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? manyTimes : sum;
}

namespace {

/// Walks functions, callers first, with how often each of them runs.
class HostOpFinder {
public:
  explicit HostOpFinder(func::FuncOp entry) {
    calls[entry] = {1, SmallVector<bool>(entry.getNumArguments(), false)};
  }

  void visit(func::FuncOp function);

  SmallVector<HostOp> ops;

private:
  void visit(Region &region, int64_t times);
  void visit(Operation *op, int64_t times);
  void visitCall(func::CallOp call, int64_t times);
  void visitLoop(LoopLikeOpInterface loop, int64_t times);
  bool readsKnownValues(Operation *op);

  /// All calls of a function together.
  struct Calls {
    int64_t executions = 0;
    /// For each argument, whether all calls give a known value.
    SmallVector<bool> isKnown;
  };
  DenseMap<Operation *, Calls> calls;
  /// Values that follow from weights and constants alone.
  DenseSet<Value> known;
  SymbolTableCollection symbols;
};

} // namespace

void HostOpFinder::visit(func::FuncOp function) {
  Calls all = calls[function];
  if (all.executions == 0) // called where nothing is visited
    return;
  StringRef param = TrnDialect::ParamAttrHelper::getNameStr();
  for (auto [argument, isKnown] :
       llvm::zip_equal(function.getArguments(), all.isKnown))
    if (isKnown || function.getArgAttr(argument.getArgNumber(), param))
      known.insert(argument);
  visit(function.getBody(), all.executions);
}

void HostOpFinder::visit(Region &region, int64_t times) {
  for (Block &block : region)
    for (Operation &op : block)
      visit(&op, times);
}

bool HostOpFinder::readsKnownValues(Operation *op) {
  // What it holds may change, whatever is known of the buffer.
  if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
    auto global = symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    return global && global.getConstant();
  }
  // Weights in buffers stay what they are.
  if (!isa<bufferization::ToTensorOp>(op) && !isMemoryEffectFree(op))
    return false;
  SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  return llvm::all_of(read, [&](Value value) { return known.contains(value); });
}

/// Whether all results are tensors that somebody can keep.
static bool givesTensors(Operation *op) {
  return llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
}

void HostOpFinder::visit(Operation *op, int64_t times) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCall(call, times);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return visitLoop(loop, times);
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    for (const RegionSuccessor &entry : findEntries(branch))
      if (Region *region = entry.getSuccessor())
        visit(*region, times);
    return;
  }
  // The end of parallel iterations, which puts together what they give.
  if (isa<InParallelOpInterface>(op)) {
    visit(op->getRegion(0), times);
    return;
  }
  bool isKnown = readsKnownValues(op);
  if (isKnown)
    known.insert_range(op->getResults());
  if (isHostWork(op))
    ops.push_back({op, times, countMovedBytes(op),
                   isKnown && readsData(op) && givesTensors(op)});
}

void HostOpFinder::visitLoop(LoopLikeOpInterface loop, int64_t times) {
  std::optional<int64_t> count = countIterations(loop);
  // Both regions of a while loop are one.
  for (Region &region : loop->getRegions())
    visit(region, multiply(times, count.value_or(1)));
}

void HostOpFinder::visitCall(func::CallOp call, int64_t times) {
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (!callee)
    return;
  Calls &all = calls[callee];
  all.executions = add(all.executions, times);
  all.isKnown.resize(call.getNumOperands(), true);
  for (auto [isKnown, operand] :
       llvm::zip_equal(all.isKnown, call.getOperands()))
    isKnown = isKnown && known.contains(operand);
}

SmallVector<HostOp> mlir::trn::findHostOps(func::FuncOp entry) {
  if (isKernel(entry))
    return {};
  HostOpFinder finder(entry);
  for (func::FuncOp function : findCalledFunctions(entry))
    if (!isKernel(function))
      finder.visit(function);
  return std::move(finder.ops);
}
