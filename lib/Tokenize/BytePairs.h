//===- BytePairs.h - Words as tokens by byte pair encoding ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TOKENIZE_BYTEPAIRS_H
#define TRN_LIB_TOKENIZE_BYTEPAIRS_H

#include "JSONPart.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <string>
#include <vector>

namespace mlir::trn {

/// The `model` of a tokenizer.json: pieces, and which neighbours become one, in
/// which order.
class BytePairs {
public:
  /// `isByteLevel`: pieces are of bytes, which the file has as characters of
  /// GPT-2's alphabet.
  static llvm::Expected<BytePairs> parse(const JSONPart &model,
                                         bool isByteLevel);

  /// The number of each piece, as the file has it.
  const llvm::StringMap<int32_t> &pieces() const { return numbers; }

  /// Appends the tokens of a word.
  void encode(llvm::StringRef word, std::vector<int32_t> &tokens) const;

private:
  struct Merge {
    int32_t rank, token;
  };

  llvm::Error parseOptions(const JSONPart &model);
  llvm::Error parsePieces(const JSONPart &model);
  llvm::Error parseMerges(const JSONPart &model);
  llvm::Error addMerge(int32_t rank, llvm::StringRef left,
                       llvm::StringRef right);
  void findBytes();
  void split(llvm::StringRef word, std::vector<int32_t> &tokens) const;
  bool appendBytes(llvm::StringRef text, std::vector<int32_t> &tokens) const;

  static constexpr int32_t none = -1;

  bool isByteLevel = false;
  bool byteFallback = false, fuseUnknown = false, ignoreMerges = false;
  int32_t unknown = none;
  llvm::StringMap<int32_t> numbers;
  /// With `ignoreMerges`: by bytes of words.
  llvm::StringMap<int32_t> words;
  llvm::DenseMap<std::pair<int32_t, int32_t>, Merge> merges;
  std::array<int32_t, 256> byteTokens; // or none
};

/// The byte that a character of GPT-2's alphabet stands for: the text with all
/// characters replaced, or nothing if one is not of the alphabet.
std::optional<std::string> fromByteAlphabet(llvm::StringRef text);

} // namespace mlir::trn

#endif // TRN_LIB_TOKENIZE_BYTEPAIRS_H
