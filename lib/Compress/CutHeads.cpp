//===- CutHeads.cpp - Attention that loses heads --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compressor.h"

#include "PlaceFactors.h"
#include "trn/Compress/Heads.h"

using namespace mlir::trn;

static void leaveRows(const Linear &whole, Linear &linear,
                      llvm::ArrayRef<int64_t> kept) {
  linear.weight = selectRows(whole.weight, whole.in, kept);
  if (!whole.bias.empty())
    linear.bias = selectRows(whole.bias, 1, kept);
  linear.out = kept.size();
}

/// The groups of heads, with keys of their own, that have any of `heads`.
static std::vector<int64_t> groupsOf(llvm::ArrayRef<int64_t> heads,
                                     int64_t perGroup) {
  std::vector<int64_t> groups;
  for (int64_t head : heads)
    if (const int64_t group = head / perGroup;
        groups.empty() || groups.back() != group)
      groups.push_back(group);
  return groups;
}

/// As MLPs lose neurons; every member of the team leaves the same heads.
void Compressor::cutHeads(const Half &half, const Layer &whole, Layer &layer,
                          llvm::json::Object &record) {
  FitStatistics statistics = watchLast(half, whole, whole, /*goesOn=*/true);
  FactoredMatrix &last = half.last;
  const double shrink = options.fit.value_or(FitOptions()).shrink;
  const int64_t width = config.headDim;
  const HeadCounts all{config.heads, config.kvHeads},
      left{last.neurons / width, half.readers[1].neurons / width};
  const std::vector<int64_t> heads =
      chooseHeads(whole.output.weight, last.out, width, all, left,
                  options.scores, shrink, statistics, threads);
  record["kept_heads"] = spellRuns(heads);
  const std::vector<int64_t> kept = elementsOf(heads, width),
                             keptKeys = elementsOf(
                                 groupsOf(heads, all.perGroup()), width);
  leaveRows(whole.query, layer.query, kept);
  leaveRows(whole.key, layer.key, keptKeys);
  leaveRows(whole.value, layer.value, keptKeys);
  layer.output.weight =
      selectColumns(whole.output.weight, whole.output.in, kept);
  layer.output.in = kept.size();
  if (!options.fit)
    return;
  if (team.does(0))
    placeWeight(last,
                fitKeptWeight(layer.output.weight, last.out, kept, shrink,
                              statistics, threads),
                layer.output);
  shareFactors(team, last, layer.output, 0);
}
