//===- Legalize.cpp - Products as the tensor engine takes them ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/Legalize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
class Legalizer {
public:
  Legalizer(const Graph &source, TransposeMode mode)
      : source(source), mode(mode) {
    graph.dims = source.dims;
    graph.matrices = source.matrices;
  }

  Graph run() {
    for (const Stage &stage : source.stages)
      addProduct(stage);
    return std::move(graph);
  }

private:
  /// The dim that the stage that reads `matrix` sums over.
  unsigned summedBy(unsigned matrix) const {
    for (const Stage &stage : source.stages)
      if (llvm::is_contained(stage.operands(), matrix))
        return stage.terms.front().over;
    return graph.matrices[matrix].rows;
  }

  /// Lays out the result of a stage, and says which operand has its rows.
  void addProduct(const Stage &stage) {
    Matrix &result = graph.matrices[stage.result];
    if (result.role == Role::Intermediate) {
      bool first = result.rows == summedBy(stage.result);
      if (first != (mode == TransposeMode::Implicit)) {
        std::swap(result.rows, result.columns);
        first = !first;
      }
      if (first)
        result.name += "t";
    }
    Term term = stage.terms.front();
    const Matrix &left = graph.matrices[term.left];
    if (left.rows != result.rows && left.columns != result.rows)
      std::swap(term.left, term.right);
    unsigned target = stage.result;
    term.left = contractionFirst(term.left, term.over);
    term.right = contractionFirst(term.right, term.over);
    graph.stages.push_back({target, {term}});
  }

  unsigned contractionFirst(unsigned matrix, unsigned over) {
    if (graph.matrices[matrix].rows == over)
      return matrix;
    for (const Stage &stage : graph.stages)
      if (stage.isTransposition() && stage.source == matrix)
        return stage.result;
    Matrix turned = graph.matrices[matrix];
    turned.name += "t";
    turned.role = Role::Intermediate;
    std::swap(turned.rows, turned.columns);
    graph.matrices.push_back(turned);
    unsigned number = graph.matrices.size() - 1;
    graph.stages.push_back({number, {}, matrix});
    return number;
  }

  const Graph &source;
  TransposeMode mode;
  Graph graph;
};
} // namespace

Graph planning::legalize(const Graph &source, TransposeMode mode) {
  return Legalizer(source, mode).run();
}

Graph planning::splitDim(const Graph &whole, unsigned dim, int64_t size) {
  Graph graph = whole;
  const Dim &old = whole.dims[dim];
  unsigned parts[2] = {unsigned(graph.dims.size()),
                       unsigned(graph.dims.size() + 1)};
  graph.dims.push_back({old.name + "a", size, dim, 0});
  graph.dims.push_back({old.name + "b", old.size - size, dim, size});

  // The intermediates that have the dim, and what their second part is.
  llvm::SmallVector<std::optional<unsigned>> second(whole.matrices.size());
  for (unsigned number = 0; number < whole.matrices.size(); ++number) {
    const Matrix &matrix = whole.matrices[number];
    if (matrix.role != Role::Intermediate ||
        (matrix.rows != dim && matrix.columns != dim))
      continue;
    auto part = [&](unsigned which, llvm::StringRef suffix) {
      Matrix own = matrix;
      own.name += suffix;
      own.rows = matrix.rows == dim ? parts[which] : matrix.rows;
      own.columns = matrix.columns == dim ? parts[which] : matrix.columns;
      return own;
    };
    graph.matrices[number] = part(0, "a");
    second[number] = graph.matrices.size();
    graph.matrices.push_back(part(1, "b"));
  }
  auto partOf = [&](unsigned matrix, unsigned which) {
    return which == 1 && second[matrix] ? *second[matrix] : matrix;
  };
  graph.stages.clear();
  for (const Stage &stage : whole.stages) {
    llvm::SmallVector<unsigned, 2> results{stage.result};
    if (second[stage.result])
      results.push_back(*second[stage.result]);
    for (auto [which, result] : llvm::enumerate(results)) {
      Stage own = stage;
      own.result = result;
      own.source = stage.isTransposition() ? partOf(stage.source, which) : 0;
      own.terms.clear();
      for (const Term &term : stage.terms) {
        if (term.over != dim) {
          own.terms.push_back(
              {partOf(term.left, which), partOf(term.right, which), term.over});
          continue;
        }
        for (unsigned half = 0; half < 2; ++half)
          own.terms.push_back(
              {partOf(term.left, half), partOf(term.right, half), parts[half]});
      }
      graph.stages.push_back(own);
    }
  }
  return graph;
}

Graph planning::legalizeLike(const Graph &graph, const Graph &source,
                             TransposeMode mode) {
  Graph legal = legalize(source, mode);
  // Parts come in pairs behind the other dims.
  for (size_t i = source.dims.size(); i + 1 < graph.dims.size(); i += 2)
    if (std::optional<unsigned> whole = graph.dims[i].of;
        whole && *whole < legal.dims.size() &&
        graph.dims[i].size < legal.sizeOf(*whole))
      legal = splitDim(legal, *whole, graph.dims[i].size);
  return legal;
}

bool planning::isLegalFormOf(const Graph &graph, const Graph &source) {
  return graph == legalizeLike(graph, source, TransposeMode::Implicit) ||
         graph == legalizeLike(graph, source, TransposeMode::Explicit);
}

llvm::SmallVector<unsigned> planning::originsOf(const Graph &graph,
                                                const Graph &source) {
  llvm::SmallVector<unsigned> origins =
      llvm::to_vector(llvm::seq<unsigned>(0, graph.matrices.size()));
  for (const Stage &stage : graph.stages) {
    unsigned &origin = origins[stage.result];
    if (origin < source.matrices.size())
      continue;
    if (stage.isTransposition()) {
      origin = origins[stage.source];
      continue;
    }
    // It multiplies parts and transposes of what the source multiplies.
    unsigned left = origins[stage.terms.front().left];
    unsigned right = origins[stage.terms.front().right];
    for (const Stage &whole : source.stages)
      if (llvm::is_contained(whole.operands(), left) &&
          llvm::is_contained(whole.operands(), right))
        origin = whole.result;
  }
  return origins;
}
