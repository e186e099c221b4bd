//===- HeadPlan.cpp - How many heads attention keeps ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scope.h"
#include "trn/Compress/Heads.h"
#include "trn/Compress/Rank.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;

bool mlir::trn::asksForHeads(const Scope &scope, const ModelConfig &config,
                             llvm::ArrayRef<FactoredMatrix> plan) {
  const size_t perLayer = plan.size() / config.layers;
  for (size_t i = 0; i < plan.size(); ++i)
    if (!plan[i].isOfMlp() &&
        scope.contains(plan[i].module, int64_t(i / perLayer)))
      return true;
  return false;
}

static llvm::Expected<HeadCounts>
readCounts(const ModelConfig &config, const RankChoice &choice, double ratio) {
  if (!choice.heads && !choice.kvHeads && !choice.ratio && !choice.modelRatio)
    return createStringError("attention is selected, but nothing says how many "
                             "heads stay; give --heads, or only --modules=mlp");
  const HeadCounts all{config.heads, config.kvHeads};
  HeadCounts left = all;
  if (choice.kvHeads)
    left.groups = *choice.kvHeads;
  else if (choice.heads)
    left.groups = *choice.heads / all.perGroup();
  else
    left.groups = alignCount((1 - ratio) * double(all.groups), 1, choice.alpha);
  left.heads = choice.heads.value_or(left.groups * all.perGroup());
  const std::string has =
      formatv("attention has {0} heads of queries and {1} of keys", all.heads,
              all.groups);
  if (left.groups < 1 || left.groups > all.groups || left.heads % left.groups ||
      left.perGroup() > all.perGroup())
    return createStringError(formatv(
        "{0}, so {1} and {2} cannot stay: of each head of keys that stays, as "
        "many heads of queries stay, and at most {3}; {4}",
        has, left.heads, left.groups, all.perGroup(),
        choice.kvHeads ? "give other numbers of --heads and --kv-heads"
                       : "give --kv-heads, too"));
  if (left.heads == all.heads)
    return llvm::make_error<NothingToFactor>(
        formatv("nothing was compressed: {0}, and as many would stay; give "
                "fewer --heads or a larger --ratio",
                has),
        all.heads - 1);
  return left;
}

llvm::Error mlir::trn::planHeads(const ModelConfig &config,
                                 const RankChoice &choice, double ratio,
                                 const Scope &scope,
                                 std::vector<FactoredMatrix> &plan) {
  const size_t perLayer = plan.size() / config.layers;
  for (size_t i = 0; i < plan.size(); ++i) {
    const FactoredMatrix &matrix = plan[i];
    if (matrix.isOfMlp())
      continue;
    if (!scope.contains(matrix.module, int64_t(i / perLayer)))
      return createStringError(
          formatv("heads go from all weights of attention in all layers, which "
                  "have one number of them, but '{0}' is not selected; leave "
                  "--layers and --ignore out",
                  matrix.module));
    if (config.ranks.count(matrix.module))
      return createStringError(
          formatv("heads go from whole weights, but '{0}' has factors; write "
                  "the model with --export=dense first",
                  matrix.module));
  }
  llvm::Expected<HeadCounts> left = readCounts(config, choice, ratio);
  if (!left)
    return left.takeError();
  for (size_t i = 0; i < plan.size(); ++i) {
    FactoredMatrix &matrix = plan[i];
    if (matrix.isOfMlp())
      continue;
    const bool isOfKeys = i % perLayer == 1 || i % perLayer == 2;
    matrix.keptDense.clear();
    matrix.neurons = config.headDim * (isOfKeys ? left->groups : left->heads);
    matrix.hasBias = config.qkvBias && !matrix.losesInputs();
  }
  return llvm::Error::success();
}
