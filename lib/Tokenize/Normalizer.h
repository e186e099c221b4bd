//===- Normalizer.h - What is done to a text first --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TOKENIZE_NORMALIZER_H
#define TRN_LIB_TOKENIZE_NORMALIZER_H

#include "JSONPart.h"
#include <string>
#include <vector>

namespace mlir::trn {

/// Changes a text before it is cut into words.
class Normalizer {
public:
  /// Reads `normalizer`, which may be null: NFC, Prepend, Replace of strings,
  /// and sequences of them.
  static llvm::Expected<Normalizer> parse(const llvm::json::Value *value);

  llvm::Expected<std::string> apply(llvm::StringRef text) const;

private:
  struct Step {
    enum Kind { NFC, Prepend, Replace } kind;
    std::string pattern, content;
  };

  llvm::Error addStep(const JSONPart &part);

  std::vector<Step> steps;
};

/// The string that `pattern` of a part is; fails if it is a regular expression,
/// empty or too long for a `Pattern`.
llvm::Expected<std::string> readStringPattern(const JSONPart &part);

/// Fails before a text becomes so long that it would take the memory of others.
llvm::Expected<std::string> replaceAll(llvm::StringRef text,
                                       llvm::StringRef pattern,
                                       llvm::StringRef content);

} // namespace mlir::trn

#endif // TRN_LIB_TOKENIZE_NORMALIZER_H
