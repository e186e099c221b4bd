//===- Plan.cpp - In which loop each matrix of a graph lives --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/Plan.h"

#include "trn/Support/Refuse.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

llvm::SmallVector<unsigned, 2> planning::nestsThatUse(const Graph &graph,
                                                      unsigned matrix) {
  llvm::SmallVector<unsigned, 2> nests;
  for (auto [i, stage] : llvm::enumerate(graph.stages))
    if (stage.uses(matrix))
      nests.push_back(i);
  return nests;
}

void Home::moveTo(unsigned other) {
  level = other;
  if (sums)
    sums->level = std::max(sums->level, level);
  ahead = 0;
  pieces = 0;
  bool rotates = level > 0 && nests.size() == 1;
  slots = rotates ? std::min<int64_t>(slots, 2) : 1;
}

const Home *Plan::homeOf(unsigned matrix, unsigned nest) const {
  for (const Home &home : homes)
    if (home.matrix == matrix && llvm::is_contained(home.nests, nest))
      return &home;
  return nullptr;
}

unsigned Plan::aheadOf(const Graph &graph, unsigned nest,
                       unsigned level) const {
  auto isAhead = [&](const Home &home) {
    return home.ahead && home.level == level;
  };
  if (llvm::none_of(homes, isAhead))
    return 0;
  while (nest + 1 < nests.size() && sharedLoops(nest) > level)
    ++nest;
  const Home *home = homeOf(graph.stages[nest].result, nest);
  bool isFilled = home && home->level == level && home->nests.front() == nest;
  return isFilled ? home->ahead : 0;
}

unsigned Plan::sharedLoops(unsigned nest) const {
  unsigned shared = 0;
  for (const Home &home : homes)
    if (home.nests.front() <= nest && nest < home.nests.back())
      shared = std::max(shared, home.level);
  return shared;
}

unsigned Plan::sharedLoops(unsigned first, unsigned last) const {
  unsigned shared = nests[first].loops.size();
  for (unsigned nest = first; nest < last; ++nest)
    shared = std::min(shared, sharedLoops(nest));
  return shared;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static llvm::Error checkNumbers(const Graph &graph, const Plan &plan,
                                const Home &home) {
  // plan_c1
  if (home.matrix >= graph.matrices.size())
    return refuse("a home is for a matrix that does not exist");
  llvm::StringRef name = graph.matrices[home.matrix].name;
  if (home.nests.empty())
    return refuse("a home of {0} serves no nest", name);
  for (auto [i, nest] : llvm::enumerate(home.nests)) {
    if (nest >= plan.nests.size() || (i && nest <= home.nests[i - 1]))
      return refuse("a home of {0} must name nests that exist, once and in "
                    "their order",
                    name);
    size_t loops = plan.nests[nest].loops.size();
    unsigned level = std::max(home.level, home.sums ? home.sums->level : 0);
    if (level > loops && (level == home.level || i == 0))
      return refuse("the home of {0} lies inside of {1} loops, but the nest of "
                    "{2} has {3}",
                    name, level, graph.matrices[graph.stages[nest].result].name,
                    loops);
  }
  return llvm::Error::success();
}

llvm::Error Plan::checkNumbers(const Graph &graph) const {
  // plan_c1
  if (nests.size() != graph.stages.size())
    return refuse("there are {0} nests, but {1} stages; each has one",
                  nests.size(), graph.stages.size());
  for (auto [i, nest] : llvm::enumerate(nests))
    for (const Loop &loop : nest.loops)
      if (loop.dim >= graph.dims.size())
        return refuse("the nest of {0} has a loop over a dim that does not "
                      "exist",
                      graph.matrices[graph.stages[i].result].name);
  for (const Home &home : homes)
    if (llvm::Error error = ::checkNumbers(graph, *this, home))
      return error;
  for (unsigned dim : interleaved)
    if (dim >= graph.dims.size())
      return refuse("a dim that does not exist is interleaved");
  if (stacked && *stacked >= graph.dims.size())
    return refuse("a dim that does not exist is stacked");
  return llvm::Error::success();
}
