//===- OptionErrors.cpp - Mistakes of the command line --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/OptionErrors.h"

#include "trn/Decode/Decode.h"

#include "mlir/IR/Operation.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::trn;

InFlightDiagnostic mlir::trn::emitOptionError(Operation *op) {
  return emitError(UnknownLoc::get(op->getContext()));
}

static void print(Diagnostic &diagnostic, StringRef prefix,
                  llvm::raw_ostream &os) {
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    llvm::WithColor::error(os, prefix);
    break;
  case DiagnosticSeverity::Warning:
    llvm::WithColor::warning(os, prefix);
    break;
  case DiagnosticSeverity::Remark:
    llvm::WithColor::remark(os, prefix);
    break;
  case DiagnosticSeverity::Note:
    llvm::WithColor::note(os, prefix);
    break;
  }
  os << diagnostic << "\n";
}

OptionErrorHandler::OptionErrorHandler(MLIRContext *context,
                                       llvm::raw_ostream &os, StringRef prefix)
    : ScopedDiagnosticHandler(context) {
  setHandler([&os, prefix = prefix.str()](Diagnostic &diagnostic) {
    if (!isa<UnknownLoc>(diagnostic.getLocation()))
      return failure();
    print(diagnostic, prefix, os);
    for (Diagnostic &note : diagnostic.getNotes())
      print(note,
            isa<UnknownLoc>(note.getLocation())
                ? prefix
                : describeLocation(note.getLocation()),
            os);
    return success();
  });
}
