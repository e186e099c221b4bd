//===- Config.h - The shape of a language model -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_CONFIG_H
#define TRN_MODEL_CONFIG_H

#include "trn/Support/FloatTypes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir::trn {

/// Scaling of rotary frequencies (Hugging Face, `rope_scaling` of type `llama3`
/// or `linear`).
struct RopeScaling {
  double factor = 1, lowFrequencyFactor = 1, highFrequencyFactor = 1;
  int64_t originalPositions = 0;
  /// All frequencies are divided by `factor`, the only number that counts.
  bool isLinear = false;
};

/// Version of trn-compress's output, `trn_compress.format` in config.json.
constexpr int64_t folderFormat = 1;

/// A Llama-like decoder: RMSNorm, attention with rotary positions, and the MLP
/// `down(silu(gate(x)) * up(x))`.
struct ModelConfig {
  int64_t hidden = 0, intermediate = 0, layers = 0, heads = 0, kvHeads = 0,
          headDim = 0, vocabulary = 0, maxPositions = 0;
  double normEpsilon = 1e-5, ropeBase = 10000;
  std::optional<RopeScaling> ropeScaling = std::nullopt;
  /// Rotation pairs elements 2i and 2i + 1 of a head, as in llama2.c, not i and
  /// i + headDim / 2.
  bool rotatesNeighbours = false;
  /// The output head is the embedding.
  bool tiedHead = false;
  /// Queries, keys and values have biases (Qwen 2), or queries and keys a norm
  /// for each head (Qwen 3).
  bool qkvBias = false, headNorms = false;
  /// By layer: number of tokens that a token attends to, including itself, if
  /// not all. These are the sliding windows of Mistral and Qwen.
  std::vector<std::optional<int64_t>> windows = {};
  /// Modules stored as two factors, with their rank: `y = u(v(x))`.
  std::map<std::string, int64_t> ranks = {};
  /// The neurons of each layer's MLP, if they differ; `intermediate` is then
  /// the largest.
  std::vector<int64_t> intermediates = {};
  /// Storage type of projections, i8 or f8E4M3FN, if they have a scale per row:
  /// `weight[out, in] = stored * scale[out, 1]`.
  std::optional<ElementType> weightType = std::nullopt;

  int64_t intermediateOf(int64_t layer) const {
    return intermediates.empty() ? intermediate : intermediates[layer];
  }
  /// Takes one number per layer.
  void setIntermediates(std::vector<int64_t> sizes);
  /// Whether only programs that know our keys can load it.
  bool needsOwnKeys() const { return !ranks.empty() || !intermediates.empty(); }

  /// Fails, with value and rule, if no model can have this shape.
  llvm::Error check() const;
};

/// Reads `config.json` of Hugging Face, for model types llama, mistral, qwen2
/// and qwen3. Fails with the key that is missing, wrong or not supported.
llvm::Expected<ModelConfig> parseConfig(llvm::StringRef json);

/// Reads config.json, a folder with one, or the header of a llama2.c file, but
/// no weights. Fails as `parseConfig` does, or if the file is invalid.
llvm::Expected<ModelConfig> readConfig(llvm::StringRef path);

/// `quantization_config` for weights of this type, in the format of the library
/// compressed-tensors.
llvm::json::Object describeWeights(ElementType type);

/// The inverse of `parseConfig`, without `rotatesNeighbours`.
llvm::json::Object toJSON(const ModelConfig &config);

/// Whether the rows of a module's weight are rotary elements of heads.
bool isRotated(llvm::StringRef module);
/// Maps row `row` in llama2.c's order, 2i or 2i + 1 of a head, to its number in
/// Hugging Face's, i or i + headDim / 2.
int64_t toHalves(int64_t row, int64_t headDim);
/// Whether rows of a tensor differ in order from Hugging Face's.
bool hasNeighbourRows(const ModelConfig &config, llvm::StringRef tensor);
/// The rows of such a tensor in Hugging Face's order.
std::vector<float> turnRows(llvm::ArrayRef<float> values, int64_t rows,
                            int64_t headDim);

/// A tensor of a checkpoint; a weight is [out, in].
struct TensorSpec {
  std::string name;
  llvm::SmallVector<int64_t, 2> shape;
  /// Its own type, if it differs from the model's.
  std::optional<ElementType> type = std::nullopt;

  /// Whether it scales the rows of the weight before it.
  bool isScale() const { return llvm::StringRef(name).ends_with("_scale"); }
};

/// All tensors of a model, by Hugging Face's names.
std::vector<TensorSpec> listTensors(const ModelConfig &config);

} // namespace mlir::trn

#endif // TRN_MODEL_CONFIG_H
