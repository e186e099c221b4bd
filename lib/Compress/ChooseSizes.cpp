//===- ChooseSizes.cpp - Sizes within a budget ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Allocate.h"
#include "trn/Compress/Rank.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

namespace {
/// Sizes of the first groups, and what they come to.
struct Partial {
  double cost = 0, loss = 0;
  size_t before = 0; // the number of the sizes of the groups before
  size_t size = 0;   // of the last group
  bool isThere = false;

  bool isBetterThan(const Partial &other) const {
    return !other.isThere ||
           std::pair(loss, cost) < std::pair(other.loss, other.cost);
  }
};
} // namespace

std::optional<std::vector<size_t>>
mlir::trn::chooseSizes(llvm::ArrayRef<SizeGroup> groups, double budget) {
  const size_t steps = 8192;
  // By the step of the budget that they end in, after each group.
  std::vector<std::vector<Partial>> tables{{{0, 0, 0, 0, true}}};
  for (const SizeGroup &group : groups) {
    const std::vector<Partial> &known = tables.back();
    std::vector<Partial> next(steps + 1);
    for (auto [number, partial] : llvm::enumerate(known))
      for (size_t size = 0; partial.isThere && size < group.sizes.size();
           ++size) {
        Partial more{partial.cost + group.costs[size],
                     partial.loss + group.losses[size], number, size, true};
        if (more.cost > budget)
          continue;
        const double share = budget > 0 ? more.cost / budget : 0;
        Partial &place = next[size_t(share * double(steps))];
        if (more.isBetterThan(place))
          place = more;
      }
    tables.push_back(std::move(next));
  }
  const Partial *best = &tables.back().front();
  for (const Partial &partial : tables.back())
    if (partial.isThere && partial.isBetterThan(*best))
      best = &partial;
  if (!best->isThere)
    return std::nullopt;
  std::vector<size_t> chosen(groups.size());
  for (size_t i = groups.size(); i-- > 0; best = &tables[i][best->before])
    chosen[i] = best->size;
  return chosen;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The largest size below all of a weight that takes fewer parameters.
static int64_t largestSize(const FactoredMatrix &matrix) {
  if (matrix.isThin())
    return (matrix.readsNeurons() ? matrix.in : matrix.out) - 1;
  return getLargestUsefulRank(matrix.in, matrix.out);
}

/// Unless factors of the rank would be no smaller than what neurons leave.
static void addSize(llvm::ArrayRef<FactoredMatrix> plan, int64_t size,
                    int64_t rank, SizeGroup &group) {
  for (size_t member : group.members) {
    const FactoredMatrix &matrix = plan[member];
    const int64_t other = matrix.readsNeurons() ? matrix.out : matrix.in,
                  neurons = matrix.readsNeurons() ? matrix.in : matrix.out;
    if (rank > getLargestUsefulRank(size ? size : neurons, other))
      return;
  }
  group.sizes.push_back(size);
  group.ranks.push_back(rank);
}

std::vector<SizeGroup>
mlir::trn::listGroups(llvm::ArrayRef<FactoredMatrix> plan, int64_t layers,
                      int64_t block, bool byMlp,
                      std::optional<int64_t> thinRank) {
  std::vector<SizeGroup> groups;
  const size_t perLayer = plan.size() / layers;
  size_t layer = plan.size(); // of the last group
  for (auto [i, matrix] : llvm::enumerate(plan)) {
    if (!matrix.isFactored() && !matrix.isThin())
      continue;
    if (!(byMlp || matrix.isThin()) || i / perLayer != layer)
      groups.emplace_back();
    layer = i / perLayer;
    groups.back().members.push_back(i);
  }
  for (SizeGroup &group : groups) {
    int64_t most = INT64_MAX;
    for (size_t member : group.members)
      most = std::min(most, largestSize(plan[member]));
    auto addSizes = [&](int64_t rank) {
      for (int64_t size = block; size <= most; size += block)
        addSize(plan, size, rank, group);
      addSize(plan, 0, rank, group);
    };
    if (thinRank)
      addSizes(*thinRank);
    addSizes(0);
  }
  return groups;
}

void mlir::trn::setSize(FactoredMatrix &matrix, const SizeGroup &group,
                        size_t number) {
  const int64_t size = group.sizes[number], rank = group.ranks[number];
  if (!size && !rank)
    matrix.keptDense = keepsAll.str();
  else if (matrix.isThin())
    std::tie(matrix.neurons, matrix.rank) = std::pair(size, rank);
  else
    matrix.rank = size;
}

void mlir::trn::placeSizes(llvm::ArrayRef<SizeGroup> groups,
                           llvm::ArrayRef<size_t> chosen,
                           std::vector<FactoredMatrix> &plan) {
  for (auto [group, number] : llvm::zip_equal(groups, chosen))
    for (size_t member : group.members)
      setSize(plan[member], group, number);
}
