//===- Tokenizer.h - Texts as tokens ----------------------------*- C++ -*-===//
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

/// The numbered pieces of text that a language model knows.
class Tokenizer {
public:
  /// Opens a file of Hugging Face if `path` ends in .json, else one of
  /// llama2.c.
  static llvm::Expected<std::unique_ptr<Tokenizer>> open(llvm::StringRef path);
  virtual ~Tokenizer() = default;

  /// One more than the largest token.
  virtual int64_t size() const = 0;
  /// Whether it fits a model with so many embeddings.
  virtual bool fits(int64_t vocabulary) const = 0;
  /// The tokens of a text, including the marks around it that the model was
  /// trained with. Invalid UTF-8 is kept if the pieces allow it.
  virtual llvm::Expected<std::vector<int32_t>>
  encode(llvm::StringRef text) const = 0;
  /// The bytes of a piece within a text; empty for a mark or an unknown token.
  virtual llvm::StringRef pieceOf(int32_t token) const = 0;
  /// Whether `encode` puts a blank before a text.
  virtual bool hasBlankBefore() const = 0;
  /// Whether a new text begins after this token.
  virtual bool isBegin(int32_t token) const = 0;
};

/// Turns tokens into text, one by one.
class TokenDecoder {
public:
  explicit TokenDecoder(const Tokenizer &tokenizer) : tokenizer(tokenizer) {}

  /// The text of `token`: the bytes of its piece, without the blank that
  /// `encode` put before the text.
  llvm::StringRef decode(int32_t token);

private:
  const Tokenizer &tokenizer;
  bool isAtBegin = true;
};

/// The pieces of a SentencePiece model with their scores, in llama2.c's
/// tokenizer.bin. It has the length of the longest piece in int32, then for
/// each piece its score in f32, its length in int32 and its bytes, little
/// endian.
///
/// A text becomes `begin` and the pieces of " " and the text: characters, or
/// bytes if a character has no piece. Then neighbours that have a common piece
/// are merged, the best score first, the leftmost of equals.
namespace llama2c {
constexpr int32_t unknown = 0, begin = 1, end = 2, firstByte = 3;
llvm::Expected<std::unique_ptr<Tokenizer>>
parseTokenizer(llvm::StringRef bytes);
} // namespace llama2c

/// The tokenizer.json of Hugging Face's `tokenizers` with a byte-pair model: of
/// bytes, as in GPT-2, Llama 3 and Qwen, or of characters, as in Llama 2 and
/// Mistral. Fails with the name of any unsupported part.
llvm::Expected<std::unique_ptr<Tokenizer>>
parseHuggingFaceTokenizer(llvm::StringRef json);

/// The stories of a text: its parts between `<|endoftext|>`, without outer
/// white space; empty parts are dropped.
std::vector<llvm::StringRef> splitStories(llvm::StringRef text);

} // namespace mlir::trn

#endif // TRN_TOKENIZE_TOKENIZER_H
