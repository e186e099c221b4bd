//===- AdapterConfig.cpp - What adapter_config.json says ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AdapterConfig.h"

#include "trn/Support/JSON.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include <cmath>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

static constexpr double maxRank = 1 << 20;

/// A rank or alpha.
static llvm::Expected<double> readNumber(const llvm::json::Value *value,
                                         StringRef name, bool isWhole) {
  std::optional<double> number = value ? value->getAsNumber() : std::nullopt;
  if (number && *number > 0 && *number <= maxRank &&
      (!isWhole || *number == std::floor(*number)))
    return *number;
  return createStringError(formatv("{0} must be a {1}number above 0 and at "
                                   "most {2}",
                                   name, isWhole ? "whole " : "", maxRank));
}

/// What is more, or other, than W + scale B A.
static llvm::Error refuseOthers(const llvm::json::Object &object) {
  auto refuse = [](StringRef key, const llvm::json::Value &value,
                   const char *why) {
    return createStringError(
        formatv("'{0}' is {1}, which is not supported: {2}", key, value, why));
  };
  if (object.getString("peft_type") != "LORA")
    return createStringError("'peft_type' must be \"LORA\"");
  const std::pair<const char *, const char *> features[] = {
      {"use_dora", "merge it with PEFT (merge_and_unload)"},
      {"use_qalora", "merge it with PEFT (merge_and_unload)"},
      {"lora_bias", "only weights can change"},
      {"modules_to_save", "only low-rank updates are merged"},
      {"layer_replication", "the model would have other layers"},
      {"trainable_token_indices", "only low-rank updates are merged"},
      {"target_parameters", "only weights of modules can change"},
      {"alora_invocation_tokens", "it works on some of the tokens only"}};
  for (auto [key, why] : features) {
    const llvm::json::Value *value = object.get(key);
    bool isUnused = !value || value->getAsNull() ||
                    value->getAsBoolean() == false ||
                    (value->getAsArray() && value->getAsArray()->empty());
    if (!isUnused)
      return refuse(key, *value, why);
  }
  const llvm::json::Value *bias = object.get("bias");
  if (bias && bias->getAsString() != "none")
    return refuse("bias", *bias,
                  "it must be \"none\", only weights can change");
  // These begin with a change of the weights that the file does not hold.
  const llvm::json::Value *start = object.get("init_lora_weights");
  StringRef kind = start ? start->getAsString().value_or("") : "";
  if (kind.starts_with("pissa") || kind == "olora" || kind == "corda" ||
      kind == "loftq")
    return refuse("init_lora_weights", *start,
                  "it is for weights that were changed before; save it with "
                  "path_initial_model_for_weight_conversion");
  return llvm::Error::success();
}

llvm::Error AdapterConfig::readSizes(const llvm::json::Object &object) {
  for (auto [key, into] : {std::pair("r", &rank), {"lora_alpha", &alpha}}) {
    std::string name = formatv("'{0}'", key);
    if (llvm::Error error =
            readNumber(object.get(key), name, into == &rank).moveInto(*into))
      return error;
  }
  for (auto [key, into] : {std::pair("use_rslora", &dividesByRoot),
                           {"fan_in_fan_out", &isTransposed}}) {
    const llvm::json::Value *value = object.get(key);
    if (!value || value->getAsNull())
      continue;
    if (!value->getAsBoolean())
      return createStringError(
          formatv("'{0}' is {1}, which is no boolean", key, *value));
    *into = *value->getAsBoolean();
  }
  return llvm::Error::success();
}

llvm::Error AdapterConfig::readPattern(const llvm::json::Object &object,
                                       StringRef key, Pattern &pattern) {
  const llvm::json::Value *value = object.get(key);
  if (!value || value->getAsNull())
    return llvm::Error::success();
  if (!value->getAsObject())
    return createStringError(formatv("'{0}' is no object", key));
  for (const auto &[expression, entry] : *value->getAsObject()) {
    std::string name = formatv("{0}: '{1}'", key, StringRef(expression));
    llvm::Expected<double> number =
        readNumber(&entry, name, &pattern == &ranks);
    if (!number)
      return number.takeError();
    std::string problem;
    if (!llvm::Regex(StringRef(expression)).isValid(problem))
      return createStringError(formatv("{0}: '{1}' is no expression: {2}", key,
                                       StringRef(expression), problem));
    pattern[expression.str()] = *number;
  }
  return llvm::Error::success();
}

llvm::Expected<AdapterConfig> AdapterConfig::parse(StringRef json) {
  llvm::Expected<llvm::json::Value> value = parseJSON(json);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return createStringError("it is no JSON object");
  AdapterConfig config;
  if (llvm::Error error = refuseOthers(*object))
    return error;
  if (llvm::Error error = config.readSizes(*object))
    return error;
  if (llvm::Error error =
          config.readPattern(*object, "rank_pattern", config.ranks))
    return error;
  if (llvm::Error error =
          config.readPattern(*object, "alpha_pattern", config.alphas))
    return error;
  return config;
}

/// Of the expressions that are the last components of a module's name. PEFT
/// takes the first one in the file, whose order readers of JSON need not keep.
llvm::Expected<double> AdapterConfig::match(StringRef key,
                                            const Pattern &pattern,
                                            StringRef module,
                                            double otherwise) {
  const std::pair<const std::string, double> *found = nullptr;
  for (const auto &entry : pattern) {
    if (!llvm::Regex("^(.*\\.)?(" + entry.first + ")$").match(module))
      continue;
    if (found && found->second != entry.second)
      return createStringError(
          formatv("{0}: '{1}' and '{2}' say different things of '{3}'", key,
                  found->first, entry.first, module));
    found = &entry;
  }
  return found ? found->second : otherwise;
}

llvm::Expected<AdapterConfig::Update>
AdapterConfig::lookup(StringRef module) const {
  llvm::Expected<double> own = match("rank_pattern", ranks, module, rank);
  if (!own)
    return own.takeError();
  llvm::Expected<double> factor = match("alpha_pattern", alphas, module, alpha);
  if (!factor)
    return factor.takeError();
  return Update{int64_t(*own),
                *factor / (dividesByRoot ? std::sqrt(*own) : *own)};
}
