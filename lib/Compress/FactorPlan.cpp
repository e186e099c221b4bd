//===- FactorPlan.cpp - Which ranks weights get ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scope.h"
#include "trn/Compress/Rank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <set>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;

llvm::Expected<double>
mlir::trn::toWeightRatio(double share, llvm::ArrayRef<FactoredMatrix *> asked,
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
        "nothing was compressed: all selected weights have factors already, "
        "or none is selected");
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

static llvm::Expected<std::vector<FactoredMatrix>>
planFactors(const ModelConfig &config, const RankChoice &choice) {
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

llvm::Expected<std::vector<FactoredMatrix>>
mlir::trn::planRanks(const ModelConfig &config, const RankChoice &choice) {
  auto plan = choice.cutsNeurons ? planNeurons(config, choice)
                                 : planFactors(config, choice);
  if (plan && choice.refitsAttention)
    for (FactoredMatrix &matrix : *plan)
      matrix.isRefitted = matrix.keptDense == notAsked &&
                          isNamed(matrix.module, {"attention"}) &&
                          !config.ranks.count(matrix.module);
  return plan;
}
