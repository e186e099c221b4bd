//===- MergeTokens.cpp - Neighbours that become one -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MergeTokens.h"

#include "llvm/ADT/STLExtras.h"
#include <queue>

using namespace mlir::trn;

namespace {
/// A merge that was possible when it was found.
struct Candidate {
  TokenMerge merge;
  int32_t left, right;           // positions
  int32_t leftToken, rightToken; // to know if they still are there

  bool operator<(const Candidate &other) const {
    return merge.rank != other.merge.rank ? merge.rank > other.merge.rank
                                          : left > other.left;
  }
};

/// The tokens as a list from which merged ones are taken.
class TokenList {
public:
  TokenList(std::vector<int32_t> &tokens, FindMerge find)
      : tokens(tokens), next(tokens.size()), previous(tokens.size()),
        find(find) {
    for (int32_t i = 0, count = tokens.size(); i < count; ++i) {
      previous[i] = i - 1;
      next[i] = i + 1 < count ? i + 1 : none;
    }
    for (int32_t i = 0, count = tokens.size(); i + 1 < count; ++i)
      addCandidate(i, i + 1);
  }

  void mergeAll() {
    while (!candidates.empty()) {
      Candidate candidate = candidates.top();
      candidates.pop();
      if (isStillThere(candidate))
        merge(candidate);
    }
    llvm::erase(tokens, none);
  }

private:
  static constexpr int32_t none = -1;

  void addCandidate(int32_t left, int32_t right) {
    if (left == none || right == none)
      return;
    if (auto merge = find(tokens[left], tokens[right]))
      candidates.push({*merge, left, right, tokens[left], tokens[right]});
  }
  bool isStillThere(const Candidate &candidate) const {
    return tokens[candidate.left] == candidate.leftToken &&
           tokens[candidate.right] == candidate.rightToken &&
           next[candidate.left] == candidate.right;
  }
  void merge(const Candidate &candidate) {
    const int32_t left = candidate.left, right = candidate.right;
    tokens[left] = candidate.merge.token;
    tokens[right] = none;
    next[left] = next[right];
    if (next[left] != none)
      previous[next[left]] = left;
    addCandidate(previous[left], left);
    addCandidate(left, next[left]);
  }

  std::vector<int32_t> &tokens;
  std::vector<int32_t> next, previous;
  FindMerge find;
  std::priority_queue<Candidate> candidates;
};
} // namespace

void mlir::trn::mergeTokens(std::vector<int32_t> &tokens, FindMerge find) {
  if (tokens.size() > 1)
    TokenList(tokens, find).mergeAll();
}
