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

/// The machine that `op` is compiled for: the nearest `trn.machine` on an op
/// around it with its overrides, the default machine if there is none. Emits an
/// error if the attribute is of another kind.
FailureOr<Machine> getMachine(Operation *op);

/// Makes `op` and everything in it be compiled for `machine`: removes every
/// other `trn.machine`. The attribute names a known machine, the one of that
/// name or else the nearest, and holds what differs from it.
void setMachine(Operation *op, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_DIALECT_TRN_IR_MODULEMACHINE_H
