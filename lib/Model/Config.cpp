//===- Config.cpp - The shape of a language model -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Config.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

llvm::Error ModelConfig::check() const {
  const std::pair<const char *, int64_t> sizes[] = {
      {"hidden size", hidden},         {"intermediate size", intermediate},
      {"number of layers", layers},    {"number of heads", heads},
      {"number of kv heads", kvHeads}, {"head dim", headDim},
      {"vocabulary size", vocabulary}, {"number of positions", maxPositions}};
  // Bytes of all weights fit 63 bits.
  const int64_t most = 1 << 20, mostLayers = 1 << 12;
  for (auto [name, size] : sizes)
    if (size < 1 || size > most)
      return createStringError(formatv(
          "the {0} is {1}, but must be between 1 and {2}", name, size, most));
  if (layers > mostLayers)
    return createStringError(formatv("there are {0} layers, but at most {1} "
                                     "are allowed",
                                     layers, mostLayers));
  if (heads % kvHeads)
    return createStringError(
        formatv("{0} heads cannot share {1} kv heads evenly", heads, kvHeads));
  if (headDim % 2)
    return createStringError(formatv(
        "the head dim is {0}, but rotary positions need an even one", headDim));
  if (!(normEpsilon > 0 && normEpsilon < 1) || !(ropeBase > 1))
    return createStringError(
        formatv("the epsilon of the norms is {0} and the base of the rotary "
                "positions {1}, but they must lie between 0 and 1, and above 1",
                normEpsilon, ropeBase));
  return llvm::Error::success();
}

void ModelConfig::setIntermediates(std::vector<int64_t> sizes) {
  intermediate = *llvm::max_element(sizes);
  intermediates = llvm::all_equal(sizes) ? std::vector<int64_t>() : sizes;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

bool mlir::trn::isRotated(StringRef module) {
  return module.ends_with("self_attn.q_proj") ||
         module.ends_with("self_attn.k_proj") ||
         module.ends_with("self_attn.q_u_proj") ||
         module.ends_with("self_attn.k_u_proj");
}

int64_t mlir::trn::toHalves(int64_t row, int64_t headDim) {
  int64_t head = row / headDim, element = row % headDim;
  return head * headDim + element % 2 * (headDim / 2) + element / 2;
}

bool mlir::trn::hasNeighbourRows(const ModelConfig &config, StringRef tensor) {
  return config.rotatesNeighbours && tensor.consume_back(".weight") &&
         isRotated(tensor);
}

std::vector<float> mlir::trn::turnRows(llvm::ArrayRef<float> values,
                                       int64_t rows, int64_t headDim) {
  const int64_t columns = values.size() / rows;
  std::vector<float> turned(values.size());
  for (int64_t row = 0; row < rows; ++row)
    std::copy_n(values.begin() + row * columns, columns,
                turned.begin() + toHalves(row, headDim) * columns);
  return turned;
}

std::vector<TensorSpec> mlir::trn::listTensors(const ModelConfig &config) {
  std::vector<TensorSpec> all;
  auto addWeight = [&](const std::string &module, int64_t out, int64_t in) {
    all.push_back({module + ".weight", {out, in}, config.weightType});
    if (config.weightType)
      all.push_back({module + ".weight_scale", {out, 1}, ElementType::F32});
  };
  auto addLinear = [&](const std::string &module, int64_t out, int64_t in) {
    auto rank = config.ranks.find(module);
    if (rank == config.ranks.end())
      return addWeight(module, out, in);
    // gate_proj becomes gate_v_proj, which comes first, and gate_u_proj.
    std::string stem = StringRef(module).drop_back(strlen("proj")).str();
    addWeight(stem + "v_proj", rank->second, in);
    addWeight(stem + "u_proj", out, rank->second);
  };
  int64_t hidden = config.hidden, wide = config.heads * config.headDim,
          narrow = config.kvHeads * config.headDim;
  all.push_back({"model.embed_tokens.weight", {config.vocabulary, hidden}});
  for (int64_t layer = 0; layer < config.layers; ++layer) {
    std::string at = "model.layers." + std::to_string(layer) + ".";
    all.push_back({at + "input_layernorm.weight", {hidden}});
    for (auto [name, out] :
         {std::pair{"q", wide}, {"k", narrow}, {"v", narrow}}) {
      std::string module = at + "self_attn." + name + "_proj";
      addLinear(module, out, hidden);
      if (config.qkvBias)
        all.push_back({module + ".bias", {out}});
    }
    if (config.headNorms)
      for (const char *name : {"q_norm", "k_norm"})
        all.push_back({at + "self_attn." + name + ".weight", {config.headDim}});
    addLinear(at + "self_attn.o_proj", hidden, wide);
    all.push_back({at + "post_attention_layernorm.weight", {hidden}});
    const int64_t neurons = config.intermediateOf(layer);
    addLinear(at + "mlp.gate_proj", neurons, hidden);
    addLinear(at + "mlp.up_proj", neurons, hidden);
    addLinear(at + "mlp.down_proj", hidden, neurons);
  }
  all.push_back({"model.norm.weight", {hidden}});
  if (!config.tiedHead)
    all.push_back({"lm_head.weight", {config.vocabulary, hidden}});
  return all;
}

llvm::json::Object mlir::trn::describeWeights(ElementType type) {
  const bool isFloat = !isInteger(type);
  llvm::json::Object weights{{"num_bits", 8},
                             {"type", isFloat ? "float" : "int"},
                             {"symmetric", true},
                             {"strategy", "channel"},
                             {"dynamic", false}};
  llvm::json::Object group{{"targets", llvm::json::Array{"Linear"}},
                           {"weights", std::move(weights)},
                           {"input_activations", nullptr},
                           {"output_activations", nullptr}};
  return llvm::json::Object{
      {"quant_method", "compressed-tensors"},
      {"format", isFloat ? "float-quantized" : "int-quantized"},
      {"quantization_status", "compressed"},
      {"ignore", llvm::json::Array{"lm_head"}},
      {"config_groups", llvm::json::Object{{"group_0", std::move(group)}}}};
}

/// Of all layers, or, for Qwen, of some of them.
static void addWindows(const ModelConfig &config, llvm::json::Object &object) {
  llvm::json::Array kinds;
  for (const std::optional<int64_t> &window : config.windows) {
    kinds.push_back(window ? "sliding_attention" : "full_attention");
    if (window)
      object["sliding_window"] = *window;
  }
  if (!object.get("sliding_window"))
    return;
  object["use_sliding_window"] = true;
  object["max_window_layers"] = 0;
  object["layer_types"] = std::move(kinds);
}

llvm::json::Object mlir::trn::toJSON(const ModelConfig &config) {
  llvm::json::Object object{{"model_type", config.headNorms ? "qwen3"
                                           : config.qkvBias ? "qwen2"
                                           : config.windows.empty()
                                               ? "llama"
                                               : "mistral"},
                            {"hidden_size", config.hidden},
                            {"intermediate_size", config.intermediate},
                            {"num_hidden_layers", config.layers},
                            {"num_attention_heads", config.heads},
                            {"num_key_value_heads", config.kvHeads},
                            {"head_dim", config.headDim},
                            {"vocab_size", config.vocabulary},
                            {"max_position_embeddings", config.maxPositions},
                            {"rms_norm_eps", config.normEpsilon},
                            {"rope_theta", config.ropeBase},
                            {"tie_word_embeddings", config.tiedHead},
                            {"hidden_act", "silu"}};
  if (const std::optional<RopeScaling> &scaling = config.ropeScaling)
    object["rope_scaling"] =
        scaling->isLinear
            ? llvm::json::Object{{"rope_type", "linear"},
                                 {"factor", scaling->factor}}
            : llvm::json::Object{
                  {"rope_type", "llama3"},
                  {"factor", scaling->factor},
                  {"low_freq_factor", scaling->lowFrequencyFactor},
                  {"high_freq_factor", scaling->highFrequencyFactor},
                  {"original_max_position_embeddings",
                   scaling->originalPositions}};
  llvm::json::Object ranks;
  for (const auto &[module, rank] : config.ranks)
    ranks[module] = rank;
  if (!ranks.empty())
    object["truncation_ranks"] = std::move(ranks);
  if (!config.intermediates.empty())
    object["intermediate_sizes"] = llvm::json::Array(config.intermediates);
  if (config.weightType)
    object["quantization_config"] = describeWeights(*config.weightType);
  addWindows(config, object);
  return object;
}
