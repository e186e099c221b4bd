//===- PieceDecoder.cpp - What text pieces stand for ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PieceDecoder.h"

#include "BytePairs.h"
#include "Normalizer.h"
#include "Unicode.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::trn;
using llvm::StringRef;

llvm::Expected<PieceDecoder>
PieceDecoder::parse(const llvm::json::Value *value) {
  PieceDecoder decoder;
  if (!value || value->kind() == llvm::json::Value::Null)
    return llvm::createStringError(
        "there is no decoder, which says how pieces become text");
  if (llvm::Error error =
          forEachStep(value, "decoder", "decoders", [&](const JSONPart &part) {
            return decoder.addPart(part);
          }))
    return error;
  return decoder;
}

llvm::Error PieceDecoder::addPart(const JSONPart &part) {
  StringRef type = part.type();
  if (type == "ByteLevel") {
    byteLevel = true;
  } else if (type == "ByteFallback") {
    byteFallback = true;
  } else if (type == "Fuse") {
    fused = true;
  } else if (type == "Replace") {
    auto &[pattern, content] = replaced.emplace_back();
    if (llvm::Error error = readStringPattern(part).moveInto(pattern))
      return error;
    return part.getString("content").moveInto(content);
  } else if (type == "Strip") {
    return addStrip(part);
  } else if (type == "Metaspace") {
    return addMetaspace(part);
  } else {
    return part.refuseType("ByteLevel, ByteFallback, Fuse, Metaspace, Replace, "
                           "Strip and Sequence");
  }
  return llvm::Error::success();
}

llvm::Error PieceDecoder::addStrip(const JSONPart &part) {
  std::string content;
  int32_t start = 0, stop = 0;
  if (llvm::Error error = part.getString("content").moveInto(content))
    return error;
  if (llvm::Error error = part.getToken("start").moveInto(start))
    return error;
  if (llvm::Error error = part.getToken("stop").moveInto(stop))
    return error;
  if (content != " ")
    return part.refuse("content", "a blank");
  if (start > 1)
    return part.refuse("start", "0 or 1");
  if (stop != 0)
    return part.refuse("stop", "0");
  if (!fused)
    return part.refuseType("Strip after Fuse");
  stripped = start == 1;
  return llvm::Error::success();
}

llvm::Error PieceDecoder::addMetaspace(const JSONPart &part) {
  std::string blank, scheme = "always";
  if (llvm::Error error = part.getString("replacement").moveInto(blank))
    return error;
  if (blank.empty() || measureCharacter(blank) != blank.size())
    return part.refuse("replacement", "one character");
  llvm::Expected<bool> isPrepended = part.getBool("add_prefix_space", true);
  if (!isPrepended)
    return isPrepended.takeError();
  if (part.find("prepend_scheme"))
    if (llvm::Error error = part.getString("prepend_scheme").moveInto(scheme))
      return error;
  stripped = *isPrepended && scheme != "never";
  replaced.emplace_back(blank, " ");
  return llvm::Error::success();
}

/// The byte of `<0x0A>`.
static std::optional<char> parseByte(StringRef piece) {
  uint8_t byte;
  if (piece.size() == 6 && piece.consume_front("<0x") &&
      piece.consume_back(">") && llvm::to_integer(piece, byte, 16))
    return char(byte);
  return std::nullopt;
}

llvm::Expected<std::string> PieceDecoder::decode(StringRef piece) const {
  if (byteLevel)
    return fromByteAlphabet(piece).value_or(piece.str());
  if (byteFallback)
    if (std::optional<char> byte = parseByte(piece))
      return std::string(1, *byte);
  std::string text = piece.str();
  for (const auto &[pattern, content] : replaced)
    if (llvm::Error error = replaceAll(text, pattern, content).moveInto(text))
      return error;
  return text;
}
