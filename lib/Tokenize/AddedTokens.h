//===- AddedTokens.h - Pieces that are found before others ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TOKENIZE_ADDEDTOKENS_H
#define TRN_LIB_TOKENIZE_ADDEDTOKENS_H

#include "JSONPart.h"
#include <array>
#include <string>
#include <vector>

namespace mlir::trn {

/// A piece of `added_tokens`, such as `<|im_start|>`.
struct AddedToken {
  std::string content;
  int32_t number;
  /// It is a mark: no text comes of it.
  bool isSpecial;
  /// It is looked for in the text as it is after the normalizer.
  bool isNormalized;
  /// It takes the white space before or behind it with it.
  bool takesBefore, takesBehind;
};

/// Reads `added_tokens`, or nothing from null.
llvm::Expected<std::vector<AddedToken>>
parseAddedTokens(const llvm::json::Value *value);

/// Finds added tokens in texts: from left to right, the longest one.
class AddedTokenFinder {
public:
  explicit AddedTokenFinder(std::vector<AddedToken> tokens);

  /// Calls `visitText` with what lies between tokens, if there is something,
  /// and `visitToken` with tokens, in their order.
  llvm::Error split(llvm::StringRef text,
                    llvm::function_ref<llvm::Error(llvm::StringRef)> visitText,
                    llvm::function_ref<void(int32_t)> visitToken) const;

private:
  const AddedToken *findAt(llvm::StringRef text) const;

  std::vector<AddedToken> tokens;
  /// By the first byte, the longest first.
  std::array<std::vector<size_t>, 256> starts;
};

} // namespace mlir::trn

#endif // TRN_LIB_TOKENIZE_ADDEDTOKENS_H
