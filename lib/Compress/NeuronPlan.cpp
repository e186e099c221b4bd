//===- NeuronPlan.cpp - How many neurons an MLP keeps ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scope.h"
#include "trn/Compress/Rank.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;

namespace {
/// The three weights of an MLP, which lose the same neurons.
using Mlp = llvm::MutableArrayRef<FactoredMatrix>;
} // namespace

static int64_t neuronsOf(const FactoredMatrix &weight) {
  return weight.readsNeurons() ? weight.in : weight.out;
}

static int64_t largestUsefulRank(const FactoredMatrix &weight) {
  return getLargestUsefulRank(weight.inLeft(), weight.outLeft());
}

/// Fails where some of the weights are asked for and others are not.
static llvm::Expected<bool> isAsked(const Scope &scope, Mlp mlp,
                                    int64_t layer) {
  const FactoredMatrix *asked = nullptr, *other = nullptr;
  for (const FactoredMatrix &weight : mlp)
    (scope.contains(weight.module, layer) ? asked : other) = &weight;
  if (asked && other)
    return createStringError(
        formatv("neurons go from all weights of an MLP, but '{0}' is selected "
                "and '{1}' is not; choose MLPs with --modules=mlp and --layers",
                asked->module, other->module));
  return asked != nullptr;
}

static void keepDense(Mlp mlp, const std::string &reason) {
  for (FactoredMatrix &weight : mlp)
    weight.keptDense = reason;
}

static llvm::Error refuseAll(llvm::ArrayRef<FactoredMatrix *> asked,
                             const RankChoice &choice) {
  if (asked.empty())
    return createStringError("nothing was compressed: all selected MLPs "
                             "have factors already, or none is selected");
  const int64_t most = neuronsOf(*asked.front());
  std::string text = formatv(
      "nothing was compressed: MLPs have {0} neurons, and as many would stay; ",
      most);
  text += choice.neurons.empty()
              ? formatv("give a larger --ratio than {0:F3} or a smaller "
                        "--block than {1}",
                        choice.ratio.value_or(choice.modelRatio.value_or(0)),
                        choice.block)
                    .str()
              : formatv("give --neurons of at most {0}", most - 1).str();
  return llvm::make_error<NothingToFactor>(text, most - 1);
}

/// Fails where no weight that neurons leave is larger than its factors.
static llvm::Error checkThinRank(const RankChoice &choice,
                                 llvm::ArrayRef<FactoredMatrix> plan) {
  if (!choice.rank || llvm::any_of(plan, [](const FactoredMatrix &weight) {
        return weight.isFactored();
      }))
    return llvm::Error::success();
  int64_t most = 0;
  for (const FactoredMatrix &weight : plan)
    if (weight.isThin())
      most = std::max(most, largestUsefulRank(weight));
  return createStringError(
      formatv("--rank is {0}, but factors of what neurons leave have fewer "
              "parameters only up to rank {1}; give a smaller --rank, or leave "
              "it out",
              *choice.rank, most));
}

llvm::Expected<std::vector<FactoredMatrix>>
mlir::trn::planNeurons(const ModelConfig &config, const RankChoice &choice) {
  llvm::Expected<Scope> scope = Scope::of(config, choice);
  if (!scope)
    return scope.takeError();
  if (size_t given = choice.neurons.size();
      given > 1 && int64_t(given) != config.layers)
    return createStringError(
        formatv("--neurons has {0} numbers, but the model has {1} layers; give "
                "one for all of them or one for each",
                given, config.layers));
  std::vector<FactoredMatrix> plan = listWeights(config);
  const int64_t perLayer = plan.size() / config.layers, ofMlp = 3;
  std::vector<FactoredMatrix *> asked;
  for (FactoredMatrix &weight : plan)
    weight.keptDense = notAsked.str();
  for (int64_t layer = 0; layer < config.layers; ++layer) {
    Mlp mlp = Mlp(plan).slice((layer + 1) * perLayer - ofMlp, ofMlp);
    llvm::Expected<bool> isOne = isAsked(*scope, mlp, layer);
    if (!isOne)
      return isOne.takeError();
    if (!*isOne)
      continue;
    const bool hasFactors = llvm::any_of(mlp, [&](const FactoredMatrix &own) {
      return config.ranks.count(own.module);
    });
    keepDense(mlp, hasFactors ? "its MLP has factors already" : "");
    for (FactoredMatrix &weight : mlp)
      if (!hasFactors)
        asked.push_back(&weight);
  }
  const bool cutsHeads = asksForHeads(*scope, config, plan),
             cutsMlps = !asked.empty();
  for (FactoredMatrix &weight : plan)
    if (cutsHeads && !weight.isOfMlp())
      asked.push_back(&weight);
  double ratio = choice.ratio.value_or(0);
  if (choice.modelRatio && !asked.empty())
    if (llvm::Error error =
            toWeightRatio(*choice.modelRatio, asked, config).moveInto(ratio))
      return error;
  bool isUseful = false;
  for (int64_t layer = 0; layer < config.layers; ++layer)
    for (FactoredMatrix &weight :
         Mlp(plan).slice((layer + 1) * perLayer - ofMlp, ofMlp)) {
      if (!weight.isChanged())
        continue;
      if (choice.neurons.empty() && !choice.ratio && !choice.modelRatio)
        return createStringError("MLPs are selected, but nothing says how many "
                                 "neurons stay; give --neurons, or only "
                                 "--modules=attention");
      const int64_t all = neuronsOf(weight);
      weight.neurons =
          choice.neurons.empty()
              ? alignCount((1 - ratio) * double(all), choice.block,
                           choice.alpha)
              : choice.neurons[choice.neurons.size() > 1 ? layer : 0];
      if (weight.neurons >= all)
        weight.keptDense = formatv("its MLP has only {0} neurons", all);
      else if (choice.rank.value_or(0) <= largestUsefulRank(weight))
        weight.rank = choice.rank.value_or(0);
      isUseful |= weight.isChanged();
    }
  if (cutsHeads)
    if (llvm::Error error = planHeads(config, choice, ratio, *scope, plan))
      return error;
  if (!isUseful && (cutsMlps || !cutsHeads))
    return refuseAll(asked, choice);
  if (llvm::Error error = checkThinRank(choice, plan))
    return error;
  return plan;
}
