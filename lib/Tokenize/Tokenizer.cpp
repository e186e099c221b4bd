//===- Tokenizer.cpp - Text as numbers of pieces --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Tokenize/Tokenizer.h"

#include "trn/Support/InputFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::StringRef;

/// Files that have a tokenizer in them, but in another form.
static llvm::Error refuseOthers(StringRef path) {
  StringRef extension = llvm::sys::path::extension(path);
  const char *name = extension == ".model"      ? "a model of SentencePiece"
                     : extension == ".gguf"     ? "GGUF"
                     : extension == ".tiktoken" ? "a file of tiktoken"
                                                : nullptr;
  if (!name)
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "{0} is not read; take the tokenizer.json of the model (transformers "
      "writes one: AutoTokenizer.from_pretrained(MODEL).save_pretrained("
      "FOLDER)), or give tokens as npy",
      name));
}

static llvm::Expected<std::unique_ptr<Tokenizer>> read(StringRef path) {
  if (llvm::Error error = refuseOthers(path))
    return error;
  const bool isJSON = llvm::sys::path::extension(path) == ".json";
  auto buffer = readInputFile(path, /*isText=*/isJSON);
  if (!buffer)
    return buffer.takeError();
  StringRef bytes = (*buffer)->getBuffer();
  return isJSON ? parseHuggingFaceTokenizer(bytes)
                : llama2c::parseTokenizer(bytes);
}

llvm::Expected<std::unique_ptr<Tokenizer>> Tokenizer::open(StringRef path) {
  auto tokenizer = read(path);
  if (!tokenizer)
    return llvm::createFileError(path, tokenizer.takeError());
  return tokenizer;
}

StringRef TokenDecoder::decode(int32_t token) {
  StringRef piece = tokenizer.pieceOf(token);
  const bool wasAtBegin = isAtBegin;
  isAtBegin = (wasAtBegin && piece.empty()) || tokenizer.isBegin(token);
  if (wasAtBegin && tokenizer.hasBlankBefore())
    piece.consume_front(" ");
  return piece;
}

std::vector<StringRef> mlir::trn::splitStories(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, "<|endoftext|>");
  std::vector<StringRef> stories;
  for (StringRef part : parts)
    if (StringRef story = part.trim(); !story.empty())
      stories.push_back(story);
  return stories;
}
