//===- ModuleMachine.h - The machine of a module ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_MODULEMACHINE_H
#define TRN_DIALECT_TRN_IR_MODULEMACHINE_H

#include "trn/Machine/Machine.h"

#include "mlir/IR/Operation.h"

namespace mlir::trn {

/// The machine for which `op` is compiled: the nearest `trn.machine` on an op
/// around it, with its overrides, else the default machine. Emits an error if
/// the attribute has another type.
FailureOr<Machine> getMachine(Operation *op);

/// Compiles `op` and everything in it for `machine`: removes every other
/// `trn.machine`. The attribute holds a known machine, by the same name or else
/// the nearest one, and the differences from it.
void setMachine(Operation *op, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_DIALECT_TRN_IR_MODULEMACHINE_H
