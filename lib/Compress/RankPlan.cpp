//===- RankPlan.cpp - Which weights get factors, of which rank ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/RankPlan.h"

#include "trn/Compress/Rank.h"
#include "trn/Support/HostTensor.h"
#include "trn/Support/JSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include <cmath>
#include <set>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

char NothingToFactor::ID = 0;

int64_t mlir::trn::countParameters(const ModelConfig &config) {
  int64_t count = 0;
  for (const TensorSpec &spec : listTensors(config))
    count += *countElements(spec.shape);
  return count;
}

ModelConfig mlir::trn::factoredConfig(const ModelConfig &config,
                                      llvm::ArrayRef<FactoredMatrix> plan) {
  ModelConfig factored = config;
  for (const FactoredMatrix &matrix : plan)
    if (matrix.isFactored())
      factored.ranks[matrix.module] = matrix.rank;
  return factored;
}

llvm::Expected<std::map<std::string, int64_t>>
mlir::trn::parseRanks(StringRef json) {
  llvm::Expected<llvm::json::Value> value = parseJSON(json);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  if (object && object->getObject("truncation_ranks"))
    object = object->getObject("truncation_ranks");
  if (!object)
    return createStringError("it is no object of modules and ranks");
  std::map<std::string, int64_t> ranks;
  for (const auto &[module, rank] : *object) {
    std::optional<int64_t> number = rank.getAsInteger();
    if (!number || *number < 1)
      return createStringError(formatv(
          "the rank of '{0}' is {1}, but must be at least 1", module, rank));
    ranks[module.str()] = *number;
  }
  return ranks;
}

//===----------------------------------------------------------------------===//
// Which weights
//===----------------------------------------------------------------------===//

namespace {
/// The weights that a choice names.
class Scope {
public:
  static llvm::Expected<Scope> of(const ModelConfig &config,
                                  const RankChoice &choice);

  bool contains(StringRef module, int64_t layer) const;

private:
  llvm::Error readLayers(StringRef text, int64_t count);

  const RankChoice *choice = nullptr;
  std::set<int64_t> layers; // all if empty
};
} // namespace

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

/// All weights of all layers, without ranks.
static std::vector<FactoredMatrix> listWeights(const ModelConfig &config) {
  const int64_t hidden = config.hidden, inter = config.intermediate,
                queries = config.heads * config.headDim,
                keys = config.kvHeads * config.headDim;
  std::vector<FactoredMatrix> weights;
  for (int64_t layer = 0; layer < config.layers; ++layer)
    for (auto [name, out, in] : {std::tuple{"self_attn.q", queries, hidden},
                                 {"self_attn.k", keys, hidden},
                                 {"self_attn.v", keys, hidden},
                                 {"self_attn.o", hidden, queries},
                                 {"mlp.gate", inter, hidden},
                                 {"mlp.up", inter, hidden},
                                 {"mlp.down", hidden, inter}})
      weights.push_back(
          {formatv("model.layers.{0}.{1}_proj", layer, name), out, in});
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

//===----------------------------------------------------------------------===//
// Which ranks
//===----------------------------------------------------------------------===//

/// What to remove of each weight, so that `share` of the model's parameters go.
static llvm::Expected<double>
toWeightRatio(double share, llvm::ArrayRef<FactoredMatrix *> asked,
              const ModelConfig &config) {
  int64_t chosen = 0;
  for (const FactoredMatrix *matrix : asked)
    chosen += matrix->out * matrix->in;
  double most = double(chosen) / double(countParameters(config));
  if (share < most)
    return share / most;
  return createStringError(
      formatv("{0:P1} of the model's parameters cannot be removed: the weights "
              "that may get factors have {1:P1} of them",
              share, most));
}

/// What would have made factors of some weight, or why nothing can.
static llvm::Error refuseAll(llvm::ArrayRef<FactoredMatrix *> asked,
                             const RankChoice &choice) {
  if (asked.empty())
    return createStringError(
        "nothing was compressed: no weight was asked for that has no factors "
        "already");
  const FactoredMatrix *widest =
      *llvm::max_element(asked, [](auto *left, auto *right) {
        return getLargestUsefulRank(left->in, left->out) <
               getLargestUsefulRank(right->in, right->out);
      });
  const int64_t most = getLargestUsefulRank(widest->in, widest->out);
  std::string text =
      formatv("nothing was compressed: the largest useful rank is {0}", most);
  std::set<int64_t> blocks{32, 64, choice.block};
  const char *separator = "; ";
  for (int64_t size : blocks) {
    int64_t rank = size > 0 ? most / size * size : 0;
    if (!rank)
      continue;
    // The least share for which what is above this rank is rounded down.
    double kept = (double(rank) + choice.alpha * double(size)) *
                  double(widest->in + widest->out) /
                  (double(widest->in) * double(widest->out));
    double ratio = std::max(0.001, std::ceil(1000 * (1 - kept)) / 1000);
    text += formatv("{0}with --block={1} r = {2} (--ratio of at least {3:F3})",
                    separator, size, rank, ratio);
    separator = ", ";
  }
  return llvm::make_error<NothingToFactor>(text, most);
}

llvm::Expected<std::vector<FactoredMatrix>>
mlir::trn::planRanks(const ModelConfig &config, const RankChoice &choice) {
  llvm::Expected<Scope> scope = Scope::of(config, choice);
  if (!scope)
    return scope.takeError();
  std::vector<FactoredMatrix> plan = listWeights(config);
  const int64_t perLayer = plan.size() / config.layers;
  std::vector<FactoredMatrix *> asked;
  for (auto [i, matrix] : llvm::enumerate(plan)) {
    if (!scope->contains(matrix.module, int64_t(i) / perLayer))
      matrix.keptDense = notAsked.str();
    else if (config.ranks.count(matrix.module))
      matrix.keptDense = "it has factors already";
    else
      asked.push_back(&matrix);
  }
  double ratio = choice.ratio.value_or(0);
  if (choice.modelRatio && !asked.empty()) {
    llvm::Expected<double> own =
        toWeightRatio(*choice.modelRatio, asked, config);
    if (!own)
      return own.takeError();
    ratio = *own;
  }
  bool isUseful = false;
  for (FactoredMatrix *matrix : asked) {
    if (auto rank = choice.ranks.find(matrix->module);
        rank != choice.ranks.end())
      matrix->rank = rank->second;
    else
      matrix->rank = choice.rank.value_or(getRankOfRatio(
          ratio, matrix->in, matrix->out, choice.block, choice.alpha));
    int64_t most = getLargestUsefulRank(matrix->in, matrix->out);
    if (matrix->rank > most)
      matrix->keptDense =
          "break-even: the largest useful rank is " + std::to_string(most);
    isUseful |= matrix->isFactored();
  }
  if (!isUseful)
    return refuseAll(asked, choice);
  return plan;
}
