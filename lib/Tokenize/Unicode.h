//===- Unicode.h - Characters of texts --------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TOKENIZE_UNICODE_H
#define TRN_LIB_TOKENIZE_UNICODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir::trn {

/// A code point; or, of a text that is not UTF-8, `brokenByte` + a byte, which
/// is in no category and comes back as it was.
using Character = uint32_t;
constexpr Character brokenByte = 0x110000;

/// The number of bytes of the first character of `text`, which is not empty: 1
/// if that is no UTF-8.
size_t measureCharacter(llvm::StringRef text);

llvm::SmallVector<Character> decodeUTF8(llvm::StringRef text);
/// The number of bytes of which `decodeUTF8` made them.
size_t countBytes(llvm::ArrayRef<Character> characters);
void appendUTF8(std::string &text, Character character);

/// A set of general categories, one bit each.
using Categories = uint32_t;

/// Those that a name of one or two letters means, such as `L` or `Lu`.
std::optional<Categories> findCategories(llvm::StringRef name);

/// The only category of a character, or none of a broken byte.
Categories categoryOf(Character character);

/// The property White_Space, which is what `\s` of tokenizers means.
bool isWhiteSpace(Character character);

/// The Normalization Form C of a text: letters and their accents are one
/// character where there is one. Broken bytes stay.
std::string composeNFC(llvm::StringRef text);

} // namespace mlir::trn

#endif // TRN_LIB_TOKENIZE_UNICODE_H
