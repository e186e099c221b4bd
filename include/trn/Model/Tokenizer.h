//===- Tokenizer.h - Text as numbers of pieces ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_TOKENIZER_H
#define TRN_MODEL_TOKENIZER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::trn {

/// The pieces of a SentencePiece model with their scores, as llama2.c has them
/// in tokenizer.bin: the length of the longest in int32, then for each its
/// score in f32, its length in int32 and its bytes, little endian.
class Tokenizer {
public:
  static constexpr int32_t unknown = 0, begin = 1, end = 2, firstByte = 3;

  static llvm::Expected<Tokenizer> open(llvm::StringRef path);
  static llvm::Expected<Tokenizer> parse(llvm::StringRef bytes);

  int64_t size() const { return pieces.size(); }
  /// `begin` and the pieces of " " and `text`: characters, or bytes if there is
  /// no piece for one; then, as long as there is a piece for two neighbours,
  /// those with the best score become one, the leftmost of equals.
  std::vector<int32_t> encode(llvm::StringRef text) const;
  /// The bytes of a piece behind `previous`: what `begin` put before the text
  /// is left out.
  std::string decode(int32_t previous, int32_t token) const;

private:
  Tokenizer() = default;
  std::vector<int32_t> splitCharacters(llvm::StringRef text) const;

  std::vector<std::string> pieces;
  std::vector<float> scores;
  llvm::StringMap<int32_t> numbers;
};

/// The stories of a text: what lies between `<|endoftext|>`, without white
/// space around it, if anything is left.
std::vector<llvm::StringRef> splitStories(llvm::StringRef text);

} // namespace mlir::trn

#endif // TRN_MODEL_TOKENIZER_H
