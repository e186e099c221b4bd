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

/// An error about the request, not about a place in the module of `op`; it has
/// no location.
InFlightDiagnostic emitOptionError(Operation *op);

/// While alive, prints diagnostics without a location on `os`, as
/// `PREFIX: error: ...` or `error: ...`. Earlier handlers receive all others.
class OptionErrorHandler : public ScopedDiagnosticHandler {
public:
  OptionErrorHandler(MLIRContext *context, llvm::raw_ostream &os,
                     StringRef prefix = "");
};

} // namespace mlir::trn

#endif // TRN_RUN_OPTIONERRORS_H
