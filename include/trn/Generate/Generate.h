//===- Generate.h - Build linalg modules from sizes -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_GENERATE_GENERATE_H
#define TRN_GENERATE_GENERATE_H

#include "trn/Generate/Specs.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::trn {

/// Builds a module whose public function `@main` computes the chain with
/// `linalg.matmul`. Fails if `checkSpec` does.
llvm::Expected<OwningOpRef<ModuleOp>> generateChain(MLIRContext *context,
                                                    const ChainSpec &spec);

/// The same for an MLP. Gate and up stay in f32 until their product is rounded.
llvm::Expected<OwningOpRef<ModuleOp>> generateMlp(MLIRContext *context,
                                                  const MlpSpec &spec);

/// The same for queries, keys and values.
llvm::Expected<OwningOpRef<ModuleOp>> generateQkv(MLIRContext *context,
                                                  const QkvSpec &spec);

/// The same for a norm, with statistics in f32. RMSNorm is rounded before its
/// gain, too, as in Llama.
llvm::Expected<OwningOpRef<ModuleOp>> generateNorm(MLIRContext *context,
                                                   const NormSpec &spec);

/// The same for `softmax(q k^T / sqrt(headDim)) v` of q [heads, m, headDim], k
/// and v [kvHeads, context, headDim]. Scores and softmax are in f32;
/// probabilities are rounded.
llvm::Expected<OwningOpRef<ModuleOp>>
generateAttention(MLIRContext *context, const AttentionSpec &spec);

/// The same for a decoder layer. With caches of earlier positions, it also
/// returns the keys and values of the `m` positions, [kvHeads, m, headDim], for
/// the host to append; keys are rotated.
llvm::Expected<OwningOpRef<ModuleOp>> generateLayer(MLIRContext *context,
                                                    const LayerSpec &spec);

} // namespace mlir::trn

#endif // TRN_GENERATE_GENERATE_H
