//===- CompressWeights.cpp - Weights of a module as factors ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A weight that only products read,
//
//   %y = X * W
//
// becomes two factors, and the products read these:
//
//   %z = X * U (rounded);  %y = %z * V
//
// Constants are factored here. Arguments only get new types and names; their
// values are factored by trn-compress.
//
//===----------------------------------------------------------------------===//

#include "FactorConstants.h"
#include "ReplaceWeights.h"
#include "trn/Compress/Rank.h"
#include "trn/Compress/RankPlan.h"
#include "trn/Factorize/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

namespace mlir::trn {
#define GEN_PASS_DEF_COMPRESSWEIGHTS
#include "trn/Factorize/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct CompressWeightsPass final
    : trn::impl::CompressWeightsBase<CompressWeightsPass> {
  using Base::Base;

  void runOnOperation() override;

private:
  LogicalResult checkOptions();
  bool isAsked(StringRef name) const;
  std::string findReason(const WeightGroup &group) const;
  int64_t chooseRank(int64_t in, int64_t out) const {
    return rank ? rank : getRankOfRatio(ratio, in, out, block);
  }
  void keepDense(const WeightGroup &group, StringRef reason);
  void keepSharedNames(std::vector<FactoredGroup> &groups);

  /// Parameters that stay whole.
  std::set<std::string> dense;
};
} // namespace

LogicalResult CompressWeightsPass::checkOptions() {
  auto refuse = [&](const Twine &problem) {
    return getOperation().emitError("trn-compress: ") << problem;
  };
  if (rank.hasValue() == ratio.hasValue())
    return refuse("give either rank, or ratio, the share of the parameters of "
                  "each weight to remove");
  if (rank.hasValue() && rank < 1)
    return refuse("rank is " + Twine(rank) + ", but must be at least 1");
  if (ratio.hasValue() && !(ratio > 0 && ratio < 1))
    return refuse(
        formatv("ratio is {0}, but must lie between 0 and 1", double(ratio)));
  const int64_t step = 32, most = 1 << 20;
  if (block < step || block > most || block % step)
    return refuse("block is " + Twine(block) + ", but must be a multiple of " +
                  Twine(step) + " up to " + Twine(most));
  for (StringRef pattern : ignore)
    if (std::string problem; !llvm::Regex(pattern).isValid(problem))
      return refuse("ignore '" + pattern +
                    "' is no regular expression: " + problem);
  return success();
}

bool CompressWeightsPass::isAsked(StringRef name) const {
  name.consume_back(".weight");
  return (modules.empty() || isNamed(name, modules)) &&
         llvm::none_of(ignore, [&](StringRef pattern) {
           return llvm::Regex(pattern).match(name);
         });
}

/// Why the weights of `group` stay whole; empty if they need not.
std::string CompressWeightsPass::findReason(const WeightGroup &group) const {
  for (StringRef name : group.names)
    if (!name.empty() && !isAsked(name))
      return "not asked";
  if (!group.obstacle.empty())
    return group.obstacle;
  if (!countElements(group.type().getShape()))
    return "it has more than 2^63 elements";
  FactoredGroup factored(group);
  int64_t largest = getLargestUsefulRank(factored.in, factored.out);
  int64_t wanted = chooseRank(factored.in, factored.out);
  if (wanted > largest)
    return formatv("break-even: rank {0} saves no parameters, the largest "
                   "useful rank is {1}",
                   wanted, largest);
  // The weight a few times, and Gram matrices of its smaller side, in f64.
  double in = factored.in, out = factored.out, small = std::min(in, out);
  double bytes = 8 * (4 * in * out + 4 * small * small);
  bool isConstant = llvm::any_of(
      group.values, [](Value value) { return value.getDefiningOp(); });
  if (isConstant && bytes > double(getHostMemory()))
    return formatv("factoring it takes {0:F1} GB, but this machine has only "
                   "{1:F1} GB of memory",
                   bytes * 1e-9, double(getHostMemory()) * 1e-9);
  return "";
}

void CompressWeightsPass::keepDense(const WeightGroup &group,
                                    StringRef reason) {
  std::string names =
      llvm::join(llvm::make_filter_range(
                     group.names, [](StringRef name) { return !name.empty(); }),
                 "', '");
  size_t first = llvm::find_if(group.names, std::not_fn(&std::string::empty)) -
                 group.names.begin();
  emitRemark(group.values[first].getLoc(), "weight '")
      << names << "' kept dense: " << reason;
  for (Value value : group.values)
    if (StringRef name = getParameterName(value); !name.empty())
      dense.insert(name.str());
}

/// A file has a parameter whole, or as factors.
void CompressWeightsPass::keepSharedNames(std::vector<FactoredGroup> &groups) {
  auto isShared = [&](const FactoredGroup &factored) {
    for (Value value : factored.group->values) {
      StringRef name = getParameterName(value);
      auto [first, second] = nameFactors(name);
      std::string reason;
      if (dense.count(name.str()))
        reason = "another argument of this name stays whole";
      else if (!name.empty() && (dense.count(first) || dense.count(second)))
        reason = "the module has a parameter '" +
                 (dense.count(first) ? first : second) + "' already";
      if (reason.empty())
        continue;
      keepDense(*factored.group, reason);
      return true;
    }
    return false;
  };
  for (size_t before = 0; before != groups.size();) {
    before = groups.size();
    llvm::erase_if(groups, isShared);
  }
}

void CompressWeightsPass::runOnOperation() {
  if (failed(checkOptions()))
    return signalPassFailure();
  std::optional<SafetensorsFile> file;
  if (!grams.empty()) {
    llvm::Expected<SafetensorsFile> opened = SafetensorsFile::open(grams);
    if (!opened) {
      getOperation().emitError("trn-compress: grams: ")
          << llvm::toString(opened.takeError());
      return signalPassFailure();
    }
    file = std::move(*opened);
  }
  ModuleWeights weights = findWeightGroups(getOperation());
  dense = std::move(weights.otherParameters);
  std::vector<FactoredGroup> factored;
  for (const WeightGroup &group : weights.groups) {
    if (std::string reason = findReason(group); !reason.empty()) {
      keepDense(group, reason);
      continue;
    }
    factored.emplace_back(group);
    factored.back().rank = chooseRank(factored.back().in, factored.back().out);
  }
  FactorProblems problems =
      factorConstants(factored, file, getContext().getNumThreads());
  llvm::erase_if(factored, [&](const FactoredGroup &one) {
    auto problem = problems.find(one.group);
    if (problem != problems.end())
      keepDense(*one.group, problem->second);
    return problem != problems.end();
  });
  keepSharedNames(factored);
  replaceWeights(getOperation(), factored);
}
