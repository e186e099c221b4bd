//===- ErasePrints.h - Runs that print nothing ------------------*- C++ -*-===//
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

/// Erases the calls of upstream's functions that print memrefs, which host code
/// may call though they have no body, for runs that are nobody's but ours.
void erasePrints(ModuleOp module);

} // namespace mlir::trn

#endif // TRN_RUNTIME_ERASEPRINTS_H
