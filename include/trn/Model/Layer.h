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

/// `y = x W^T + bias`, W being [out, in], or `y = (x V^T) U^T + bias`.
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

  /// Turns `heads` heads, which lie side by side, of each of `rows` rows, which
  /// stand at positions from `first` on.
  void apply(float *values, int64_t rows, int64_t heads,
             int64_t first = 0) const {
    turn(values, rows, heads, first, 1);
  }
  /// The other way round: gradients of what `apply` makes become those of what
  /// it reads.
  void applyBackward(float *values, int64_t rows, int64_t heads) const {
    turn(values, rows, heads, /*first=*/0, -1);
  }

  /// Of the angle by which a pair of elements is turned at a position.
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
  /// How many tokens one attends to, if not all.
  std::optional<int64_t> window;

  /// Those that it has, of queries and of keys: no more than its model.
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

/// Root mean square norm of `rows` rows, one after the other.
std::vector<float> normalize(const float *x, int64_t rows,
                             const std::vector<float> &gains, double epsilon);

/// What flows through attention, up to what `output` reads, for a sequence of
/// `rows` rows of x from its first token on. Queries and keys are rotated.
struct AttentionValues {
  std::vector<float> normed, query, key, value, mixed;
};
AttentionValues computeMixed(const ModelConfig &config, const Layer &layer,
                             const Rotary &rotary, const float *x,
                             int64_t rows);

/// Adds to x [rows, hidden], a sequence from its first token on, what attention
/// and what the MLP of `layer` make of it.
void addAttention(const ModelConfig &config, const Layer &layer,
                  const Rotary &rotary, float *x, int64_t rows);
void addMlp(const ModelConfig &config, const Layer &layer, float *x,
            int64_t rows);

/// What flows through an MLP for `rows` rows of x, which may be of several
/// sequences; `computeGated` stops before `down`.
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
