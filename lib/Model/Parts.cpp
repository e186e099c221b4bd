//===- Parts.cpp - Where the parameters of a model are --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Parts.h"

#include "trn/Support/HostTensor.h"
#include "trn/Support/JSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

static StringRef partOf(StringRef tensor) {
  if (tensor.contains(".mlp."))
    return "mlp";
  if (tensor.contains("norm"))
    return "norms";
  if (tensor.contains(".self_attn."))
    return "attention";
  return tensor.starts_with("lm_head") ? "head" : "embedding";
}

static llvm::Error refuseSum() {
  return createStringError("the model has 2^63 parameters or more");
}

llvm::Expected<std::vector<ParameterPart>>
mlir::trn::countParts(const ModelConfig &config) {
  std::vector<ParameterPart> parts = {
      {"embedding"}, {"attention"}, {"mlp"}, {"norms"}, {"head"}};
  int64_t sum = 0;
  for (const TensorSpec &spec : listTensors(config)) {
    if (spec.isScale())
      continue;
    std::optional<int64_t> count = countElements(spec.shape);
    if (!count || llvm::AddOverflow(sum, *count, sum))
      return refuseSum();
    llvm::find_if(parts, [&](const ParameterPart &part) {
      return part.name == partOf(spec.name);
    })->count += *count;
  }
  llvm::erase_if(parts, [](const ParameterPart &part) { return !part.count; });
  return parts;
}

namespace {
/// A kind of models with experts: the one without them that it is like, and the
/// keys of its own.
struct ExpertModel {
  StringRef type, like, experts, intermediate;
};
} // namespace

static constexpr ExpertModel expertModels[] = {
    {"mixtral", "mistral", "num_local_experts", "intermediate_size"},
    {"qwen3_moe", "qwen3", "num_experts", "moe_intermediate_size"}};

/// Makes `object` that of a model whose MLPs are one expert each. Returns how
/// many experts there are.
static llvm::Expected<int64_t> leaveOneExpert(const ExpertModel &model,
                                              llvm::json::Object &object) {
  std::optional<int64_t> count = object.getInteger(model.experts),
                         width = object.getInteger(model.intermediate);
  for (auto [key, number] :
       {std::pair(model.experts, count), {model.intermediate, width}})
    if (!number || *number < 1 || *number > 1 << 20)
      return createStringError(
          formatv("'{0}' is {1}, but must be a number from 1 to 2^20", key,
                  object.get(key) ? *object.get(key) : nullptr));
  const llvm::json::Array *dense = object.getArray("mlp_only_layers");
  if (object.getInteger("decoder_sparse_step").value_or(1) != 1 ||
      (dense && !dense->empty()))
    return createStringError("'decoder_sparse_step' and 'mlp_only_layers': "
                             "models of which only some "
                             "layers have experts are not supported");
  object["model_type"] = model.like;
  object["intermediate_size"] = *width;
  object.erase(model.experts);
  return *count;
}

llvm::Expected<std::vector<ParameterPart>>
mlir::trn::countParts(StringRef json) {
  llvm::Expected<llvm::json::Value> value = parseJSON(json);
  if (!value)
    return value.takeError();
  llvm::json::Object *object = value->getAsObject();
  const auto *model =
      llvm::find_if(expertModels, [&](const ExpertModel &model) {
        return object && object->getString("model_type") == model.type;
      });
  int64_t experts = 0;
  if (model != std::end(expertModels)) {
    if (llvm::Error error = leaveOneExpert(*model, *object).moveInto(experts))
      return error;
  }
  llvm::Expected<ModelConfig> config =
      parseConfig(experts ? formatv("{0}", *value).str() : json.str());
  if (!config)
    return config.takeError();
  llvm::Expected<std::vector<ParameterPart>> parts = countParts(*config);
  if (!parts || !experts)
    return parts;
  auto mlp = llvm::find_if(
      *parts, [](const ParameterPart &part) { return part.name == "mlp"; });
  int64_t sum = 0;
  if (llvm::MulOverflow(mlp->count, experts, sum))
    return refuseSum();
  *mlp = {"experts", sum};
  parts->insert(mlp + 1, {"router", config->layers * experts * config->hidden});
  sum = 0;
  for (const ParameterPart &part : *parts)
    if (llvm::AddOverflow(sum, part.count, sum))
      return refuseSum();
  return parts;
}
