//===- DescribeSchedule.cpp - Schedules in a few words --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/DescribeSchedule.h"

#include "trn/Planning/PrintSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <map>

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
/// A schedule for X[m,k] * W[k,n] or X[m,k] * U[k,r] * V[r,n].
class ChainSchedule {
public:
  explicit ChainSchedule(const Schedule &schedule)
      : graph(schedule.graph), plan(schedule.plan) {}

  /// Whether the graph is such a chain; only then there is something to say.
  bool recognize() { return findProducts() && findDims(); }
  std::map<std::string, std::string> describe() const;

private:
  bool findProducts();
  bool findDims();

  bool isComputed(unsigned matrix) const {
    return graph.matrices[sources[matrix]].role != Role::Input;
  }
  size_t numComputed(const Stage &stage) const {
    return llvm::count_if(stage.operands(), [&](unsigned operand) {
      return isComputed(operand);
    });
  }
  unsigned resultOf(unsigned nest) const { return graph.stages[nest].result; }
  llvm::ArrayRef<Loop> loopsOf(unsigned nest) const {
    return plan.nests[nest].loops;
  }
  llvm::ArrayRef<Loop> loopsAround(const Home &home) const {
    return loopsOf(home.nests.front()).take_front(home.level);
  }
  /// The block of the outermost loop over `dim`.
  int64_t blockOf(unsigned nest, unsigned dim) const {
    for (const Loop &loop : loopsOf(nest))
      if (loop.dim == dim)
        return loop.block;
    return graph.sizeOf(dim);
  }
  int64_t blockK() const;
  int64_t blockX() const;
  int64_t residentRank() const;
  bool readsXAgain() const;
  llvm::StringRef strategy() const;

  const Graph &graph;
  const Plan &plan;
  /// By matrix: what it is the transpose of, or itself.
  llvm::SmallVector<unsigned> sources;
  unsigned x = 0, o = 0; // matrices
  unsigned m = 0, k = 0, n = 0;
  unsigned last = 0; // stage of the last product
  /// The stages that compute Y, one for each part of r.
  llvm::SmallVector<unsigned, 2> first;
  /// The first stage that multiplies X: one of these, or the last one.
  unsigned onX = 0;
};
} // namespace

bool ChainSchedule::findProducts() {
  auto is = [](Role role) {
    return [role](const Matrix &matrix) { return matrix.role == role; };
  };
  if (llvm::count_if(graph.matrices, is(Role::Result)) != 1)
    return false;
  x = llvm::find_if(graph.matrices, is(Role::Input)) - graph.matrices.begin();
  o = llvm::find_if(graph.matrices, is(Role::Result)) - graph.matrices.begin();
  sources = llvm::to_vector(llvm::seq<unsigned>(0, graph.matrices.size()));
  for (auto [i, stage] : llvm::enumerate(graph.stages))
    if (stage.isTransposition())
      sources[stage.result] = sources[stage.source];
    else if (stage.terms.empty())
      return false;
    else
      first.push_back(i);
  if (first.empty())
    return false;
  onX = first.front();
  last = first.pop_back_val();
  const Stage &stage = graph.stages[last];
  return numComputed(stage) == first.size() &&
         (first.empty() || first.size() == stage.terms.size());
}

bool ChainSchedule::findDims() {
  auto overOf = [&](const Term &term) { return graph.wholeOf(term.over); };
  k = overOf(graph.stages[onX].terms.front());
  m = graph.matrices[x].otherDim(k);
  n = graph.matrices[o].otherDim(m);
  auto multipliesX = [&](unsigned product) {
    const Stage &stage = graph.stages[product];
    auto operands = stage.operands();
    return stage.terms.size() == 1 && overOf(stage.terms.front()) == k &&
           numComputed(stage) == 0 &&
           llvm::any_of(operands, [&](unsigned i) { return sources[i] == x; });
  };
  return graph.matrices[o].has(m) && multipliesX(onX) &&
         llvm::all_of(first, multipliesX) &&
         llvm::all_equal(llvm::map_range(graph.stages[last].terms, overOf));
}

/// What PSUM sums over at once.
int64_t ChainSchedule::blockK() const {
  return plan.homeOf(resultOf(onX), onX)->sumsInPsum()
             ? graph.sizeOf(k)
             : blockOf(onX, graph.stages[onX].terms.front().over);
}

/// Columns of what is loaded of X before it is transposed.
int64_t ChainSchedule::blockX() const {
  int64_t block = 0;
  for (const Home &home : plan.homes) {
    if (home.matrix != x || graph.matrices[x].rows == k)
      continue;
    block = graph.sizeOf(k);
    for (const Loop &loop : loopsAround(home))
      if (loop.dim == k)
        block = loop.block;
  }
  return block;
}

/// Ranks of Y that go to the last product without HBM.
int64_t ChainSchedule::residentRank() const {
  int64_t rank = 0;
  for (unsigned nest : first)
    if (plan.homeOf(resultOf(nest), nest)->nests.size() > 1)
      rank += graph.sizeOf(graph.matrices[resultOf(nest)].otherDim(m));
  return rank;
}

/// Whether X comes from HBM once a block of columns of O.
bool ChainSchedule::readsXAgain() const {
  return llvm::any_of(nestsThatUse(graph, x), [&](unsigned nest) {
    const Home *home = plan.homeOf(x, nest);
    auto cutsColumns = [&](const Loop &loop) {
      return loop.dim == n && loop.block < graph.sizeOf(n);
    };
    return llvm::any_of(home ? loopsAround(*home) : loopsOf(nest), cutsColumns);
  });
}

llvm::StringRef ChainSchedule::strategy() const {
  // Even if there is only one block.
  auto isRepeated = [&](unsigned nest) {
    return llvm::any_of(loopsOf(nest),
                        [&](const Loop &loop) { return loop.dim == n; });
  };
  return llvm::any_of(first, isRepeated)        ? "recompute"
         : first.empty() || residentRank() != 0 ? "strip-cache"
                                                : "sequential";
}

std::map<std::string, std::string> ChainSchedule::describe() const {
  auto layoutOf = [&](unsigned matrix) {
    return graph.matrices[matrix].rows == m ? "standard" : "transposed";
  };
  bool turnsY = llvm::any_of(graph.stages[last].operands(), [&](unsigned y) {
    return isComputed(y) && sources[y] != y;
  });
  auto blockR = [&](unsigned nest) {
    return blockOf(nest, graph.matrices[resultOf(nest)].otherDim(m));
  };
  std::map<std::string, std::string> entries{
      {"strategy", strategy().str()},
      {"transpose", turnsY ? "explicit" : "implicit"},
      {"input_layout", layoutOf(x)},
      {"output_layout", layoutOf(o)},
      {"block_m", std::to_string(blockOf(last, m))},
      {"block_n", std::to_string(blockOf(last, n))},
      {"block_k", std::to_string(blockK())},
      {"block_r", std::to_string(first.empty() ? 0 : blockR(first.front()))},
      {"block_x", std::to_string(blockX())},
      {"resident_rank", std::to_string(residentRank())}};
  for (const Home &home : plan.homes)
    if (home.ahead && sources[home.matrix] == x)
      entries["prefetch_x"] = "yes";
  if (readsXAgain())
    entries["reread_x"] = "yes";
  return entries;
}

/// The type in which blocks of a contraction are added up in `home` or in HBM,
/// if they are.
static std::optional<ElementType> partialsOf(const Schedule &schedule,
                                             const Home &home) {
  const auto &[graph, plan] = schedule;
  const Stage &stage = graph.stages[home.nests.front()];
  const Nest &nest = plan.nests[home.nests.front()];
  auto isBlocked = [&, &graph = graph](const Term &term) {
    return llvm::any_of(nest.loops, [&](const Loop &loop) {
      return loop.dim == term.over && loop.block < graph.sizeOf(term.over);
    });
  };
  if (stage.result != home.matrix || home.sumsInPsum() ||
      llvm::none_of(stage.terms, isBlocked))
    return std::nullopt;
  return home.sums ? home.sums->type : graph.matrices[home.matrix].type;
}

std::vector<std::pair<std::string, std::string>>
planning::describeSchedule(const Schedule &schedule) {
  std::map<std::string, std::string> entries;
  ChainSchedule chain(schedule);
  if (chain.recognize())
    entries = chain.describe();
  for (const Home &home : schedule.plan.homes)
    if (std::optional<ElementType> type = partialsOf(schedule, home);
        type && (!entries.count("partials") || *type != ElementType::F32))
      entries["partials"] = stringify(*type);
  entries["schedule"] = printPlan(schedule.graph, schedule.plan);
  return {entries.begin(), entries.end()};
}
