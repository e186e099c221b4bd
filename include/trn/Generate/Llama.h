//===- Llama.h - Build modules of language models ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_GENERATE_LLAMA_H
#define TRN_GENERATE_LLAMA_H

#include "trn/Generate/Specs.h"
#include "trn/Model/Config.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::trn {

/// One or both functions of a language model. Rotary positions pair the halves
/// of a head: weights of llama2.c are reordered, as in written folders.
struct LlamaSpec {
  ModelConfig config;
  /// Type of intermediates, and of weights unless `config` says otherwise;
  /// products accumulate in f32.
  ElementType type = ElementType::BF16;
  /// Tokens of `@prefill`, if it is to be made.
  std::optional<int64_t> rows;
  /// Rows of the caches of `@decode`, if it is to be made.
  std::optional<int64_t> context;
  /// Sequences that `@decode` continues together, all of equal length.
  int64_t batch = 1;
  /// `@prefill` returns the logits of all rows, not only of the last one.
  bool allLogits = false;

  LayerSpec layer(int64_t m, int64_t context) const;
};

/// Fails with the impossible size, or if there is no function.
llvm::Error checkSpec(const LlamaSpec &spec);

/// Builds a module with these public functions. Weights are arguments with a
/// `trn.param`, in the names and order of `listTensors`.
/// - `@prefill(tokens [rows], weights)` returns the logits [1, vocabulary] in
///   f32, and for each layer its keys and values, [kvHeads, rows, headDim]
/// - `@decode(token [batch], position [1], caches, weights)` reads for each
///   layer the keys and values of `position` tokens, the first rows of
///   [kvHeads, context, headDim]. It returns the logits [batch, vocabulary],
///   and for each layer the keys and values of the new tokens, [kvHeads, 1,
///   headDim], for the host to append. Of several sequences these have one more
///   dim, the first
///
/// Keys are rotated. Fails if `checkSpec` does.
llvm::Expected<OwningOpRef<ModuleOp>> generateLlama(MLIRContext *context,
                                                    const LlamaSpec &spec);

} // namespace mlir::trn

#endif // TRN_GENERATE_LLAMA_H
