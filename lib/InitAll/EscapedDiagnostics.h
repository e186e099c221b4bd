//===- EscapedDiagnostics.h - Foreign text in diagnostics -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INITALL_ESCAPEDDIAGNOSTICS_H
#define TRN_LIB_INITALL_ESCAPEDDIAGNOSTICS_H

namespace mlir {
class DialectRegistry;

namespace trn {

/// Escapes what diagnostics take from a module, upstream's, too: names and
/// locations may have characters that a terminal would act on.
void registerEscapedDiagnostics(DialectRegistry &registry);

} // namespace trn
} // namespace mlir

#endif // TRN_LIB_INITALL_ESCAPEDDIAGNOSTICS_H
