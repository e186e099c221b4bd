//===- Fixes.h - Edits that help against a diagnostic -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_LANGUAGESERVER_FIXES_H
#define TRN_LIB_LANGUAGESERVER_FIXES_H

#include "Text.h"

namespace mlir::trn::editor {

/// An edit with a title, as `data` of a diagnostic keeps it in an array.
llvm::json::Object makeFix(const Text &text, StringRef title, Span span,
                           StringRef replacement);

/// Narrows the range of a diagnostic to the word that it quotes, and adds what
/// the word may have meant as `data`.
void refine(const Text &text, llvm::json::Object &diagnostic);

/// The brackets behind the attribute `name`, which is the first one from `from`
/// on: the offset of the one that opens.
std::optional<size_t> openingOf(const Text &text, StringRef name, size_t from);

/// What sets the limit of `key` in the `trn.budget` of the function at `from`.
std::optional<llvm::json::Object> setLimit(const Text &text, size_t from,
                                           StringRef key, StringRef value);

/// What gives the function at `from`, which has no budget, one.
std::optional<llvm::json::Object> addBudget(const Text &text, size_t from,
                                            StringRef key, StringRef value);

/// What replaces the plan in the `trn.schedule` of the function at `from`; an
/// empty one leaves it to the compiler.
std::optional<llvm::json::Object> setPlan(const Text &text, size_t from,
                                          StringRef plan);

} // namespace mlir::trn::editor

#endif // TRN_LIB_LANGUAGESERVER_FIXES_H
