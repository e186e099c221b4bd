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

/// How Llama 3 stretches its rotary frequencies (Hugging Face, `rope_scaling`
/// of type `llama3`).
struct RopeScaling {
  double factor = 1, lowFrequencyFactor = 1, highFrequencyFactor = 1;
  int64_t originalPositions = 0;
};

/// Of what trn-compress writes, `trn_compress.format` in config.json.
constexpr int64_t folderFormat = 1;

/// A decoder as Llama is one: RMSNorm, attention with rotary positions, and the
/// MLP `down(silu(gate(x)) * up(x))`.
struct ModelConfig {
  int64_t hidden = 0, intermediate = 0, layers = 0, heads = 0, kvHeads = 0,
          headDim = 0, vocabulary = 0, maxPositions = 0;
  double normEpsilon = 1e-5, ropeBase = 10000;
  std::optional<RopeScaling> ropeScaling = std::nullopt;
  /// Rotated are elements 2i and 2i + 1 of a head, as llama2.c has them, not i
  /// and i + headDim / 2.
  bool rotatesNeighbours = false;
  /// The output head is the embedding.
  bool tiedHead = false;
  /// Queries, keys and values have biases (Qwen 2), or queries and keys a norm
  /// for each head (Qwen 3).
  bool qkvBias = false, headNorms = false;
  /// How many tokens, itself among them, a token attends to in a layer, if
  /// these are not all: the sliding windows of Mistral and Qwen.
  std::vector<std::optional<int64_t>> windows = {};
  /// Modules that come as two factors, with their rank: `y = u(v(x))`.
  std::map<std::string, int64_t> ranks = {};
  /// The neurons of each layer's MLP, if they differ; `intermediate` is the
  /// largest of these.
  std::vector<int64_t> intermediates = {};
  /// What the weights of the projections are stored in, i8 or f8E4M3FN, if they
  /// have a scale for each row: `weight[out, in] = stored * scale[out, 1]`.
  std::optional<ElementType> weightType = std::nullopt;

  int64_t intermediateOf(int64_t layer) const {
    return intermediates.empty() ? intermediate : intermediates[layer];
  }
  /// One number for each layer.
  void setIntermediates(std::vector<int64_t> sizes);
  /// Whether only programs that know our keys can load it.
  bool needsOwnKeys() const { return !ranks.empty() || !intermediates.empty(); }

  /// Fails, with the value and the rule, if no model can have this shape.
  llvm::Error check() const;
};

/// Of `config.json` as Hugging Face has it: model types llama, mistral, qwen2
/// and qwen3. Fails with the key that is missing, wrong or not supported.
llvm::Expected<ModelConfig> parseConfig(llvm::StringRef json);

/// Of config.json, of a folder with one, or of the header of a file of
/// llama2.c; no weight is read. Fails as `parseConfig` does, or with what is
/// wrong with the file.
llvm::Expected<ModelConfig> readConfig(llvm::StringRef path);

/// `quantization_config` of weights in this type, as the library
/// compressed-tensors has it.
llvm::json::Object describeWeights(ElementType type);

/// What `parseConfig` reads back; `rotatesNeighbours` apart.
llvm::json::Object toJSON(const ModelConfig &config);

/// Whether the rows of a module's weight are rotary elements of heads.
bool isRotated(llvm::StringRef module);
/// Which of these rows is row `row` of llama2.c, 2i or 2i + 1 of a head, in the
/// order of Hugging Face, i or i + headDim / 2.
int64_t toHalves(int64_t row, int64_t headDim);
/// Whether rows of a tensor lie otherwise than Hugging Face has them.
bool hasNeighbourRows(const ModelConfig &config, llvm::StringRef tensor);
/// The rows of such a tensor as Hugging Face has them.
std::vector<float> turnRows(llvm::ArrayRef<float> values, int64_t rows,
                            int64_t headDim);

/// A tensor of a checkpoint; a weight is [out, in].
struct TensorSpec {
  std::string name;
  llvm::SmallVector<int64_t, 2> shape;
  /// If it has another one than the model.
  std::optional<ElementType> type = std::nullopt;

  /// Whether it scales the rows of the weight before it.
  bool isScale() const { return llvm::StringRef(name).ends_with("_scale"); }
};

/// All tensors that a model has, under the names of Hugging Face.
std::vector<TensorSpec> listTensors(const ModelConfig &config);

} // namespace mlir::trn

#endif // TRN_MODEL_CONFIG_H
