//===- Config.cpp - The shape of a language model -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Config.h"

#include "trn/Support/JSON.h"
#include "llvm/ADT/StringSwitch.h"
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

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

bool mlir::trn::isRotated(StringRef module) {
  return module.ends_with("self_attn.q_proj") ||
         module.ends_with("self_attn.k_proj");
}

int64_t mlir::trn::toHalves(int64_t row, int64_t headDim) {
  int64_t head = row / headDim, element = row % headDim;
  return head * headDim + element % 2 * (headDim / 2) + element / 2;
}

std::vector<TensorSpec> mlir::trn::listTensors(const ModelConfig &config) {
  std::vector<TensorSpec> all;
  auto addLinear = [&](const std::string &module, int64_t out, int64_t in) {
    auto rank = config.ranks.find(module);
    if (rank == config.ranks.end()) {
      all.push_back({module + ".weight", {out, in}});
      return;
    }
    // gate_proj becomes gate_v_proj, which comes first, and gate_u_proj.
    std::string stem = StringRef(module).drop_back(strlen("proj")).str();
    all.push_back({stem + "v_proj.weight", {rank->second, in}});
    all.push_back({stem + "u_proj.weight", {out, rank->second}});
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
    addLinear(at + "mlp.gate_proj", config.intermediate, hidden);
    addLinear(at + "mlp.up_proj", config.intermediate, hidden);
    addLinear(at + "mlp.down_proj", hidden, config.intermediate);
  }
  all.push_back({"model.norm.weight", {hidden}});
  if (!config.tiedHead)
    all.push_back({"lm_head.weight", {config.vocabulary, hidden}});
  return all;
}

//===----------------------------------------------------------------------===//
// config.json
//===----------------------------------------------------------------------===//

namespace {
class ConfigParser {
public:
  explicit ConfigParser(const llvm::json::Object &object) : object(object) {}

  llvm::Expected<ModelConfig> parse();

private:
  /// A number that must be there if there is no other value for it.
  template <typename Number>
  llvm::Error read(const llvm::json::Object &from, StringRef key, Number &into,
                   std::optional<Number> otherwise = std::nullopt);
  llvm::Error refuseOthers() const;
  llvm::Error readSizes(ModelConfig &config);
  llvm::Error readScaling(ModelConfig &config);
  llvm::Error readRanks(ModelConfig &config) const;

  const llvm::json::Object &object;
};
} // namespace

template <typename Number>
llvm::Error ConfigParser::read(const llvm::json::Object &from, StringRef key,
                               Number &into, std::optional<Number> otherwise) {
  const llvm::json::Value *value = from.get(key);
  if (!value || value->getAsNull()) {
    if (!otherwise)
      return createStringError(formatv("'{0}' is missing", key));
    into = *otherwise;
    return llvm::Error::success();
  }
  std::optional<Number> number;
  if constexpr (std::is_same_v<Number, bool>)
    number = value->getAsBoolean();
  else if constexpr (std::is_integral_v<Number>)
    number = value->getAsInteger();
  else
    number = value->getAsNumber();
  if (!number)
    return createStringError(
        formatv("'{0}' is {1}, which is no {2}", key, *value,
                std::is_same_v<Number, bool> ? "boolean"
                : std::is_integral_v<Number> ? "whole number"
                                             : "number"));
  into = *number;
  return llvm::Error::success();
}

/// What would be computed otherwise than we do.
llvm::Error ConfigParser::refuseOthers() const {
  StringRef type = object.getString("model_type").value_or("");
  if (!llvm::is_contained({"llama", "mistral", "qwen2", "qwen3"}, type))
    return createStringError(
        formatv("model_type '{0}' is not supported; llama, mistral, qwen2 and "
                "qwen3 are",
                type));
  for (StringRef key : {"num_experts", "num_local_experts", "block_sparse_moe"})
    if (object.get(key))
      return createStringError(formatv(
          "'{0}': models with experts are not supported; use a dense one",
          key));
  if (object.get("quantization_config"))
    return createStringError(
        "'quantization_config': quantised weights are not supported; save the "
        "model in bf16, f16 or f32");
  StringRef function = object.getString("hidden_act").value_or("silu");
  if (function != "silu")
    return createStringError(
        formatv("hidden_act '{0}' is not supported, only silu is", function));
  for (StringRef key : {"attention_bias", "mlp_bias"})
    if (object.getBoolean(key).value_or(false) && type != "qwen2")
      return createStringError(
          formatv("'{0}': biases are supported for qwen2 alone", key));
  return llvm::Error::success();
}

llvm::Error ConfigParser::readSizes(ModelConfig &config) {
  if (llvm::Error error = read(object, "hidden_size", config.hidden))
    return error;
  if (llvm::Error error =
          read(object, "intermediate_size", config.intermediate))
    return error;
  if (llvm::Error error = read(object, "num_hidden_layers", config.layers))
    return error;
  if (llvm::Error error = read(object, "num_attention_heads", config.heads))
    return error;
  if (llvm::Error error = read(object, "vocab_size", config.vocabulary))
    return error;
  if (llvm::Error error =
          read(object, "max_position_embeddings", config.maxPositions))
    return error;
  using Size = std::optional<int64_t>;
  if (llvm::Error error = read(object, "num_key_value_heads", config.kvHeads,
                               Size(config.heads)))
    return error;
  if (config.heads < 1)
    return config.check();
  return read(object, "head_dim", config.headDim,
              Size(config.hidden / config.heads));
}

llvm::Error ConfigParser::readScaling(ModelConfig &config) {
  const llvm::json::Value *value = object.get("rope_scaling");
  if (!value || value->getAsNull())
    return llvm::Error::success();
  const llvm::json::Object *scaling = value->getAsObject();
  StringRef type;
  if (scaling)
    type = scaling->getString("rope_type")
               .value_or(scaling->getString("type").value_or(""));
  if (type == "default")
    return llvm::Error::success();
  if (type != "llama3")
    return createStringError(formatv(
        "rope_scaling of type '{0}' is not supported, only llama3 is", type));
  RopeScaling &into = config.ropeScaling.emplace();
  if (llvm::Error error = read(*scaling, "factor", into.factor))
    return error;
  if (llvm::Error error =
          read(*scaling, "low_freq_factor", into.lowFrequencyFactor))
    return error;
  if (llvm::Error error =
          read(*scaling, "high_freq_factor", into.highFrequencyFactor))
    return error;
  if (llvm::Error error = read(*scaling, "original_max_position_embeddings",
                               into.originalPositions))
    return error;
  if (into.factor <= 0 || into.originalPositions < 1 ||
      into.lowFrequencyFactor <= 0 ||
      into.highFrequencyFactor <= into.lowFrequencyFactor)
    return createStringError("rope_scaling must have positive numbers, and "
                             "high_freq_factor above low_freq_factor");
  return llvm::Error::success();
}

llvm::Error ConfigParser::readRanks(ModelConfig &config) const {
  const llvm::json::Value *value = object.get("truncation_ranks");
  if (!value)
    return llvm::Error::success();
  const llvm::json::Object *ranks = value->getAsObject();
  if (!ranks)
    return createStringError("'truncation_ranks' is no object");
  std::vector<TensorSpec> dense = listTensors(config);
  for (const auto &[key, rank] : *ranks) {
    StringRef module = key;
    auto isWeight = [&](const TensorSpec &spec) {
      return spec.shape.size() == 2 && module.ends_with("_proj") &&
             spec.name == (module + ".weight").str();
    };
    auto *weight = llvm::find_if(dense, isWeight).base();
    if (weight == &*dense.end())
      return createStringError(
          formatv("truncation_ranks: the model has no module '{0}'", module));
    int64_t most = std::max(weight->shape[0], weight->shape[1]);
    std::optional<int64_t> number = rank.getAsInteger();
    if (!number || *number < 1 || *number > most)
      return createStringError(
          formatv("truncation_ranks: the rank of '{0}' is {1}, but must be "
                  "between 1 and {2}",
                  module, rank, most));
    config.ranks[module.str()] = *number;
  }
  return llvm::Error::success();
}

llvm::Expected<ModelConfig> ConfigParser::parse() {
  ModelConfig config;
  if (llvm::Error error = refuseOthers())
    return error;
  if (llvm::Error error = readSizes(config))
    return error;
  if (llvm::Error error =
          read(object, "rms_norm_eps", config.normEpsilon, std::optional(1e-6)))
    return error;
  if (llvm::Error error =
          read(object, "rope_theta", config.ropeBase, std::optional(10000.0)))
    return error;
  if (llvm::Error error = read(object, "tie_word_embeddings", config.tiedHead,
                               std::optional(false)))
    return error;
  StringRef type = *object.getString("model_type");
  config.qkvBias = type == "qwen2";
  config.headNorms = type == "qwen3";
  if (llvm::Error error = readScaling(config))
    return error;
  if (llvm::Error error = config.check())
    return error;
  if (llvm::Error error = readRanks(config))
    return error;
  return config;
}

llvm::Expected<ModelConfig> mlir::trn::parseConfig(StringRef json) {
  llvm::Expected<llvm::json::Value> value = parseJSON(json);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return createStringError("it is no JSON object");
  return ConfigParser(*object).parse();
}

llvm::json::Object mlir::trn::toJSON(const ModelConfig &config) {
  llvm::json::Object object{{"model_type", config.headNorms ? "qwen3"
                                           : config.qkvBias ? "qwen2"
                                                            : "llama"},
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
    object["rope_scaling"] = llvm::json::Object{
        {"rope_type", "llama3"},
        {"factor", scaling->factor},
        {"low_freq_factor", scaling->lowFrequencyFactor},
        {"high_freq_factor", scaling->highFrequencyFactor},
        {"original_max_position_embeddings", scaling->originalPositions}};
  llvm::json::Object ranks;
  for (const auto &[module, rank] : config.ranks)
    ranks[module] = rank;
  if (!ranks.empty())
    object["truncation_ranks"] = std::move(ranks);
  return object;
}
