//===- ErasePrints.h - Runs without output ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUNTIME_ERASEPRINTS_H
#define TRN_RUNTIME_ERASEPRINTS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::trn {

/// Erases calls of upstream's functions that print memrefs, for internal runs.
/// Host code may call them though they have no body.
void erasePrints(ModuleOp module);

} // namespace mlir::trn

#endif // TRN_RUNTIME_ERASEPRINTS_H
