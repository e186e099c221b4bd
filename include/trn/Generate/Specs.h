//===- Specs.h - The sizes of generated functions ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_GENERATE_SPECS_H
#define TRN_GENERATE_SPECS_H

#include "trn/Support/FloatTypes.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>

namespace mlir::trn {

/// What the functions of all kinds share.
struct FunctionSpec {
  /// Rows of X.
  int64_t m = 0;
  /// The type of the operands, of the intermediates and of the results;
  /// products accumulate in f32.
  ElementType type = ElementType::BF16;
  /// What weights are stored in, i8, f8E4M3 or f8E4M3FN, if each of their
  /// columns has a scale; the type of the operands without it.
  std::optional<ElementType> weightType;
};

/// What functions share that are products with X alone.
struct ProductsSpec : FunctionSpec {
  /// X is given as a k x m tensor.
  bool transposedInput = false;
  /// The results are n x m tensors.
  bool transposedOutput = false;
};

/// A product `X[m, k] W[k, n]`, or, with a rank, a chain
/// `X[m, k] U[k, rank] V[rank, n]`.
struct ChainSpec : ProductsSpec {
  int64_t k = 0;
  std::optional<int64_t> rank;
  int64_t n = 0;
};

/// The MLP `down(silu(gate(X)) * up(X))`. With a rank each weight is a product
/// of two factors.
struct MlpSpec : ProductsSpec {
  int64_t hidden = 0;
  int64_t intermediate = 0;
  std::optional<int64_t> rank;
};

/// The three products with X before an attention: queries of `heads` heads,
/// keys and values of `kvHeads`.
struct QkvSpec : ProductsSpec {
  int64_t hidden = 0;
  int64_t heads = 0;
  int64_t kvHeads = 0;
  int64_t headDim = 0;
  std::optional<int64_t> queryRank;
  std::optional<int64_t> keyValueRank;

  int64_t queryColumns() const { return heads * headDim; }
  int64_t keyValueColumns() const { return kvHeads * headDim; }
};

enum class NormKind { RMS, Layer };

/// A norm of the rows of X: `x / sqrt(mean(x^2) + epsilon) * g`, or
/// `(x - mean(x)) / sqrt(variance(x) + epsilon) * g + b`; with `n` a product
/// with W[hidden, n] behind it.
struct NormSpec : FunctionSpec {
  NormKind kind = NormKind::RMS;
  int64_t hidden = 0;
  std::optional<int64_t> n;
  double epsilon = 1e-5;
};

/// Attention of the queries of `m` positions to the keys of `context`
/// positions, the last of which are those of the queries.
struct AttentionSpec : FunctionSpec {
  int64_t heads = 0;
  int64_t kvHeads = 0;
  int64_t headDim = 0;
  int64_t context = 0;
  /// No query sees a key behind its own position.
  bool causal = false;
  /// Nor one that is so far before it, or farther.
  std::optional<int64_t> window;
};

/// A decoder layer of Llama or, with `normalizeHeads`, of Qwen3. If `context`
/// is larger than `m`, keys and values of the positions before are arguments.
struct LayerSpec : FunctionSpec {
  int64_t hidden = 0;
  int64_t heads = 0;
  int64_t kvHeads = 0;
  int64_t headDim = 0;
  int64_t intermediate = 0;
  int64_t context = 0;
  /// Each head of queries and keys is divided by its own root mean square.
  bool normalizeHeads = false;
  double epsilon = 1e-5;
  std::optional<int64_t> queryRank;
  std::optional<int64_t> keyValueRank;
  std::optional<int64_t> outputRank;
  std::optional<int64_t> mlpRank;

  QkvSpec qkv() const;
  MlpSpec mlp() const;
  AttentionSpec attention() const;
};

/// Fails with the size that is not positive or too large, or that does not fit
/// to another.
llvm::Error checkSpec(const ChainSpec &spec);
llvm::Error checkSpec(const MlpSpec &spec);
llvm::Error checkSpec(const QkvSpec &spec);
llvm::Error checkSpec(const NormSpec &spec);
llvm::Error checkSpec(const AttentionSpec &spec);
llvm::Error checkSpec(const LayerSpec &spec);

} // namespace mlir::trn

#endif // TRN_GENERATE_SPECS_H
