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
#include "trn/Tokenize/Tokenizer.h"

namespace mlir::trn {

/// Files in or beside `model` that may be its tokenizer.
std::vector<std::string> findTokenizers(llvm::StringRef model);

/// The tokenizer of the model at `model`: `path`, if given, else tokenizer.bin,
/// tokenizer.json or the only tok*.bin beside it. Fails if there is none, or if
/// it does not fit `vocabulary`, the number of embeddings, if known.
llvm::Expected<std::unique_ptr<Tokenizer>>
findTokenizer(llvm::StringRef path, llvm::StringRef model,
              std::optional<int64_t> vocabulary);

/// The choice of sequences from a file, and their lengths.
struct SequenceChoice {
  int64_t count = 0; // all if 0, or if there are fewer
  int64_t maxTokens = 0;
  /// Draws sequences at random, each at most once, instead of taking the first.
  std::optional<uint64_t> seed = std::nullopt;
};

/// Reads sequences for a model.
class SequenceReader {
public:
  /// With the path of the tokenizer, or empty; see `findTokenizer`.
  SequenceReader(llvm::StringRef model, llvm::StringRef tokenizerFile,
                 int64_t vocabulary)
      : model(model), tokenizerFile(tokenizerFile), vocabulary(vocabulary) {}

  /// The stories of a text, or the rows of an npy file of integers, which needs
  /// no tokenizer. In the order of the file.
  llvm::Expected<std::vector<HostModel::Tokens>>
  read(llvm::StringRef path, const SequenceChoice &choice);

private:
  llvm::Error tokenize(llvm::StringRef path, const SequenceChoice &choice,
                       std::vector<HostModel::Tokens> &sequences);

  std::string model, tokenizerFile;
  int64_t vocabulary;
  std::unique_ptr<Tokenizer> tokenizer;
};

/// The tokens of an npy file of integers, a vector or one row.
llvm::Expected<HostModel::Tokens> readIds(llvm::StringRef path);

/// Items of a JSON lines file: `context`, `choices` and `answer`, the number of
/// the right one from 0 on. `context_ids` and `choices_ids` have tokens
/// instead. Texts need a tokenizer; without one, tokens have no lengths.
llvm::Expected<std::vector<ChoiceItem>> readChoices(llvm::StringRef path,
                                                    const Tokenizer *tokenizer);

} // namespace mlir::trn

#endif // TRN_MODEL_TEXTS_H
