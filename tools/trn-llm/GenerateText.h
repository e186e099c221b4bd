//===- GenerateText.h - trn-llm generate ------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_LLM_GENERATETEXT_H
#define TRN_TOOLS_TRN_LLM_GENERATETEXT_H

#include "trn/Model/Checkpoint.h"

namespace mlir::trn {

/// The file that `--ids` names, or nothing.
llvm::StringRef getIdsFile();

/// Prints the prompt and how the model goes on, piece by piece, and returns
/// what a report has of it. `model` is where the checkpoint is, and `tokenizer`
/// its tokenizer.bin, or nothing.
llvm::Expected<llvm::json::Object> generateText(const Checkpoint &checkpoint,
                                                llvm::StringRef model,
                                                llvm::StringRef tokenizer,
                                                unsigned threads);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_LLM_GENERATETEXT_H
