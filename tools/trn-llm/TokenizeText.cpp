//===- TokenizeText.cpp - trn-llm encode and decode -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TokenizeText.h"

#include "Commands.h"
#include "TextStream.h"
#include "trn/Model/Texts.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/NPY.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {
cl::opt<std::string> tokensFile("o",
                                cl::desc("Write tokens as npy, one row of them "
                                         "(default: print numbers)"),
                                cl::value_desc("file"),
                                cl::sub(getEncodeCommand()),
                                cl::cat(getCategory()));
cl::opt<bool> lines("lines", cl::desc("Each line is a text of its own"),
                    cl::sub(getEncodeCommand()), cl::sub(getDecodeCommand()),
                    cl::cat(getCategory()));
} // namespace

StringRef mlir::trn::getTokensFile() { return tokensFile; }

/// Visits the texts of a file: its lines, or all of it as one.
static llvm::Error
forEachText(StringRef path, llvm::function_ref<llvm::Error(StringRef)> visit) {
  auto buffer = readInputFile(path, /*isText=*/true);
  if (!buffer)
    return llvm::createFileError(path, buffer.takeError());
  StringRef rest = (*buffer)->getBuffer();
  if (!lines)
    return visit(rest);
  while (!rest.empty()) {
    auto [line, behind] = rest.split('\n');
    if (llvm::Error error = visit(line))
      return error;
    rest = behind;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

static llvm::Error writeTokens(llvm::ArrayRef<int32_t> tokens) {
  llvm::Expected<HostTensor> row =
      HostTensor::create(HostType::integer(32), {1, int64_t(tokens.size())});
  if (!row)
    return row.takeError();
  llvm::copy(tokens, static_cast<int32_t *>(row->data()));
  return writeNPY(tokensFile, *row);
}

llvm::Error mlir::trn::encodeFile(StringRef model, StringRef tokenizerFile,
                                  StringRef path) {
  if (lines && !tokensFile.empty())
    return createStringError("--lines makes rows of different lengths, which "
                             "-o cannot write; leave out one of them");
  auto tokenizer = findTokenizer(tokenizerFile, model, std::nullopt);
  if (!tokenizer)
    return tokenizer.takeError();
  return forEachText(path, [&](StringRef text) -> llvm::Error {
    auto tokens = (*tokenizer)->encode(text);
    if (!tokens)
      return llvm::createFileError(path, tokens.takeError());
    if (!tokensFile.empty())
      return writeTokens(*tokens);
    llvm::interleave(*tokens, llvm::outs(), " ");
    llvm::outs() << "\n";
    return llvm::Error::success();
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Prints the text of tokens.
static llvm::Error printText(llvm::ArrayRef<int32_t> tokens,
                             const Tokenizer &tokenizer) {
  TokenDecoder decoder(tokenizer);
  for (int32_t token : tokens) {
    if (token < 0 || token >= tokenizer.size())
      return createStringError(
          formatv("there is no token {0}, only {1} from 0 on", token,
                  tokenizer.size()));
    printPiece(decoder.decode(token));
  }
  if (lines)
    llvm::outs() << "\n";
  return llvm::Error::success();
}

/// Prints the text of numbers between white space.
static llvm::Error printText(StringRef numbers, const Tokenizer &tokenizer) {
  std::vector<int32_t> tokens;
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(numbers, words);
  for (StringRef word : words)
    if (!llvm::to_integer(word, tokens.emplace_back(), 10))
      return createStringError(
          formatv("'{0}' is no number of a token", word.take_front(40)));
  return printText(tokens, tokenizer);
}

llvm::Error mlir::trn::decodeFile(StringRef model, StringRef tokenizerFile,
                                  StringRef path) {
  auto tokenizer = findTokenizer(tokenizerFile, model, std::nullopt);
  if (!tokenizer)
    return tokenizer.takeError();
  if (path.ends_with(".npy")) {
    llvm::Expected<HostModel::Tokens> tokens = readIds(path);
    return tokens ? printText(*tokens, **tokenizer) : tokens.takeError();
  }
  return forEachText(path, [&](StringRef numbers) -> llvm::Error {
    if (llvm::Error error = printText(numbers, **tokenizer))
      return llvm::createFileError(path, std::move(error));
    return llvm::Error::success();
  });
}
