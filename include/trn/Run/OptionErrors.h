//===- OptionErrors.h - Mistakes of the command line ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUN_OPTIONERRORS_H
#define TRN_RUN_OPTIONERRORS_H

#include "mlir/IR/Diagnostics.h"

namespace mlir::trn {

/// An error of what was asked for: no place in the module of `op` is at fault,
/// so it has none.
InFlightDiagnostic emitOptionError(Operation *op);

/// While it lives, prints what has no place in a module on `os`, as `PREFIX:
/// error: ...` or, without a prefix, `error: ...`. All else is left to handlers
/// that were registered before.
class OptionErrorHandler : public ScopedDiagnosticHandler {
public:
  OptionErrorHandler(MLIRContext *context, llvm::raw_ostream &os,
                     StringRef prefix = "");
};

} // namespace mlir::trn

#endif // TRN_RUN_OPTIONERRORS_H
