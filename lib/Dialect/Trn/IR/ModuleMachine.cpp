//===- ModuleMachine.cpp - The machine of a module ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/ModuleMachine.h"

#include "trn/Dialect/Trn/IR/TrnBase.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Machine/MachineFields.h"
#include "trn/Machine/MachineIO.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::trn;

/// An override as the machine description has it in JSON; what is no constant
/// becomes text, which `applyOverrides` refuses and quotes.
static llvm::json::Value toJson(Attribute attr) {
  if (auto flag = dyn_cast<BoolAttr>(attr))
    return flag.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(attr);
      integer && integer.getValue().isSignedIntN(64))
    return integer.getValue().getSExtValue();
  if (auto number = dyn_cast<FloatAttr>(attr))
    return number.getValueAsDouble();
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return text;
}

static llvm::Expected<Machine> makeMachine(StringRef name,
                                           DictionaryAttr overrides) {
  const Machine *known = findKnownMachine(name);
  if (!known) {
    std::string names;
    llvm::raw_string_ostream os(names);
    llvm::interleaveComma(knownMachines(), os,
                          [&](const Machine &machine) { os << machine.name; });
    return llvm::createStringError("unknown machine '" + name +
                                   "'; known are " + names);
  }
  if (!overrides)
    return *known;
  llvm::json::Object object;
  for (NamedAttribute entry : overrides)
    object[entry.getName().strref()] = toJson(entry.getValue());
  Machine machine = *known;
  if (llvm::Error error = applyOverrides(machine, object, "trn.machine"))
    return error;
  return machine;
}

LogicalResult
MachineAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    StringRef name, DictionaryAttr overrides) {
  llvm::Expected<Machine> machine = makeMachine(name, overrides);
  if (machine)
    return success();
  return emitError() << llvm::toString(machine.takeError());
}

FailureOr<Machine> trn::getMachine(Operation *op) {
  TrnDialect::MachineAttrHelper helper(op->getContext());
  while (op && !op->hasAttr(helper.getName()))
    op = op->getParentOp();
  if (!op)
    return defaultMachine();
  auto attribute = op->getAttrOfType<MachineAttr>(helper.getName());
  if (!attribute)
    return op->emitError("trn.machine must be a #trn.machine, but is ")
           << op->getAttr(helper.getName());
  llvm::Expected<Machine> machine =
      makeMachine(attribute.getName(), attribute.getOverrides());
  if (machine)
    return *machine;
  return op->emitError(llvm::toString(machine.takeError()));
}

/// The known machine that `machine` has most constants of: what is not
/// overridden keeps its source and its range.
static const Machine *findNearest(const Machine &machine) {
  auto countDifferences = [&](const Machine &known) {
    return llvm::count_if(machineFields(), [&](const MachineField &field) {
      return field.get(machine) != field.get(known);
    });
  };
  return llvm::min_element(knownMachines(),
                           [&](const Machine &a, const Machine &b) {
                             return countDifferences(a) < countDifferences(b);
                           });
}

void trn::setMachine(Operation *op, const Machine &machine) {
  op->getContext()->loadDialect<TrnDialect>();
  Builder builder(op->getContext());
  const Machine *base = findKnownMachine(machine.name);
  if (!base)
    base = findNearest(machine);
  SmallVector<NamedAttribute> overrides;
  for (const MachineField &field : machineFields()) {
    double value = field.get(machine);
    if (value == field.get(*base))
      continue;
    Attribute attr = field.isBool() ? builder.getBoolAttr(value != 0)
                     : field.isInteger()
                         ? Attribute(builder.getI64IntegerAttr(value))
                         : builder.getF64FloatAttr(value);
    overrides.push_back(builder.getNamedAttr(field.key, attr));
  }
  TrnDialect::MachineAttrHelper helper(op->getContext());
  op->walk([&](Operation *inner) { inner->removeAttr(helper.getName()); });
  helper.setAttr(op,
                 MachineAttr::get(op->getContext(), base->name,
                                  overrides.empty()
                                      ? DictionaryAttr()
                                      : builder.getDictionaryAttr(overrides)));
}
