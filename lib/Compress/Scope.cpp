//===- Scope.cpp - Which weights a choice names ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scope.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

/// `0,3-9`
llvm::Error Scope::readLayers(StringRef text, int64_t count) {
  for (StringRef part : llvm::split(text, ',')) {
    if (text.empty())
      break;
    auto [first, last] = part.split('-');
    int64_t from = 0, to = 0;
    bool isOne = !part.contains('-');
    if (first.getAsInteger(10, from) ||
        (isOne ? false : last.getAsInteger(10, to)))
      return createStringError(formatv(
          "layers are numbers and ranges like '0,3-9', not '{0}'", text));
    to = isOne ? from : to;
    if (from > to || to >= count)
      return createStringError(
          formatv("layers '{0}' are none of this model: they are 0 to {1}",
                  part, count - 1));
    for (int64_t layer = from; layer <= to; ++layer)
      layers.insert(layer);
  }
  return llvm::Error::success();
}

static bool isEndOf(StringRef name, StringRef module) {
  return module == name || (module.ends_with(name) &&
                            module.drop_back(name.size()).ends_with("."));
}

bool mlir::trn::isNamed(StringRef module, llvm::ArrayRef<std::string> names) {
  return llvm::any_of(names, [&](const std::string &name) {
    return (name == "mlp" && module.contains(".mlp.")) ||
           (name == "attention" && module.contains(".self_attn.")) ||
           isEndOf(name, module);
  });
}

bool Scope::contains(StringRef module, int64_t layer) const {
  if (!choice->ranks.empty())
    return choice->ranks.count(module.str());
  return isNamed(module, choice->modules) &&
         (layers.empty() || layers.count(layer)) &&
         llvm::none_of(choice->ignored, [&](const std::string &pattern) {
           return llvm::Regex(pattern).match(module);
         });
}

std::vector<FactoredMatrix> mlir::trn::listWeights(const ModelConfig &config) {
  const int64_t hidden = config.hidden, queries = config.heads * config.headDim,
                keys = config.kvHeads * config.headDim;
  std::vector<FactoredMatrix> weights;
  for (int64_t layer = 0; layer < config.layers; ++layer) {
    const int64_t inter = config.intermediateOf(layer);
    for (auto [name, out, in] : {std::tuple{"self_attn.q", queries, hidden},
                                 {"self_attn.k", keys, hidden},
                                 {"self_attn.v", keys, hidden},
                                 {"self_attn.o", hidden, queries},
                                 {"mlp.gate", inter, hidden},
                                 {"mlp.up", inter, hidden},
                                 {"mlp.down", hidden, inter}})
      weights.push_back(
          {formatv("model.layers.{0}.{1}_proj", layer, name), out, in});
  }
  return weights;
}

llvm::Expected<Scope> Scope::of(const ModelConfig &config,
                                const RankChoice &choice) {
  Scope scope;
  scope.choice = &choice;
  if (llvm::Error error = scope.readLayers(choice.layers, config.layers))
    return error;
  for (const std::string &pattern : choice.ignored)
    if (std::string problem; !llvm::Regex(pattern).isValid(problem))
      return createStringError(
          formatv("'{0}' is no regular expression: {1}", pattern, problem));
  std::vector<FactoredMatrix> weights = listWeights(config);
  for (const std::string &name : choice.modules)
    if (name != "mlp" && name != "attention" &&
        llvm::none_of(weights, [&](const FactoredMatrix &weight) {
          return isEndOf(name, weight.module);
        }))
      return createStringError(
          formatv("the model has no module '{0}': name mlp, attention, or the "
                  "end of a name like model.layers.0.mlp.gate_proj",
                  name));
  for (const auto &named : choice.ranks)
    if (llvm::none_of(weights, [&](const FactoredMatrix &weight) {
          return weight.module == named.first;
        }))
      return createStringError(
          formatv("the model has no module '{0}' to give rank {1}", named.first,
                  named.second));
  return scope;
}
