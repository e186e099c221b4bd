//===- Layer.h - One layer of a language model ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_LAYER_H
#define TRN_MODEL_LAYER_H

#include "trn/Model/Checkpoint.h"

namespace mlir::trn {

/// `y = x W^T + bias` with W [out, in], or `y = (x V^T) U^T + bias`.
struct Linear {
  int64_t in = 0, out = 0, rank = 0; // 0: W is whole
  std::vector<float> weight;         // W, or V of [rank, in]
  std::vector<float> second;         // U of [out, rank]
  std::vector<float> bias;           // none if empty

  /// For `rows` rows of x.
  std::vector<float> apply(const float *x, int64_t rows) const;
  std::vector<float> applyWithoutBias(const float *x, int64_t rows) const;
  /// The product of both factors, [out, in].
  std::vector<float> multiplyFactors() const;
};

/// Cosines and sines of all positions up to a last one.
class Rotary {
public:
  Rotary(const ModelConfig &config, int64_t positions);

  /// Rotates `heads` adjacent heads in each of `rows` rows, whose positions
  /// start at `first`.
  void apply(float *values, int64_t rows, int64_t heads,
             int64_t first = 0) const {
    turn(values, rows, heads, first, 1);
  }
  /// The inverse: turns gradients of `apply`'s results into those of its
  /// inputs.
  void applyBackward(float *values, int64_t rows, int64_t heads) const {
    turn(values, rows, heads, /*first=*/0, -1);
  }

  /// Of the angle of a pair of elements at a position.
  float cosine(int64_t position, int64_t pair) const {
    return cosines[position * half + pair];
  }
  float sine(int64_t position, int64_t pair) const {
    return sines[position * half + pair];
  }

private:
  void turn(float *values, int64_t rows, int64_t heads, int64_t first,
            float direction) const;

  int64_t half;
  bool turnsNeighbours;
  std::vector<float> cosines, sines; // [positions, half]
};

/// The weights of one layer, in f32.
struct Layer {
  std::vector<float> attentionNorm, mlpNorm, queryNorm, keyNorm;
  Linear query, key, value, output, gate, up, down;
  /// Number of tokens that one attends to, if not all.
  std::optional<int64_t> window;

  /// Its heads of queries and of keys: no more than the model's.
  int64_t heads(const ModelConfig &config) const {
    return query.out / config.headDim;
  }
  int64_t kvHeads(const ModelConfig &config) const {
    return key.out / config.headDim;
  }

  /// Fails if a weight is not finite.
  static llvm::Expected<Layer> load(const Checkpoint &checkpoint,
                                    int64_t layer);
};

/// Root mean square norm of `rows` consecutive rows.
std::vector<float> normalize(const float *x, int64_t rows,
                             const std::vector<float> &gains, double epsilon);

/// Intermediate values of attention, up to the input of `output`, for a
/// sequence of `rows` rows of x from its first token on. Queries and keys are
/// rotated.
struct AttentionValues {
  std::vector<float> normed, query, key, value, mixed;
};
AttentionValues computeMixed(const ModelConfig &config, const Layer &layer,
                             const Rotary &rotary, const float *x,
                             int64_t rows);

/// Adds the attention or the MLP of `layer` to x [rows, hidden], a sequence
/// from its first token on.
void addAttention(const ModelConfig &config, const Layer &layer,
                  const Rotary &rotary, float *x, int64_t rows);
void addMlp(const ModelConfig &config, const Layer &layer, float *x,
            int64_t rows);

/// Intermediate values of an MLP for `rows` rows of x, from any sequences;
/// `computeGated` stops before `down`.
struct MlpValues {
  std::vector<float> normed, gate, up, gated, down;
};
MlpValues computeGated(const ModelConfig &config, const Layer &layer,
                       const float *x, int64_t rows);
/// `silu(gate) * up`.
std::vector<float> computeGated(const std::vector<float> &gate,
                                const std::vector<float> &up);
MlpValues computeMlp(const ModelConfig &config, const Layer &layer,
                     const float *x, int64_t rows);

} // namespace mlir::trn

#endif // TRN_MODEL_LAYER_H
