//===- TokenizeText.h - trn-llm encode and decode ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_LLM_TOKENIZETEXT_H
#define TRN_TOOLS_TRN_LLM_TOKENIZETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::trn {

/// The file that `trn-llm encode -o` writes, or nothing.
llvm::StringRef getTokensFile();

// `tokenizer` is a file, or nothing: the one that lies beside `model`. `path`
// is a file with texts or tokens, or `-`.

/// Prints the tokens of a text, or writes them to a file.
llvm::Error encodeFile(llvm::StringRef model, llvm::StringRef tokenizer,
                       llvm::StringRef path);
/// Prints the text of tokens.
llvm::Error decodeFile(llvm::StringRef model, llvm::StringRef tokenizer,
                       llvm::StringRef path);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_LLM_TOKENIZETEXT_H
