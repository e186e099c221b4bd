//===- Facts.cpp - What is known about the values of a kernel -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Decode/Facts.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::trn;

InFlightDiagnostic mlir::trn::emitRefusal(const Refusal *refusal, Value value,
                                          Operation *user) {
  if (!refusal) {
    InFlightDiagnostic diagnostic =
        user->emitOpError("uses a value that a kernel cannot compute");
    diagnostic.attachNote(value.getLoc()) << "the value is defined here";
    return diagnostic;
  }
  InFlightDiagnostic diagnostic = refusal->op->emitOpError(refusal->reason);
  if (refusal->op != user)
    diagnostic.attachNote(user->getLoc()) << "needed here";
  return diagnostic;
}
