//===- MachineRange.cpp - How far a machine is known ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/MachineRange.h"

#include "trn/Machine/MachineFields.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

MachineEnds mlir::trn::endsOf(const Machine &machine) {
  MachineEnds ends{machine, machine};
  for (auto [field, origin] : llvm::zip(machineFields(), machine.origins)) {
    if (!origin.range)
      continue;
    auto [fast, slow] = *origin.range;
    if (!field.isTime())
      std::swap(fast, slow);
    field.set(ends.fastest, fast);
    field.set(ends.slowest, slow);
  }
  return ends;
}
