//===- Generate.h - Text from a language model ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_GENERATE_H
#define TRN_MODEL_GENERATE_H

#include "trn/Model/Sampler.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::trn {

/// Runs a model: the logits after some tokens, which follow all earlier ones.
using NextLogits = llvm::function_ref<llvm::Expected<llvm::ArrayRef<float>>(
    llvm::ArrayRef<int32_t> tokens)>;

struct GenerateOptions {
  /// Most tokens to generate.
  int64_t count = 256;
  /// Most tokens of the model, including those of the prompt.
  int64_t context = 0;
  int64_t vocabulary = 0;
  /// Tokens that end a text. They are not generated.
  std::vector<int32_t> ends = {};
  SamplerOptions sampler = {};

  /// Fails if an option is out of range. `prompt` must have at least one token,
  /// fit the context, and be in the vocabulary.
  llvm::Error check(llvm::ArrayRef<int32_t> prompt) const;
};

/// The reason to stop.
enum class Ending { Token, Count, Context, Sink };

struct GeneratedTokens {
  std::vector<int32_t> tokens; // without the prompt
  Ending ending = Ending::Count;
};

/// Continues `prompt`. `sink` receives each token when it is drawn, and returns
/// whether to go on. Fails if the check of the options or `next` does.
llvm::Expected<GeneratedTokens>
generate(NextLogits next, llvm::ArrayRef<int32_t> prompt,
         const GenerateOptions &options,
         llvm::function_ref<bool(int32_t token)> sink);

} // namespace mlir::trn

#endif // TRN_MODEL_GENERATE_H
