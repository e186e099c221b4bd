//===- Analyze.h - What a document costs ------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_LANGUAGESERVER_ANALYZE_H
#define TRN_LIB_LANGUAGESERVER_ANALYZE_H

#include "Text.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::trn::editor {

/// Diagnostics of the protocol, with fixes as `data`, for a document that can
/// be read, part by part between `// -----`. MLIR may crash on it.

/// Kernels are held to the rules of their level. Buffers without addresses must
/// fit on chip, and the two cores of a logical one must agree.
llvm::json::Array checkKernels(const Text &text, StringRef uri,
                               DialectRegistry &registry);

/// The module is compiled with `options` of `trn-compile`: errors, findings,
/// and numbers that are not in their budgets.
llvm::json::Array findCosts(const Text &text, StringRef uri, StringRef options,
                            DialectRegistry &registry);

} // namespace mlir::trn::editor

#endif // TRN_LIB_LANGUAGESERVER_ANALYZE_H
