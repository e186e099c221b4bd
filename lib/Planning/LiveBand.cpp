//===- LiveBand.cpp - What a mask leaves of two dims ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/LiveBand.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

bool LiveBand::isIn(const Graph &graph, const Stage &stage) const {
  llvm::SmallVector<unsigned, 4> dims = graph.dimsOf(stage);
  return llvm::is_contained(dims, rows) && llvm::is_contained(dims, columns);
}

double LiveBand::share(const Graph &graph, int64_t side) const {
  int64_t height = graph.sizeOf(rows), width = graph.sizeOf(columns);
  int64_t live = 0, all = 0;
  for (int64_t row = 0; row < height; row += side)
    for (int64_t column = 0; column < width; column += side, ++all) {
      auto [first, end] =
          band.columnsOf(row, std::min(side, height - row), column,
                         std::min(width, column + side));
      live += first < end;
    }
  return double(live) / double(all);
}

namespace {
/// What is known of the elements outside of the band.
enum class Outside : uint8_t {
  Any,
  /// So little that their exponentials are zero.
  Lowest,
  Zero,
};

/// Follows a mask through the stages.
class BandFinder {
public:
  BandFinder(const Graph &graph, unsigned mask)
      : graph(graph),
        live{graph.matrices[mask].rows, graph.matrices[mask].columns,
             *graph.matrices[mask].band},
        outside(graph.matrices.size(), Outside::Any) {
    for (auto [number, matrix] : llvm::enumerate(graph.matrices))
      if (number == mask || live.isMask(matrix))
        outside[number] = Outside::Lowest;
  }

  std::optional<LiveBand> run() {
    for (const Dim &dim : graph.dims)
      if (llvm::is_contained({dim.of, dim.groupsOf}, live.rows) ||
          llvm::is_contained({dim.of, dim.groupsOf}, live.columns))
        return std::nullopt;
    for (const Stage &stage : graph.stages)
      if (!visit(stage))
        return std::nullopt;
    return live;
  }

private:
  bool isIn(unsigned matrix) const { return live.isIn(graph.matrices[matrix]); }
  bool visit(const Stage &stage);
  bool visitFactors(const Stage &stage) const;
  Outside evaluate(const Stage &stage) const;
  Outside combine(const Value &value, Outside left, Outside right,
                  bool isRightIn) const;

  const Graph &graph;
  LiveBand live;
  std::vector<Outside> outside; // by matrix
};
} // namespace

/// Whether products that read what is in the band add up zeros outside of it.
bool BandFinder::visitFactors(const Stage &stage) const {
  return llvm::all_of(stage.terms, [&](const Term &term) {
    return llvm::all_of(
        llvm::ArrayRef{term.left, term.right}, [&](unsigned factor) {
          return !isIn(factor) || (outside[factor] == Outside::Zero &&
                                   term.over == live.columns);
        });
  });
}

/// Of two values, at least one of which has both dims.
Outside BandFinder::combine(const Value &value, Outside left, Outside right,
                            bool isRightIn) const {
  switch (value.function) {
  case Function::Min:
  case Function::Add:
    return left == Outside::Lowest || right == Outside::Lowest ? Outside::Lowest
                                                               : Outside::Any;
  case Function::Sub:
    return left == Outside::Lowest && !isRightIn ? Outside::Lowest
                                                 : Outside::Any;
  case Function::Mul:
    return left == Outside::Zero || right == Outside::Zero ? Outside::Zero
                                                           : Outside::Any;
  case Function::Div:
    return left == Outside::Zero && !isRightIn ? Outside::Zero : Outside::Any;
  default:
    return Outside::Any;
  }
}

Outside BandFinder::evaluate(const Stage &stage) const {
  if (stage.expression.isPlain())
    return stage.isTransposition() ? outside[*stage.source] : Outside::Any;
  struct Known {
    Outside outside = Outside::Any;
    bool isIn = false, isPositive = false;
  };
  std::vector<Known> known;
  const Matrix &result = graph.matrices[stage.result];
  unsigned columns = graph.columnsIn(stage);
  bool isSumIn = (result.rows == live.rows && columns == live.columns) ||
                 (result.rows == live.columns && columns == live.rows);
  for (const Value &value : stage.expression.values) {
    Known &own = known.emplace_back();
    switch (value.kind) {
    case Value::Kind::Sum:
      own.isIn = isSumIn;
      if (stage.isTransposition())
        own.outside = outside[*stage.source];
      continue;
    case Value::Kind::Matrix:
      own.isIn = isIn(value.number);
      own.outside = outside[value.number];
      continue;
    case Value::Kind::Constant:
      own.isPositive = value.constant > 0;
      continue;
    case Value::Kind::Apply:
      break;
    }
    const Known &left = known[value.arguments.front()];
    const Known &right = known[value.arguments.back()];
    own.isIn = llvm::any_of(value.arguments, [&](unsigned argument) {
      return known[argument].isIn;
    });
    if (value.function == Function::Copy)
      own.outside = left.outside;
    else if (value.function == Function::Exp)
      own.outside =
          left.outside == Outside::Lowest ? Outside::Zero : Outside::Any;
    else if (value.arguments.size() == 2)
      own.outside = combine(value, left.outside, right.outside, right.isIn);
    bool isScaled =
        value.function == Function::Mul &&
        (left.isPositive || right.isPositive) &&
        (left.outside == Outside::Lowest || right.outside == Outside::Lowest);
    if (isScaled)
      own.outside = Outside::Lowest;
  }
  return known.back().outside;
}

/// Whether nothing outside of the band gets lost that matters.
bool BandFinder::visit(const Stage &stage) {
  const Matrix &result = graph.matrices[stage.result];
  if (live.isIn(result) && result.role == Role::Result)
    return false;
  if (!visitFactors(stage))
    return false;
  outside[stage.result] = evaluate(stage);
  if (!stage.reduction || !live.isIn(graph, stage))
    return true;
  Outside reduced = std::exchange(outside[stage.result], Outside::Any);
  return stage.reduction->over == live.columns &&
         ((stage.reduction->function == Function::Max &&
           reduced == Outside::Lowest) ||
          (stage.reduction->function == Function::Add &&
           reduced == Outside::Zero));
}

std::optional<LiveBand> planning::findLiveBand(const Graph &graph) {
  for (auto [number, matrix] : llvm::enumerate(graph.matrices))
    if (matrix.band)
      if (auto live = BandFinder(graph, number).run())
        return live;
  return std::nullopt;
}
