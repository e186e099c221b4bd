//===- WeightGroups.cpp - Weights that become factors together ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightGroups.h"

#include "WeightValues.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::trn;

StringRef mlir::trn::getParameterName(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument
                  ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
                  : func::FuncOp();
  if (!func || !argument.getOwner()->isEntryBlock())
    return "";
  auto name = func.getArgAttrOfType<StringAttr>(
      argument.getArgNumber(), TrnDialect::ParamAttrHelper::getNameStr());
  return name ? name.getValue() : "";
}

namespace {
/// What may be a weight.
struct Candidate {
  WeightUses uses;
  std::string name;
  /// Whether it is computed, or given by who calls the module.
  bool isUnknown = false;
};

class GroupFinder {
public:
  explicit GroupFinder(ModuleOp module)
      : module(module), symbols(module), users(tables, module) {}

  ModuleWeights run();

private:
  void collect(func::FuncOp func);
  /// Null if it cannot be a weight.
  Candidate *collect(Value value);
  void follow(Value value, OpOperand &use);
  void checkCallers(func::FuncOp func);

  ModuleOp module;
  SymbolTable symbols;
  SymbolTableCollection tables;
  SymbolUserMap users;
  llvm::MapVector<Value, Candidate> candidates;
  /// Values that the same code reads.
  llvm::EquivalenceClasses<Value> classes;
};
} // namespace

/// The functions whose code is looked at.
static bool hasHostCode(func::FuncOp func) {
  return !func.isExternal() && !isKernel(func);
}

Candidate *GroupFinder::collect(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getRank() < 2 ||
      !getElementType(type.getElementType()))
    return nullptr;
  return &candidates
              .insert({value,
                       {findWeightUses(value), getParameterName(value).str()}})
              .first->second;
}

void GroupFinder::collect(func::FuncOp func) {
  for (Value argument : func.getArguments())
    collect(argument);
  unsigned next = 0;
  func.walk([&](Operation *op) {
    ElementsAttr attr;
    if (op->getNumResults() != 1 || !matchPattern(op, m_Constant(&attr)))
      return;
    Candidate *weight = collect(op->getResult(0));
    if (!weight ||
        (weight->uses.products.empty() && weight->uses.calls.empty()))
      return;
    std::optional<StringRef> resource = getResourceName(attr);
    std::string ofFunction = (func.getSymName() + "." + Twine(next)).str();
    weight->name = resource ? resource->str() : ofFunction;
    next += !resource;
  });
}

/// Into the function that is called.
void GroupFinder::follow(Value value, OpOperand &use) {
  auto call = cast<func::CallOp>(use.getOwner());
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (callee && hasHostCode(callee))
    classes.unionSets(value, callee.getArgument(use.getOperandNumber()));
  else
    candidates[value].uses.refuse("@" + call.getCallee() + " reads it, too");
}

/// What else the arguments of `func` may be.
void GroupFinder::checkCallers(func::FuncOp func) {
  ArrayRef<Operation *> callers = users.getUsers(func);
  for (BlockArgument argument : func.getArguments()) {
    auto found = candidates.find(argument);
    if (found == candidates.end())
      continue;
    Candidate &weight = found->second;
    weight.isUnknown |= (func.isPublic() || callers.empty()) &&
                        getParameterName(argument).empty();
    for (Operation *user : callers)
      if (!isa<func::CallOp>(user))
        weight.uses.refuse("'" + user->getName().getStringRef() +
                           "' refers to @" + func.getSymName());
      else if (!candidates.contains(user->getOperand(argument.getArgNumber())))
        weight.isUnknown = true;
  }
}

/// Whether all products sum over the same dimensions, or over all others.
static bool haveSameSides(const WeightGroup &group) {
  ArrayRef<bool> dims = group.inputDims();
  return llvm::all_of(group.products, [&](const WeightUse &use) {
    return ArrayRef(use.isSummed) == dims ||
           llvm::all_of_zip(use.isSummed, dims, std::not_equal_to<>());
  });
}

ModuleWeights GroupFinder::run() {
  for (auto func : module.getOps<func::FuncOp>())
    if (hasHostCode(func))
      collect(func);
  for (auto &[value, weight] : candidates)
    for (OpOperand *use : weight.uses.calls)
      follow(value, *use);
  for (auto func : module.getOps<func::FuncOp>())
    if (hasHostCode(func))
      checkCallers(func);

  llvm::MapVector<Value, WeightGroup> byLeader;
  llvm::SmallDenseSet<Value> unknown;
  for (auto &[value, weight] : candidates) {
    Value leader = classes.getOrInsertLeaderValue(value);
    WeightGroup &group = byLeader[leader];
    group.values.push_back(value);
    group.names.push_back(weight.name);
    llvm::append_range(group.products, weight.uses.products);
    if (group.obstacle.empty())
      group.obstacle = weight.uses.obstacle;
    if (weight.isUnknown)
      unknown.insert(leader);
  }
  // Uses of values are in no such order.
  DenseMap<Operation *, unsigned> order;
  module.walk([&](Operation *op) { order[op] = order.size(); });
  ModuleWeights result;
  for (auto &[leader, group] : byLeader) {
    auto place = [&](const WeightUse &use) {
      return std::pair(order.lookup(use.product), use.operand);
    };
    llvm::sort(group.products, [&](const WeightUse &a, const WeightUse &b) {
      return place(a) < place(b);
    });
    bool isNamed = llvm::any_of(
        group.names, [](const std::string &name) { return !name.empty(); });
    if (group.products.empty() || !isNamed)
      continue;
    if (group.obstacle.empty() && unknown.contains(leader))
      group.obstacle = "a function that reads it is also called with what is "
                       "no weight";
    if (group.obstacle.empty() && !haveSameSides(group))
      group.obstacle = "products sum over different dimensions of it";
    result.groups.push_back(std::move(group));
  }
  llvm::SmallDenseSet<Value> grouped;
  for (const WeightGroup &group : result.groups)
    grouped.insert(group.values.begin(), group.values.end());
  for (auto func : module.getOps<func::FuncOp>())
    if (!func.isExternal())
      for (Value argument : func.getArguments())
        if (StringRef name = getParameterName(argument);
            !name.empty() && !grouped.contains(argument))
          result.otherParameters.insert(name.str());
  return result;
}

ModuleWeights mlir::trn::findWeightGroups(ModuleOp module) {
  return GroupFinder(module).run();
}
