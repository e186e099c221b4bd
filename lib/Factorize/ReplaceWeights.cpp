//===- ReplaceWeights.cpp - Factors instead of weights --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReplaceWeights.h"

#include "FactorProduct.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

FactoredGroup::FactoredGroup(const WeightGroup &group) : group(&group) {
  for (auto [size, isInput] :
       llvm::zip_equal(group.type().getShape(), group.inputDims()))
    (isInput ? in : out) *= size;
}

OfFactors<RankedTensorType> FactoredGroup::types() const {
  RankedTensorType whole = group->type();
  auto typeOf = [&](bool hasInputs) {
    SmallVector<int64_t> shape;
    for (std::optional<unsigned> dim :
         layOutFactor(group->inputDims(), hasInputs))
      shape.push_back(dim ? whole.getDimSize(*dim) : rank);
    return RankedTensorType::get(shape, whole.getElementType());
  };
  return {typeOf(true), typeOf(false)};
}

OfFactors<std::string> mlir::trn::nameFactors(StringRef name) {
  StringRef suffix = name.ends_with(".weight") ? ".weight" : "";
  StringRef stem = name.drop_back(suffix.size());
  std::string start = stem.consume_back("proj") ? stem.str() : stem.str() + "_";
  return {start + "v_proj" + suffix.str(), start + "u_proj" + suffix.str()};
}

namespace {
class Replacer {
public:
  explicit Replacer(ArrayRef<FactoredGroup> groups) : groups(groups) {}

  void run(ModuleOp module);

private:
  void addFactors(const FactoredGroup &group);
  void addArguments(BlockArgument argument, const FactoredGroup &group);
  void replaceProducts(const WeightGroup &group);
  void updateCall(func::CallOp call);

  ArrayRef<FactoredGroup> groups;
  /// By weight.
  DenseMap<Value, OfFactors<Value>> factors;
  /// Arguments that have gone into factors.
  SmallVector<BlockArgument> replaced;
};
} // namespace

/// Behind `argument`, which goes when nothing reads it any more.
void Replacer::addArguments(BlockArgument argument,
                            const FactoredGroup &group) {
  auto func = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  StringRef param = TrnDialect::ParamAttrHelper::getNameStr();
  unsigned position = argument.getArgNumber();
  auto [firstType, secondType] = group.types();
  auto [firstName, secondName] = nameFactors(getParameterName(argument));
  auto insert = [&](unsigned at, Type type, StringRef name) {
    NamedAttrList attributes(func.getArgAttrDict(position));
    if (attributes.get(param))
      attributes.set(param, StringAttr::get(func.getContext(), name));
    // Types of arguments of functions can be changed.
    (void)func.insertArgument(at, type,
                              attributes.getDictionary(func.getContext()),
                              argument.getLoc());
    return func.getArgument(at);
  };
  Value first = insert(position + 1, firstType, firstName);
  factors[argument] = {first, insert(position + 2, secondType, secondName)};
  replaced.push_back(argument);
}

void Replacer::addFactors(const FactoredGroup &group) {
  for (Value value : group.group->values) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      addArguments(argument, group);
      continue;
    }
    OpBuilder builder(value.getDefiningOp());
    const auto &[first, second] = group.constants.find(value)->second;
    auto create = [&](ElementsAttr attr) -> Value {
      return arith::ConstantOp::create(builder, value.getLoc(),
                                       cast<TypedAttr>(attr));
    };
    Value created = create(first);
    factors[value] = {created, create(second)};
  }
}

void Replacer::replaceProducts(const WeightGroup &group) {
  SmallVector<bool> inputs(group.inputDims());
  for (const WeightUse &use : group.products) {
    auto [inner, outer] = factors.lookup(use.weight);
    if (use.isSummed != inputs)
      std::swap(inner, outer);
    replaceByFactors(use, inner, outer);
  }
}

void Replacer::updateCall(func::CallOp call) {
  SmallVector<Value> operands;
  SmallVector<Attribute> attributes;
  ArrayAttr known = call.getArgAttrsAttr();
  for (auto [i, operand] : llvm::enumerate(call.getOperands())) {
    auto found = factors.find(operand);
    if (found == factors.end())
      operands.push_back(operand);
    else
      operands.append({found->second.first, found->second.second});
    if (known)
      attributes.resize(operands.size(), known[i]);
  }
  call->setOperands(operands);
  if (known)
    call.setArgAttrsAttr(ArrayAttr::get(call.getContext(), attributes));
}

/// Erases what was computed of `value` and is not needed.
static void eraseDeadReaders(Value value) {
  llvm::SmallSetVector<Operation *, 4> readers(llvm::from_range,
                                               value.getUsers());
  for (Operation *reader : readers) {
    for (Value result : reader->getResults())
      eraseDeadReaders(result);
    if (isOpTriviallyDead(reader))
      reader->erase();
  }
}

void Replacer::run(ModuleOp module) {
  for (const FactoredGroup &group : groups)
    addFactors(group);
  for (const FactoredGroup &group : groups)
    replaceProducts(*group.group);
  module.walk([&](func::CallOp call) {
    if (llvm::any_of(call.getOperands(),
                     [&](Value operand) { return factors.contains(operand); }))
      updateCall(call);
  });
  for (BlockArgument argument : replaced) {
    eraseDeadReaders(argument);
    auto func = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    (void)func.eraseArgument(argument.getArgNumber());
  }
}

void mlir::trn::replaceWeights(ModuleOp module,
                               ArrayRef<FactoredGroup> groups) {
  Replacer(groups).run(module);
}
