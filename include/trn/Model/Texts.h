//===- Texts.h - Texts as tokens --------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_TEXTS_H
#define TRN_MODEL_TEXTS_H

#include "trn/Model/Score.h"
#include "trn/Model/Tokenizer.h"

namespace mlir::trn {

/// The tokenizer of the model at `model`: `path`, if that is given, else
/// tokenizer.bin or the only tok*.bin beside it. Fails if there is none or it
/// has other pieces than the model.
llvm::Expected<Tokenizer>
findTokenizer(llvm::StringRef path, llvm::StringRef model, int64_t vocabulary);

/// The first `count` stories of a file, or all if it is 0, each one with its
/// first `maxTokens` tokens.
llvm::Expected<std::vector<HostModel::Tokens>>
readStories(llvm::StringRef path, const Tokenizer &tokenizer, int64_t count,
            int64_t maxTokens);

/// The items of a file of JSON lines: `context`, `choices` and `answer`, the
/// number of the right one from 0 on, or `context_ids` and `choices_ids` with
/// tokens.
llvm::Expected<std::vector<ChoiceItem>> readChoices(llvm::StringRef path,
                                                    const Tokenizer &tokenizer);

} // namespace mlir::trn

#endif // TRN_MODEL_TEXTS_H
