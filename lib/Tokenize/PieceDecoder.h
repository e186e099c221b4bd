//===- PieceDecoder.h - What pieces stand for -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TOKENIZE_PIECEDECODER_H
#define TRN_LIB_TOKENIZE_PIECEDECODER_H

#include "JSONPart.h"
#include <string>
#include <vector>

namespace mlir::trn {

/// The `decoder` of a tokenizer.json.
class PieceDecoder {
public:
  /// Reads ByteLevel; Metaspace; and sequences of Replace, ByteFallback, Fuse
  /// and the Strip of one blank at the beginning.
  static llvm::Expected<PieceDecoder> parse(const llvm::json::Value *value);

  /// The bytes that a piece stands for.
  llvm::Expected<std::string> decode(llvm::StringRef piece) const;
  /// Whether a blank is left out where a text begins.
  bool stripsBlank() const { return stripped; }

private:
  llvm::Error addPart(const JSONPart &part);
  llvm::Error addStrip(const JSONPart &part);
  llvm::Error addMetaspace(const JSONPart &part);

  bool byteLevel = false, byteFallback = false, fused = false, stripped = false;
  /// What is put in place of what.
  std::vector<std::pair<std::string, std::string>> replaced;
};

} // namespace mlir::trn

#endif // TRN_LIB_TOKENIZE_PIECEDECODER_H
