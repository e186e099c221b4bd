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

/// Runs a model: the logits of what follows after some tokens, which follow
/// after all that it was given before.
using NextLogits = llvm::function_ref<llvm::Expected<llvm::ArrayRef<float>>(
    llvm::ArrayRef<int32_t> tokens)>;

struct GenerateOptions {
  /// How many tokens are generated at most.
  int64_t count = 256;
  /// How many the model takes, with those of the prompt.
  int64_t context = 0;
  int64_t vocabulary = 0;
  /// What ends a text. It is not generated.
  std::vector<int32_t> ends = {};
  SamplerOptions sampler = {};

  /// Fails if one of them is out of range, or if `prompt` has no token, more of
  /// them than the context, or one outside of the vocabulary.
  llvm::Error check(llvm::ArrayRef<int32_t> prompt) const;
};

/// Why no more is generated.
enum class Ending { Token, Count, Context, Sink };

struct GeneratedTokens {
  std::vector<int32_t> tokens; // without the prompt
  Ending ending = Ending::Count;
};

/// Lets a model go on after `prompt`. `sink` gets each token once it is drawn,
/// and returns whether to go on. Fails as the check of the options does, or as
/// `next` does.
llvm::Expected<GeneratedTokens>
generate(NextLogits next, llvm::ArrayRef<int32_t> prompt,
         const GenerateOptions &options,
         llvm::function_ref<bool(int32_t token)> sink);

} // namespace mlir::trn

#endif // TRN_MODEL_GENERATE_H
