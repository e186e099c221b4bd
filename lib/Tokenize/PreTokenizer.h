//===- PreTokenizer.h - How a text is cut into words ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TOKENIZE_PRETOKENIZER_H
#define TRN_LIB_TOKENIZE_PRETOKENIZER_H

#include "JSONPart.h"
#include "Pattern.h"
#include <string>
#include <vector>

namespace mlir::trn {

/// Cuts texts into words, within which alone pieces are looked for.
class PreTokenizer {
public:
  /// Reads `pre_tokenizer`, which may be null: Split, Digits, Metaspace,
  /// ByteLevel as the last one, and sequences of them.
  static llvm::Expected<PreTokenizer> parse(const llvm::json::Value *value);

  /// Whether pieces are of bytes, in the alphabet of GPT-2, and not of
  /// characters.
  bool isByteLevel() const { return byteLevel; }

  /// Calls `visit` with each word. `isFirst` says whether the whole text begins
  /// with `text`.
  llvm::Error split(llvm::StringRef text, bool isFirst,
                    llvm::function_ref<void(llvm::StringRef)> visit) const {
    return apply(steps, text, isFirst, visit);
  }

private:
  struct Step {
    enum Kind {
      Isolate,       // matches, and what is between them
      KeepMatches,   // only matches
      RemoveMatches, // only what is between them
      SplitBefore,   // each match and what follows it
      ReplaceBlanks, // by `content`
      Prepend,       // `content`, unless the text begins with it
      PrependFirst,  // if the whole text begins there
    } kind;
    std::optional<Pattern> pattern = std::nullopt;
    std::string content = "";
  };
  using Visit = llvm::function_ref<void(llvm::StringRef)>;

  llvm::Error addPart(const JSONPart &part);
  llvm::Error addSplit(const JSONPart &part);
  llvm::Error addMetaspace(const JSONPart &part);
  llvm::Error addByteLevel(const JSONPart &part);
  llvm::Error addPattern(Step::Kind kind, llvm::StringRef pattern);
  static llvm::Error apply(llvm::ArrayRef<Step> steps, llvm::StringRef text,
                           bool isFirst, Visit visit);
  static llvm::Error cut(llvm::ArrayRef<Step> steps, llvm::StringRef text,
                         bool isFirst, Visit visit);

  std::vector<Step> steps;
  bool byteLevel = false;
};

} // namespace mlir::trn

#endif // TRN_LIB_TOKENIZE_PRETOKENIZER_H
