//===- ModuleMachine.cpp - The machine of a module ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/ModuleMachine.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Machine/MachineIO.h"

using namespace mlir;
using namespace mlir::trn;

/// Overrides as the machine description has them in JSON; anything that is no
/// constant becomes null, which `applyOverrides` refuses by name.
static llvm::json::Object toJson(DictionaryAttr overrides) {
  llvm::json::Object object;
  for (NamedAttribute entry : overrides) {
    llvm::json::Value value = nullptr;
    if (auto flag = dyn_cast<BoolAttr>(entry.getValue()))
      value = flag.getValue();
    else if (auto integer = dyn_cast<IntegerAttr>(entry.getValue()))
      value = integer.getInt();
    else if (auto number = dyn_cast<FloatAttr>(entry.getValue()))
      value = number.getValueAsDouble();
    object[entry.getName().getValue()] = std::move(value);
  }
  return object;
}

FailureOr<Machine> trn::getMachine(Operation *op) {
  TrnDialect::MachineAttrHelper helper(op->getContext());
  while (op && !helper.isAttrPresent(op))
    op = op->getParentOp();
  if (!op)
    return defaultMachine();
  MachineAttr attribute = helper.getAttr(op);

  const Machine *known = findKnownMachine(attribute.getName());
  if (!known) {
    InFlightDiagnostic diagnostic = op->emitError("unknown machine '")
                                    << attribute.getName() << "'; known are ";
    llvm::interleaveComma(
        knownMachines(), diagnostic,
        [&](const Machine &machine) { diagnostic << machine.name; });
    return diagnostic;
  }
  Machine machine = *known;
  if (DictionaryAttr overrides = attribute.getOverrides())
    if (llvm::Error error =
            applyOverrides(machine, toJson(overrides), "trn.machine"))
      return op->emitError(llvm::toString(std::move(error)));
  return machine;
}
