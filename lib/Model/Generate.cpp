//===- Generate.cpp - Text from a language model --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Generate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;

llvm::Error GenerateOptions::check(llvm::ArrayRef<int32_t> prompt) const {
  if (count < 1)
    return createStringError(
        formatv("{0} tokens are requested, but at least 1 is needed", count));
  if (prompt.empty())
    return createStringError("the prompt has no token");
  if (int64_t(prompt.size()) > context)
    return createStringError(
        formatv("the prompt has {0} tokens, but the model takes {1} at most; "
                "shorten it",
                prompt.size(), context));
  for (int32_t token : prompt)
    if (token < 0 || token >= vocabulary)
      return createStringError(
          formatv("token {0} of the prompt is outside of the vocabulary of {1}",
                  token, vocabulary));
  return sampler.check();
}

llvm::Expected<GeneratedTokens>
mlir::trn::generate(NextLogits next, llvm::ArrayRef<int32_t> prompt,
                    const GenerateOptions &options,
                    llvm::function_ref<bool(int32_t)> sink) {
  if (llvm::Error error = options.check(prompt))
    return error;
  Sampler sampler(options.sampler);
  GeneratedTokens result;
  // The last token needs no room: nothing is computed of it.
  const int64_t room = options.context - int64_t(prompt.size()) + 1;
  while (int64_t(result.tokens.size()) < options.count) {
    if (int64_t(result.tokens.size()) == room) {
      result.ending = Ending::Context;
      break;
    }
    llvm::Expected<llvm::ArrayRef<float>> logits =
        next(result.tokens.empty() ? prompt
                                   : llvm::ArrayRef(result.tokens).take_back());
    if (!logits)
      return logits.takeError();
    const int32_t token = sampler.draw(*logits);
    if (llvm::is_contained(options.ends, token)) {
      result.ending = Ending::Token;
      break;
    }
    result.tokens.push_back(token);
    if (!sink(token)) {
      result.ending = Ending::Sink;
      break;
    }
  }
  return result;
}
