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

/// Sizes and types of all functions.
struct FunctionSpec {
  /// Rows of X.
  int64_t m = 0;
  /// The type of operands, intermediates and results; products accumulate in
  /// f32.
  ElementType type = ElementType::BF16;
  /// Storage type of weights, i8, f8E4M3 or f8E4M3FN, with a scale per column;
  /// absent: the type of the operands.
  std::optional<ElementType> weightType;
};

/// For functions that consist of products with X.
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
/// `(x - mean(x)) / sqrt(variance(x) + epsilon) * g + b`. With `n`, a product
/// with W[hidden, n] follows.
struct NormSpec : FunctionSpec {
  NormKind kind = NormKind::RMS;
  int64_t hidden = 0;
  std::optional<int64_t> n;
  double epsilon = 1e-5;
};

/// Attention of the queries of `m` positions to the keys of `context`
/// positions; the queries are at the last of these.
struct AttentionSpec : FunctionSpec {
  int64_t heads = 0;
  int64_t kvHeads = 0;
  int64_t headDim = 0;
  int64_t context = 0;
  /// No query sees a key after its own position.
  bool causal = false;
  /// Nor a key at least this far before it.
  std::optional<int64_t> window;
};

/// A decoder layer of Llama or, with `normalizeHeads`, of Qwen3. If `context`
/// is larger than `m`, keys and values of earlier positions are arguments.
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

/// Fails with a size that is not positive, too large, or inconsistent.
llvm::Error checkSpec(const ChainSpec &spec);
llvm::Error checkSpec(const MlpSpec &spec);
llvm::Error checkSpec(const QkvSpec &spec);
llvm::Error checkSpec(const NormSpec &spec);
llvm::Error checkSpec(const AttentionSpec &spec);
llvm::Error checkSpec(const LayerSpec &spec);

} // namespace mlir::trn

#endif // TRN_GENERATE_SPECS_H
