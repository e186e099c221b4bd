//===- KnownMachines.h - The machines of this project -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MACHINE_KNOWNMACHINES_H
#define TRN_MACHINE_KNOWNMACHINES_H

#include "trn/Machine/Machine.h"

#include "llvm/ADT/ArrayRef.h"

namespace mlir::trn {

/// `trn1` (NeuronCore-v2) and `trn2` (NeuronCore-v3), one core each.
llvm::ArrayRef<Machine> knownMachines();

/// The known machine of that name, or null.
const Machine *findKnownMachine(llvm::StringRef name);

/// The machine of a module that names none.
const Machine &defaultMachine();

} // namespace mlir::trn

#endif // TRN_MACHINE_KNOWNMACHINES_H
