//===- Answers.h - What we add to answers -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_LANGUAGESERVER_ANSWERS_H
#define TRN_LIB_LANGUAGESERVER_ANSWERS_H

#include "Document.h"

namespace mlir::trn::editor {

/// Compiles a document that is not saved.
constexpr llvm::StringLiteral findCommand = "trn.findings";

/// The result of a request, which MLIR's server has answered by `result`, with
/// what we know besides. `document` may be null.
llvm::json::Value completeAnswer(StringRef method,
                                 const llvm::json::Object &params,
                                 const Document *document,
                                 llvm::json::Value result);

} // namespace mlir::trn::editor

#endif // TRN_LIB_LANGUAGESERVER_ANSWERS_H
