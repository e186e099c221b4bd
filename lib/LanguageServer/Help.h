//===- Help.h - Hover and completion ----------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_LANGUAGESERVER_HELP_H
#define TRN_LIB_LANGUAGESERVER_HELP_H

#include "Text.h"

namespace mlir::trn::editor {

/// The documentation of what stands at `offset`, in Markdown; empty: it is
/// nothing of ours.
std::string hoverAt(const Text &text, size_t offset);

/// Words of ours that may stand at `offset`, as items of the protocol.
llvm::json::Array completionsAt(const Text &text, size_t offset);

/// Adds our documentation to the items that MLIR's parser offers, and our words
/// that it does not know.
void addCompletions(const Text &text, size_t offset, llvm::json::Array &items);

} // namespace mlir::trn::editor

#endif // TRN_LIB_LANGUAGESERVER_HELP_H
