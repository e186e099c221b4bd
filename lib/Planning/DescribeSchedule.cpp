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
#include <map>

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
/// X[m,k] * W[k,n] or X[m,k] * U[k,r] * V[r,n] in a graph.
class ChainView {
public:
  explicit ChainView(const Graph &graph) : graph(graph) {}

  /// Whether the graph is such a chain; the members say how, then.
  bool recognize();

  bool isSingle() const { return first.empty(); }
  /// The stages that compute Y, one for each part of r, or else the product.
  llvm::ArrayRef<unsigned> firstProducts() const {
    return isSingle() ? llvm::ArrayRef(last) : first;
  }

  unsigned x = 0, o = 0; // matrices
  unsigned m = 0, k = 0, n = 0;
  std::optional<unsigned> r;
  unsigned last = 0; // stage of the last product
  llvm::SmallVector<unsigned, 2> first;
  bool turnsY = false;

private:
  std::optional<unsigned> writerOf(unsigned matrix) const {
    for (auto [i, stage] : llvm::enumerate(graph.stages))
      if (stage.result == matrix)
        return i;
    return std::nullopt;
  }
  /// What `matrix` is the transpose of, or itself.
  unsigned sourceOf(unsigned matrix) const {
    std::optional<unsigned> writer = writerOf(matrix);
    return writer && graph.stages[*writer].isTransposition()
               ? sourceOf(graph.stages[*writer].source)
               : matrix;
  }
  bool findProducts();
  bool findDims();

  const Graph &graph;
};
} // namespace

bool ChainView::findProducts() {
  std::optional<unsigned> input, result;
  for (auto [i, matrix] : llvm::enumerate(graph.matrices)) {
    if (matrix.role == Role::Input && !input)
      input = i;
    if (matrix.role == Role::Result && std::exchange(result, i))
      return false;
  }
  if (!input || !result)
    return false;
  x = *input;
  o = *result;
  std::optional<unsigned> product = writerOf(sourceOf(o));
  if (!product)
    return false;
  last = *product;
  for (const Term &term : graph.stages[last].terms)
    for (unsigned operand : {term.left, term.right}) {
      std::optional<unsigned> writer = writerOf(sourceOf(operand));
      if (!writer)
        continue;
      first.push_back(*writer);
      turnsY |= sourceOf(operand) != operand;
    }
  return first.size() == (first.empty() ? 0 : graph.stages[last].terms.size());
}

bool ChainView::findDims() {
  llvm::SmallVector<unsigned> overs;
  for (unsigned product : firstProducts()) {
    const Stage &stage = graph.stages[product];
    if (stage.terms.size() != 1)
      return false;
    unsigned left = sourceOf(stage.terms[0].left);
    unsigned right = sourceOf(stage.terms[0].right);
    if (writerOf(left) || writerOf(right) || (left != x && right != x))
      return false;
    overs.push_back(graph.wholeOf(stage.terms[0].over));
  }
  k = overs.front();
  const Matrix &in = graph.matrices[x], &out = graph.matrices[o];
  m = in.rows == k ? in.columns : in.rows;
  n = out.rows == m ? out.columns : out.rows;
  if (!isSingle())
    r = graph.wholeOf(graph.stages[last].terms[0].over);
  return llvm::all_equal(overs) && (out.rows == m || out.columns == m) &&
         (isSingle() ||
          llvm::all_of(graph.stages[last].terms, [&](const Term &term) {
            return graph.wholeOf(term.over) == *r;
          }));
}

bool ChainView::recognize() {
  size_t products = llvm::count_if(graph.stages, [](const Stage &stage) {
    return !stage.isTransposition();
  });
  return findProducts() && products == first.size() + 1 && findDims();
}

namespace {
/// The decisions of a plan for a chain.
class ChainDescription {
public:
  ChainDescription(const ChainView &chain, const Schedule &schedule)
      : chain(chain), graph(schedule.graph), plan(schedule.plan) {}

  std::map<std::string, std::string> describe() const;

private:
  llvm::ArrayRef<Loop> loopsOf(unsigned nest) const {
    return plan.nests[nest].loops;
  }
  /// The block of the outermost loop over `dim`.
  int64_t blockOf(unsigned nest, unsigned dim) const {
    for (const Loop &loop : loopsOf(nest))
      if (loop.dim == dim)
        return loop.block;
    return graph.sizeOf(dim);
  }
  const Home &homeOfResult(unsigned nest) const {
    return *plan.homeOf(graph.stages[nest].result, nest);
  }
  llvm::ArrayRef<Loop> loopsAround(const Home &home) const {
    return loopsOf(home.nests.front()).take_front(home.level);
  }
  /// Whether one of `loops` is over blocks of columns of O.
  bool cutsColumns(llvm::ArrayRef<Loop> loops) const {
    return llvm::any_of(loops, [&](const Loop &loop) {
      return loop.dim == chain.n && loop.block < graph.sizeOf(chain.n);
    });
  }
  int64_t blockK() const;
  int64_t blockX() const;
  int64_t residentRank() const;
  bool readsXAgain() const;
  std::optional<ElementType> partialsOf(const Home &home) const;
  bool isEarly(const Home &home) const;
  llvm::StringRef strategy() const;

  const ChainView &chain;
  const Graph &graph;
  const Plan &plan;
};
} // namespace

/// What PSUM sums over at once.
int64_t ChainDescription::blockK() const {
  unsigned nest = chain.firstProducts().front();
  const Home &home = homeOfResult(nest);
  bool inPsum = home.sums && home.sums->store == Store::Psum;
  return inPsum ? graph.sizeOf(chain.k)
                : blockOf(nest, graph.stages[nest].terms[0].over);
}

/// Columns of what is loaded of X before it is transposed.
int64_t ChainDescription::blockX() const {
  if (graph.matrices[chain.x].rows == chain.k)
    return 0;
  int64_t block = 0;
  for (const Home &home : plan.homes) {
    if (home.matrix != chain.x)
      continue;
    block = graph.sizeOf(chain.k);
    for (const Loop &loop : loopsAround(home))
      if (loop.dim == chain.k)
        block = loop.block;
  }
  return block;
}

/// Ranks of Y that go to the last product without HBM.
int64_t ChainDescription::residentRank() const {
  int64_t rank = 0;
  for (unsigned nest : chain.first) {
    const Stage &stage = graph.stages[nest];
    const Matrix &y = graph.matrices[stage.result];
    bool isKept = homeOfResult(nest).nests.size() > 1;
    rank += isKept ? graph.sizeOf(graph.wholeOf(y.rows) == *chain.r ? y.rows
                                                                    : y.columns)
                   : 0;
  }
  return rank;
}

/// Whether X comes from HBM once a block of columns of O.
bool ChainDescription::readsXAgain() const {
  for (unsigned nest : nestsThatUse(graph, plan, chain.x)) {
    const Home *home = plan.homeOf(chain.x, nest);
    if (cutsColumns(home ? loopsAround(*home) : loopsOf(nest)))
      return true;
  }
  return false;
}

/// The type in which blocks of a contraction are added up in SBUF or in HBM, if
/// they are.
std::optional<ElementType>
ChainDescription::partialsOf(const Home &home) const {
  unsigned nest = home.nests.front();
  const Stage &stage = graph.stages[nest];
  bool inPsum = home.sums && home.sums->store == Store::Psum;
  if (stage.result != home.matrix || inPsum)
    return std::nullopt;
  bool isBlocked = llvm::any_of(stage.terms, [&](const Term &term) {
    return blockOf(nest, term.over) < graph.sizeOf(term.over);
  });
  if (!isBlocked)
    return std::nullopt;
  return home.sums ? home.sums->type : graph.matrices[home.matrix].type;
}

/// Whether `home` is an early one of X or its transpose.
bool ChainDescription::isEarly(const Home &home) const {
  const Stage &first = graph.stages[home.nests.front()];
  return home.early && (home.matrix == chain.x ||
                        (first.isTransposition() && first.source == chain.x));
}

llvm::StringRef ChainDescription::strategy() const {
  if (chain.isSingle())
    return "strip-cache";
  // Even if there is only one block.
  auto isRepeated = [&](unsigned nest) {
    return llvm::any_of(loopsOf(nest),
                        [&](const Loop &loop) { return loop.dim == chain.n; });
  };
  return llvm::any_of(chain.first, isRepeated) ? "recompute"
         : residentRank() == 0                 ? "sequential"
                                               : "strip-cache";
}

std::map<std::string, std::string> ChainDescription::describe() const {
  std::map<std::string, std::string> entries;
  auto addLayout = [&](const char *key, unsigned matrix) {
    bool isStandard = graph.matrices[matrix].rows == chain.m;
    entries[key] = isStandard ? "standard" : "transposed";
  };
  auto addNumber = [&](const char *key, int64_t value) {
    entries[key] = std::to_string(value);
  };
  entries["strategy"] = strategy();
  entries["transpose"] = chain.turnsY ? "explicit" : "implicit";
  addLayout("input_layout", chain.x);
  addLayout("output_layout", chain.o);
  unsigned nest = chain.firstProducts().front();
  const Matrix &y = graph.matrices[graph.stages[nest].result];
  addNumber("block_m", blockOf(chain.last, chain.m));
  addNumber("block_n", blockOf(chain.last, chain.n));
  addNumber("block_k", blockK());
  addNumber("block_r",
            chain.isSingle()
                ? 0
                : blockOf(nest, y.rows == chain.m ? y.columns : y.rows));
  addNumber("block_x", blockX());
  addNumber("resident_rank", residentRank());
  for (const Home &home : plan.homes)
    if (std::optional<ElementType> type = partialsOf(home);
        type && (!entries.count("partials") || *type != ElementType::F32))
      entries["partials"] = stringify(*type);
  if (readsXAgain())
    entries["reread_x"] = "yes";
  if (llvm::any_of(plan.homes, [&](const Home &home) { return isEarly(home); }))
    entries["prefetch_x"] = "yes";
  return entries;
}

std::vector<std::pair<std::string, std::string>>
planning::describeSchedule(const Schedule &schedule) {
  std::map<std::string, std::string> entries;
  ChainView chain(schedule.graph);
  if (chain.recognize())
    entries = ChainDescription(chain, schedule).describe();
  entries["schedule"] = printPlan(schedule.graph, schedule.plan);
  return {entries.begin(), entries.end()};
}
