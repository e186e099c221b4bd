//===- ParseConfig.cpp - The shape of a model from config.json ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Config.h"

#include "trn/Support/JSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

namespace {
class ConfigParser {
public:
  explicit ConfigParser(const llvm::json::Object &object)
      : object(object), type(object.getString("model_type").value_or("")) {}

  llvm::Expected<ModelConfig> parse();

private:
  /// A number that must be there if there is no other value for it.
  template <typename Number>
  llvm::Error read(const llvm::json::Object &from, StringRef key, Number &into,
                   std::optional<Number> otherwise = std::nullopt);
  llvm::Error refuseOthers() const;
  llvm::Error readSizes(ModelConfig &config);
  llvm::Error readPositions(ModelConfig &config);
  llvm::Error readScaling(StringRef key, const llvm::json::Object &scaling,
                          ModelConfig &config);
  llvm::Error readWindows(ModelConfig &config);
  llvm::Error readIntermediates(ModelConfig &config) const;
  llvm::Error readRanks(ModelConfig &config) const;
  llvm::Error readWeightType(ModelConfig &config) const;

  const llvm::json::Object &object;
  StringRef type;
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

static llvm::Error inKey(StringRef key, llvm::Error error) {
  return createStringError(
      formatv("{0}: {1}", key, llvm::toString(std::move(error))));
}

/// Whether `key` is there, and says neither nothing, nor none, nor no.
static bool isGiven(const llvm::json::Object &object, StringRef key) {
  const llvm::json::Value *value = object.get(key);
  return value && !value->getAsNull() && value->getAsInteger() != 0 &&
         value->getAsBoolean() != false;
}

/// What would be computed otherwise than we do.
llvm::Error ConfigParser::refuseOthers() const {
  for (StringRef key : {"num_experts", "num_local_experts", "n_routed_experts",
                        "block_sparse_moe"})
    if (isGiven(object, key))
      return createStringError(formatv(
          "'{0}': models with experts are not supported; use a dense one",
          key));
  if (isGiven(object, "compression_config"))
    return createStringError(
        "'compression_config': quantised weights are read where "
        "'quantization_config' says so; save the model with a newer version "
        "of compressed-tensors, or in bf16, f16 or f32");
  if (!object.get("model_type"))
    return createStringError("'model_type' is missing");
  if (!llvm::is_contained({"llama", "mistral", "qwen2", "qwen3"}, type))
    return createStringError(
        formatv("model_type '{0}' is not supported; llama, mistral, qwen2 and "
                "qwen3 are",
                type));
  if (const llvm::json::Value *function = object.get("hidden_act");
      function && *function != "silu" && *function != "swish")
    return createStringError(
        formatv("hidden_act {0} is not supported, only silu is", *function));
  for (StringRef key : {"attention_bias", "mlp_bias"})
    if (isGiven(object, key) && type != "qwen2")
      return createStringError(
          formatv("'{0}': biases are supported for qwen2 alone", key));
  const llvm::json::Object *written = object.getObject("trn_compress");
  if (written && written->getInteger("format") != folderFormat)
    return createStringError(
        formatv("'trn_compress': this version reads format {0}, but 'format' "
                "is {1}; use the version of trn-compress that wrote it",
                folderFormat,
                written->get("format") ? *written->get("format") : nullptr));
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
  // Qwen 3 has heads of another size than the columns divided by their number.
  return read(object, "head_dim", config.headDim,
              type == "qwen3" ? std::nullopt
                              : Size(config.hidden / config.heads));
}

/// Older files have `rope_theta` and `rope_scaling`, newer ones both as
/// `rope_parameters`.
llvm::Error ConfigParser::readPositions(ModelConfig &config) {
  StringRef key = "rope_parameters";
  const llvm::json::Value *value = object.get(key);
  if (!value || value->getAsNull()) {
    key = "rope_scaling";
    value = object.get(key);
  }
  const llvm::json::Object none, *scaling = &none;
  if (value && !value->getAsNull()) {
    scaling = value->getAsObject();
    if (!scaling)
      return createStringError(
          formatv("'{0}' is {1}, which is no object", key, *value));
  }
  // The base of the parameters comes first.
  for (const llvm::json::Object *from : {&object, scaling}) {
    if (llvm::Error error = read(*from, "rope_theta", config.ropeBase,
                                 std::optional(config.ropeBase)))
      return error;
    double share = 1;
    if (llvm::Error error = read(*from, "partial_rotary_factor", share,
                                 std::optional<double>(1)))
      return error;
    if (share != 1)
      return createStringError("'partial_rotary_factor': all of a head must be "
                               "rotary positions, so it must be 1");
  }
  return readScaling(key, *scaling, config);
}

/// Without a type, frequencies are not scaled, as in transformers. Dynamic
/// scaling begins after `max_position_embeddings`, the most that we take.
llvm::Error ConfigParser::readScaling(StringRef key,
                                      const llvm::json::Object &scaling,
                                      ModelConfig &config) {
  const llvm::json::Value *kind = scaling.get("rope_type");
  if (!kind || kind->getAsNull())
    kind = scaling.get("type");
  const bool hasNumbers = llvm::any_of(scaling, [](const auto &entry) {
    return entry.first != "rope_theta" && entry.first != "rope_type" &&
           entry.first != "partial_rotary_factor";
  });
  if (!kind || kind->getAsNull()) {
    if (!hasNumbers)
      return llvm::Error::success();
    return createStringError(formatv("{0}: 'rope_type' is missing", key));
  }
  if (*kind == "default" ||
      (*kind == "dynamic" && !scaling.get("original_max_position_embeddings")))
    return llvm::Error::success();
  if (*kind != "llama3" && *kind != "linear")
    return createStringError(formatv(
        "{0} of type {1} is not supported; default, linear, llama3, and "
        "dynamic without original_max_position_embeddings are. If the model "
        "was trained without it, as Qwen 2 and 3 were, remove it",
        key, *kind));
  RopeScaling &into = config.ropeScaling.emplace();
  into.isLinear = *kind == "linear";
  if (llvm::Error error = read(scaling, "factor", into.factor))
    return inKey(key, std::move(error));
  if (!(into.factor > 0))
    return createStringError(
        formatv("{0}: 'factor' is {1}, but must be above 0", key, into.factor));
  if (into.isLinear)
    return llvm::Error::success();
  if (llvm::Error error =
          read(scaling, "low_freq_factor", into.lowFrequencyFactor))
    return inKey(key, std::move(error));
  if (llvm::Error error =
          read(scaling, "high_freq_factor", into.highFrequencyFactor))
    return inKey(key, std::move(error));
  if (llvm::Error error = read(scaling, "original_max_position_embeddings",
                               into.originalPositions))
    return inKey(key, std::move(error));
  if (into.originalPositions < 1 || into.lowFrequencyFactor <= 0 ||
      into.highFrequencyFactor <= into.lowFrequencyFactor)
    return createStringError(
        formatv("{0} must have positive numbers, and high_freq_factor above "
                "low_freq_factor",
                key));
  return llvm::Error::success();
}

/// Where keys are absent, the values are those of the library transformers.
llvm::Error ConfigParser::readWindows(ModelConfig &config) {
  const bool isQwen = type == "qwen2" || type == "qwen3";
  bool slides = type == "mistral";
  if (isQwen)
    if (llvm::Error error =
            read(object, "use_sliding_window", slides, std::optional(false)))
      return error;
  const llvm::json::Value *width = object.get("sliding_window");
  if (!slides || (width && width->getAsNull()))
    return llvm::Error::success();
  int64_t window = 0, firstLayer = 0;
  if (llvm::Error error =
          read(object, "sliding_window", window, std::optional<int64_t>(4096)))
    return error;
  if (isQwen)
    if (llvm::Error error = read(object, "max_window_layers", firstLayer,
                                 std::optional<int64_t>(28)))
      return error;
  if (window < 1)
    return createStringError(formatv(
        "'sliding_window' is {0}, but must be at least 1, or null", window));
  for (int64_t layer = 0; layer < config.layers; ++layer)
    config.windows.push_back(layer < firstLayer ? std::nullopt
                                                : std::optional(window));
  const llvm::json::Value *kinds = object.get("layer_types");
  if (!kinds || kinds->getAsNull())
    return llvm::Error::success();
  const llvm::json::Array *array = kinds->getAsArray();
  if (!array || int64_t(array->size()) != config.layers)
    return createStringError(
        formatv("'layer_types' must have an entry for each of {0} layers",
                config.layers));
  for (auto [layer, entry] : llvm::enumerate(*array)) {
    StringRef kind = entry.getAsString().value_or("");
    if (kind != "full_attention" && kind != "sliding_attention")
      return createStringError(
          formatv("layer_types: {0} of layer {1} is not supported; "
                  "full_attention and sliding_attention are",
                  entry, layer));
    config.windows[layer] =
        kind == "full_attention" ? std::nullopt : std::optional(window);
  }
  return llvm::Error::success();
}

/// What trn-compress writes where layers have different numbers of neurons.
llvm::Error ConfigParser::readIntermediates(ModelConfig &config) const {
  const llvm::json::Value *value = object.get("intermediate_sizes");
  if (!value)
    return llvm::Error::success();
  const llvm::json::Array *sizes = value->getAsArray();
  if (!sizes || int64_t(sizes->size()) != config.layers)
    return createStringError(
        formatv("'intermediate_sizes' must have a number for each of {0} "
                "layers",
                config.layers));
  std::vector<int64_t> neurons;
  for (auto [layer, size] : llvm::enumerate(*sizes)) {
    std::optional<int64_t> number = size.getAsInteger();
    if (!number || *number < 1 || *number > config.intermediate)
      return createStringError(formatv(
          "intermediate_sizes: that of layer {0} is {1}, but must be between 1 "
          "and intermediate_size, which is {2}",
          layer, size, config.intermediate));
    neurons.push_back(*number);
  }
  config.setIntermediates(std::move(neurons));
  return llvm::Error::success();
}

llvm::Error ConfigParser::readRanks(ModelConfig &config) const {
  const llvm::json::Value *value = object.get("truncation_ranks");
  if (!value)
    return llvm::Error::success();
  const llvm::json::Object *ranks = value->getAsObject();
  if (!ranks)
    return createStringError("'truncation_ranks' is no object");
  std::map<std::string, int64_t> most; // by module
  for (const TensorSpec &spec : listTensors(config)) {
    StringRef module = spec.name;
    if (module.consume_back(".weight") && module.ends_with("_proj"))
      most[module.str()] = std::max(spec.shape[0], spec.shape[1]);
  }
  for (const auto &[key, rank] : *ranks) {
    StringRef module = key;
    auto weight = most.find(module.str());
    if (weight == most.end())
      return createStringError(
          formatv("truncation_ranks: the model has no module '{0}'", module));
    std::optional<int64_t> number = rank.getAsInteger();
    if (!number || *number < 1 || *number > weight->second)
      return createStringError(
          formatv("truncation_ranks: the rank of '{0}' is {1}, but must be "
                  "between 1 and {2}",
                  module, rank, weight->second));
    config.ranks[module.str()] = *number;
  }
  return llvm::Error::success();
}

/// Whether `object` has what `wanted` has, which may be null or absent if that
/// is null or false.
static bool agrees(const llvm::json::Object &object,
                   const llvm::json::Object &wanted, StringRef &key) {
  for (const auto &[name, value] : wanted) {
    const llvm::json::Value *own = object.get(name);
    key = name;
    if (!own || own->getAsNull()) {
      if (!value.getAsNull() && value.getAsBoolean() != false)
        return false;
    } else if (const llvm::json::Object *inner = value.getAsObject();
               inner && own->getAsObject()) {
      if (!agrees(*own->getAsObject(), *inner, key))
        return false;
    } else if (*own != value) {
      return false;
    }
  }
  return true;
}

/// Weights of 8 bits with a scale for each row, as `describeWeights` says it.
llvm::Error ConfigParser::readWeightType(ModelConfig &config) const {
  if (!isGiven(object, "quantization_config"))
    return llvm::Error::success();
  const llvm::json::Object *own = object.getObject("quantization_config");
  StringRef key = "quant_method";
  for (ElementType type : {ElementType::I8, ElementType::F8E4M3FN}) {
    llvm::json::Object wanted = describeWeights(type);
    if (!own || own->getString("format") != wanted.getString("format"))
      continue;
    // What is left out is found where tensors are.
    wanted.erase("ignore");
    wanted.erase("quantization_status");
    if (agrees(*own, wanted, key)) {
      config.weightType = type;
      return llvm::Error::success();
    }
  }
  return createStringError(
      formatv("quantization_config: '{0}' is not supported as it is; read are "
              "weights of compressed-tensors, int-quantized or "
              "float-quantized, of 8 bits with one scale for each channel, "
              "and no quantised activations. Save the model in bf16, f16 or "
              "f32",
              key));
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
  if (llvm::Error error = read(object, "tie_word_embeddings", config.tiedHead,
                               std::optional(false)))
    return error;
  config.qkvBias = type == "qwen2";
  config.headNorms = type == "qwen3";
  if (llvm::Error error = readPositions(config))
    return error;
  if (llvm::Error error = config.check())
    return error;
  if (llvm::Error error = readWindows(config))
    return error;
  if (llvm::Error error = readIntermediates(config))
    return error;
  if (llvm::Error error = readRanks(config))
    return error;
  if (llvm::Error error = readWeightType(config))
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
