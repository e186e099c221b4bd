//===- OutlineLoad.cpp - Work on weights as a function of its own ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `findHostOps` calls a load moves, with all that it is computed from,
// into a function that takes weights, and becomes an argument where it stood:
//
//   func @main(%x, %w) {                func @main.load(%w) -> tensor {
//     %t = linalg.transpose %w            %t = linalg.transpose %w
//     call @kernel(%x, %t)         =>     return %t }
//   }                                   func @main(%x, %w, %t) {
//                                         call @kernel(%x, %t) }
//
// Functions that are called come first: their callers load for them, which is
// a load of the callers.
//
//===----------------------------------------------------------------------===//

#include "HostCompiler.h"

#include "trn/Analysis/CalledFunctions.h"
#include "trn/Analysis/HostOps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::trn;

/// Erases what computes values that nobody uses.
static void eraseUnused(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

namespace {

/// Builds the function that loads for another one.
class LoadBuilder {
public:
  explicit LoadBuilder(func::FuncOp function);

  /// Moves the results of `ops` into the load; returns nothing if nobody needs
  /// one.
  std::optional<OutlinedLoad> outline(ArrayRef<Operation *> ops);

private:
  /// Copies `op` and all that it is computed from.
  void copy(Operation *op);
  void copy(Value value);

  func::FuncOp function;
  OutlinedLoad load;
  OpBuilder builder;
  IRMapping copies;
};

} // namespace

LoadBuilder::LoadBuilder(func::FuncOp function)
    : function(function), builder(function.getContext()) {
  load.function = func::FuncOp::create(function.getLoc(),
                                       (function.getSymName() + ".load").str(),
                                       builder.getFunctionType({}, {}));
  load.function.setPrivate();
  SymbolTable(function->getParentOfType<ModuleOp>()).insert(load.function);
  builder.setInsertionPointToStart(load.function.addEntryBlock());
}

void LoadBuilder::copy(Value value) {
  if (copies.contains(value))
    return;
  if (Operation *op = value.getDefiningOp())
    return copy(op);
  // Nothing else is known to be a weight.
  auto argument = cast<BlockArgument>(value);
  assert(argument.getOwner() == &function.getBody().front());
  load.arguments.push_back(argument.getArgNumber());
  copies.map(argument, builder.getBlock()->addArgument(argument.getType(),
                                                       argument.getLoc()));
}

void LoadBuilder::copy(Operation *op) {
  if (op->getNumResults() && copies.contains(op->getResult(0)))
    return;
  SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  for (Value value : read)
    copy(value);
  builder.clone(*op, copies);
}

std::optional<OutlinedLoad> LoadBuilder::outline(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    copy(op);
  const unsigned first = function.getNumArguments();
  SmallVector<Value> loaded, used;
  for (Operation *op : ops)
    for (Value result : op->getResults()) {
      (void)function.insertArgument(function.getNumArguments(),
                                    result.getType(), {}, result.getLoc());
      result.replaceAllUsesWith(function.getArguments().back());
      loaded.push_back(copies.lookup(result));
    }
  for (Operation *op : ops)
    op->erase();
  eraseUnused(function);
  // What only other loads are computed from, nobody takes.
  llvm::BitVector unused(function.getNumArguments());
  for (auto [index, value] : llvm::enumerate(loaded))
    if (function.getArgument(first + index).use_empty())
      unused.set(first + index);
    else
      used.push_back(value);
  (void)function.eraseArguments(unused);
  if (used.empty()) {
    load.function.erase();
    return std::nullopt;
  }
  func::ReturnOp::create(builder, function.getLoc(), used);
  load.function.setType(builder.getFunctionType(
      load.function.front().getArgumentTypes(), TypeRange(ValueRange(used))));
  eraseUnused(load.function);
  return std::move(load);
}

/// Lets all callers of a function load for it, and returns what they call.
static SmallVector<func::CallOp> loadInCallers(func::FuncOp function,
                                               const OutlinedLoad &load) {
  SmallVector<func::CallOp> loads;
  auto module = function->getParentOfType<ModuleOp>();
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, module);
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto call = cast<func::CallOp>(use.getUser());
    OpBuilder builder(call);
    SmallVector<Value> weights;
    for (unsigned argument : load.arguments)
      weights.push_back(call.getOperand(argument));
    loads.push_back(
        func::CallOp::create(builder, call.getLoc(), load.function, weights));
    call->insertOperands(call.getNumOperands(), loads.back().getResults());
  }
  return loads;
}

/// Whether this host has tensors for the results of `op`.
static bool canKeep(Operation *op) {
  return llvm::all_of(op->getResultTypes(), [](Type type) {
    return getHostType(cast<TensorType>(type).getElementType());
  });
}

std::optional<OutlinedLoad> mlir::trn::outlineLoad(func::FuncOp entry) {
  DenseMap<Operation *, SmallVector<Operation *>> loads; // by function
  for (const HostOp &host : findHostOps(entry))
    if (host.isLoad && canKeep(host.op))
      loads[host.op->getParentOfType<func::FuncOp>()].push_back(host.op);
  std::optional<OutlinedLoad> load;
  // The entry is the last one.
  SmallVector<func::FuncOp> functions = findCalledFunctions(entry);
  for (func::FuncOp function : llvm::reverse(functions)) {
    load = std::nullopt;
    auto ops = loads.find(function);
    if (ops == loads.end())
      continue;
    load = LoadBuilder(function).outline(ops->second);
    if (function == entry || !load)
      continue;
    for (func::CallOp call : loadInCallers(function, *load))
      loads[call->getParentOfType<func::FuncOp>()].push_back(call);
  }
  return load;
}
