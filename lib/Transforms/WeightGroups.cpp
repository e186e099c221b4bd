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
#include "llvm/ADT/IntEqClasses.h"
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
class GroupFinder {
public:
  explicit GroupFinder(ModuleOp module)
      : module(module), symbols(module), users(tables, module) {}

  ModuleWeights run();

private:
  void collect(func::FuncOp func);
  void collect(Value value);
  void follow(unsigned number, OpOperand &use);
  void checkCallers(func::FuncOp func);
  void refuse(Value value, const Twine &reason) {
    std::string &obstacle = uses[numbers.lookup(value)].obstacle;
    if (obstacle.empty())
      obstacle = reason.str();
  }

  ModuleOp module;
  SymbolTable symbols;
  SymbolTableCollection tables;
  SymbolUserMap users;
  /// What may be a weight.
  SmallVector<Value> values;
  DenseMap<Value, unsigned> numbers;
  std::vector<WeightUses> uses;
  std::vector<std::string> names;
  /// Whether it is computed, or given by who calls the module.
  std::vector<bool> isUnknown;
  llvm::IntEqClasses classes;
};
} // namespace

/// The functions whose code is looked at.
static bool hasHostCode(func::FuncOp func) {
  return !func.isExternal() && !isKernel(func);
}

void GroupFinder::collect(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getRank() < 2 ||
      !getElementType(type.getElementType()))
    return;
  numbers[value] = values.size();
  values.push_back(value);
  uses.push_back(findWeightUses(value));
  names.push_back(getParameterName(value).str());
  isUnknown.push_back(false);
}

void GroupFinder::collect(func::FuncOp func) {
  for (Value argument : func.getArguments())
    collect(argument);
  unsigned next = 0;
  func.walk([&](Operation *op) {
    ElementsAttr attr;
    if (op->getNumResults() != 1 || !matchPattern(op, m_Constant(&attr)))
      return;
    collect(op->getResult(0));
    auto number = numbers.find(op->getResult(0));
    if (number == numbers.end())
      return;
    const WeightUses &readers = uses[number->second];
    if (readers.products.empty() && readers.calls.empty())
      return;
    std::optional<StringRef> resource = getResourceName(attr);
    std::string ofFunction = (func.getSymName() + "." + Twine(next)).str();
    names[number->second] = resource ? resource->str() : ofFunction;
    next += !resource;
  });
}

/// Into the function that is called.
void GroupFinder::follow(unsigned number, OpOperand &use) {
  auto call = cast<func::CallOp>(use.getOwner());
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || !hasHostCode(callee))
    return refuse(values[number], "@" + call.getCallee() + " reads it, too");
  Value argument = callee.getArgument(use.getOperandNumber());
  classes.join(number, numbers.lookup(argument));
}

/// What else the arguments of `func` may be.
void GroupFinder::checkCallers(func::FuncOp func) {
  auto isCall = [&](Operation *user) { return isa<func::CallOp>(user); };
  ArrayRef<Operation *> callers = users.getUsers(func);
  for (Value argument : func.getArguments()) {
    auto found = numbers.find(argument);
    if (found == numbers.end())
      continue;
    unsigned number = found->second;
    if ((func.isPublic() || callers.empty()) &&
        getParameterName(argument).empty())
      isUnknown[number] = true;
    for (Operation *user : callers) {
      unsigned position = cast<BlockArgument>(argument).getArgNumber();
      if (!isCall(user))
        refuse(argument, "'" + user->getName().getStringRef() +
                             "' refers to @" + func.getSymName());
      else if (!numbers.contains(user->getOperand(position)))
        isUnknown[number] = true;
    }
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
  classes.grow(values.size());
  for (unsigned number = 0; number < values.size(); ++number)
    for (OpOperand *use : uses[number].calls)
      follow(number, *use);
  for (auto func : module.getOps<func::FuncOp>())
    if (hasHostCode(func))
      checkCallers(func);
  classes.compress();

  llvm::MapVector<unsigned, WeightGroup> byClass;
  std::set<unsigned> unknown;
  for (unsigned number = 0; number < values.size(); ++number) {
    WeightGroup &group = byClass[classes[number]];
    group.values.push_back(values[number]);
    group.names.push_back(names[number]);
    llvm::append_range(group.products, uses[number].products);
    if (group.obstacle.empty())
      group.obstacle = uses[number].obstacle;
    if (isUnknown[number])
      unknown.insert(classes[number]);
  }
  // Uses of values are in no such order.
  DenseMap<Operation *, unsigned> order;
  module.walk([&](Operation *op) { order[op] = order.size(); });
  ModuleWeights result;
  for (auto &[number, group] : byClass) {
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
    if (group.obstacle.empty() && unknown.count(number))
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
