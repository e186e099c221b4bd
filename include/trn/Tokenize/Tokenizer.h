//===- Tokenizer.h - Text as numbers of pieces ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOKENIZE_TOKENIZER_H
#define TRN_TOKENIZE_TOKENIZER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir::trn {

/// The pieces of texts that a language model knows by number.
class Tokenizer {
public:
  /// A file of Hugging Face if `path` ends in .json, else one of llama2.c.
  static llvm::Expected<std::unique_ptr<Tokenizer>> open(llvm::StringRef path);
  virtual ~Tokenizer() = default;

  /// One more than the largest token.
  virtual int64_t size() const = 0;
  /// Whether it can be that of a model with so many embeddings.
  virtual bool fits(int64_t vocabulary) const = 0;
  /// The tokens of a text, with those marks around it that the model was
  /// trained with. Bytes that are no UTF-8 are kept where the pieces allow it.
  virtual llvm::Expected<std::vector<int32_t>>
  encode(llvm::StringRef text) const = 0;
  /// The bytes of a piece within a text: none for a mark, or if there is no
  /// such token.
  virtual llvm::StringRef pieceOf(int32_t token) const = 0;
  /// Whether `encode` puts a blank before a text.
  virtual bool hasBlankBefore() const = 0;
  /// Whether a text begins anew after this token.
  virtual bool isBegin(int32_t token) const = 0;
};

/// Makes text of tokens, one after the other.
class TokenDecoder {
public:
  explicit TokenDecoder(const Tokenizer &tokenizer) : tokenizer(tokenizer) {}

  /// What `token` adds to the text: the bytes of its piece, but for the blank
  /// that `encode` put before the text.
  llvm::StringRef decode(int32_t token);

private:
  const Tokenizer &tokenizer;
  bool isAtBegin = true;
};

/// The pieces of a SentencePiece model with their scores, as llama2.c has them
/// in tokenizer.bin: the length of the longest in int32, then for each its
/// score in f32, its length in int32 and its bytes, little endian.
///
/// A text is `begin` and the pieces of " " and the text: characters, or bytes
/// if there is no piece for one; then, as long as there is a piece for two
/// neighbours, those with the best score become one, the leftmost of equals.
namespace llama2c {
constexpr int32_t unknown = 0, begin = 1, end = 2, firstByte = 3;
llvm::Expected<std::unique_ptr<Tokenizer>>
parseTokenizer(llvm::StringRef bytes);
} // namespace llama2c

/// The tokenizer.json of Hugging Face's `tokenizers`, with a model of byte
/// pairs: of bytes, as GPT-2, Llama 3 and Qwen have it, or of characters, as
/// Llama 2 and Mistral have it. Fails with the name of what is not read.
llvm::Expected<std::unique_ptr<Tokenizer>>
parseHuggingFaceTokenizer(llvm::StringRef json);

/// The stories of a text: what lies between `<|endoftext|>`, without white
/// space around it, if anything is left.
std::vector<llvm::StringRef> splitStories(llvm::StringRef text);

} // namespace mlir::trn

#endif // TRN_TOKENIZE_TOKENIZER_H
