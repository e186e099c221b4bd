//===- PrintSchedule.cpp - Graphs and plans as text -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/PrintSchedule.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using llvm::raw_ostream;

template <typename Range, typename Print>
static void printSection(raw_ostream &os, llvm::StringRef name,
                         const Range &entries, Print print) {
  os << name << " = [";
  llvm::interleaveComma(entries, os, print);
  os << "]";
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

void planning::printBand(raw_ostream &os, const Band &band) {
  auto printBound = [&](std::optional<int64_t> diagonal) {
    if (diagonal)
      os << *diagonal;
    else
      os << "none";
  };
  printBound(band.least);
  os << " to ";
  printBound(band.most);
  os << (band.inside == 0 ? " of zero" : " of inf");
  if (band.period)
    os << " every " << band.period;
}

static void printConstant(raw_ostream &os, float constant) {
  llvm::SmallString<16> text;
  llvm::APFloat(constant).toString(text, /*FormatPrecision=*/9);
  os << text << (text.str().contains('.') ? "" : ".0");
}

static void print(raw_ostream &os, const Graph &graph, const Dim &dim) {
  os << dim.name << " = " << dim.size;
  if (dim.groupsOf)
    os << " groups of " << graph.dims[*dim.groupsOf].name;
  if (!dim.of)
    return;
  os << " of " << graph.dims[*dim.of].name;
  if (dim.offset)
    os << " from " << dim.offset;
}

static void print(raw_ostream &os, const Graph &graph, const Matrix &matrix) {
  auto printDims = [&](llvm::ArrayRef<unsigned> batches, unsigned dim) {
    for (unsigned batch : batches)
      os << (batch == batches.front() ? "(" : "") << graph.dims[batch].name
         << ", ";
    os << graph.dims[dim].name << (batches.empty() ? "" : ")");
  };
  os << matrix.name << " : ";
  printDims(matrix.rowBatches, matrix.rows);
  os << " x ";
  printDims(matrix.columnBatches, matrix.columns);
  os << " " << stringify(matrix.type);
  static constexpr llvm::StringLiteral roles[] = {" input", " result", "",
                                                  " constant"};
  os << roles[unsigned(matrix.role)];
  if (matrix.headColumns)
    os << " heads of " << matrix.headColumns;
  if (const auto &window = matrix.window)
    os << " in " << window->rows << " x " << window->columns << " from ("
       << window->row << ", " << window->column << ")";
  if (matrix.band) {
    os << " band ";
    printBand(os, *matrix.band);
  } else if (matrix.role == Role::Constant) {
    printConstant(os << " ", matrix.constant);
  }
}

static void printSum(raw_ostream &os, const Graph &graph, const Stage &stage,
                     unsigned sum) {
  auto terms = llvm::make_filter_range(
      stage.terms, [&](const Term &term) { return term.sum == sum; });
  llvm::interleave(
      terms, os,
      [&](const Term &term) {
        os << graph.matrices[term.left].name << " * "
           << graph.matrices[term.right].name << " over "
           << graph.dims[term.over].name;
      },
      " + ");
}

static void printTransposition(raw_ostream &os, const Graph &graph,
                               const Stage &stage) {
  os << "transpose " << graph.matrices[*stage.source].name;
}

static void printValue(raw_ostream &os, const Graph &graph, const Stage &stage,
                       unsigned number) {
  const Value &value = stage.expression.values[number];
  bool isLast = number + 1 == stage.expression.values.size();
  switch (value.kind) {
  case Value::Kind::Sum:
    if (stage.isTransposition())
      return printTransposition(os, graph, stage);
    os << "[";
    printSum(os, graph, stage, value.number);
    os << "]";
    return;
  case Value::Kind::Matrix:
    os << (value.rotation ? "rotate(" : "")
       << graph.matrices[value.number].name;
    if (value.rotation)
      os << ", " << value.rotation << ")";
    return;
  case Value::Kind::Constant:
    return printConstant(os, value.constant);
  case Value::Kind::Apply:
    break;
  }
  // The result is rounded to its own type.
  bool rounds = value.type != ElementType::F32 && !isLast;
  bool applies = value.function != Function::Copy || !rounds;
  if (rounds)
    os << stringify(value.type) << "(";
  if (applies)
    os << stringify(value.function) << "(";
  llvm::interleaveComma(value.arguments, os, [&](unsigned argument) {
    printValue(os, graph, stage, argument);
  });
  os << (rounds && applies ? "))" : ")");
}

/// `sum exp(a) over n`
static void printReduction(raw_ostream &os, const Graph &graph,
                           const Stage &stage) {
  const auto &[function, over, byGroup] = *stage.reduction;
  os << (function == Function::Add ? "sum" : stringify(function)) << " ";
  printValue(os, graph, stage, stage.expression.values.size() - 1);
  os << " over " << graph.dims[over].name;
}

/// `y = a * b over k`, `y = mul(silu([a * b over k]), c)`, `y = transpose a`,
/// `y = mul(transpose a, c)` or `y = max a over n`.
void planning::printStage(raw_ostream &os, const Graph &graph,
                          const Stage &stage) {
  os << graph.matrices[stage.result].name << " = ";
  if (stage.reduction)
    printReduction(os, graph, stage);
  else if (!stage.expression.isPlain())
    printValue(os, graph, stage, stage.expression.values.size() - 1);
  else if (stage.isTransposition())
    printTransposition(os, graph, stage);
  else
    printSum(os, graph, stage, 0);
}

void planning::printGraph(raw_ostream &os, const Graph &graph) {
  auto printIt = [&](const auto &entry) { print(os, graph, entry); };
  printSection(os, "dims", graph.dims, printIt);
  os << ", ";
  printSection(os, "matrices", graph.matrices, printIt);
  os << ", ";
  printSection(os, "stages", graph.stages,
               [&](const Stage &stage) { printStage(os, graph, stage); });
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

std::string planning::nameOfLevel(const Graph &graph, const Nest &nest,
                                  unsigned level) {
  if (level == 0)
    return "kernel";
  unsigned dim = nest.loops[level - 1].dim;
  auto outer = llvm::ArrayRef(nest.loops).take_front(level - 1);
  size_t number =
      llvm::count_if(outer, [&](const Loop &loop) { return loop.dim == dim; });
  std::string name = graph.dims[dim].name;
  return number ? name + "." + std::to_string(number) : name;
}

static llvm::StringRef nameOfNest(const Graph &graph, unsigned nest) {
  return graph.matrices[graph.stages[nest].result].name;
}

std::optional<unsigned> planning::findLevel(const Graph &graph,
                                            const Nest &nest,
                                            llvm::StringRef name) {
  for (unsigned level = 0; level <= nest.loops.size(); ++level)
    if (nameOfLevel(graph, nest, level) == name)
      return level;
  return std::nullopt;
}

static void print(raw_ostream &os, const Graph &graph, const Plan &plan,
                  const Home &home) {
  auto nameLevel = [&](unsigned level) {
    return nameOfLevel(graph, plan.nests[home.nests.front()], level);
  };
  os << graph.matrices[home.matrix].name << " at " << nameLevel(home.level);
  if (home.slots != 1)
    os << " slots " << home.slots;
  if (home.ahead)
    os << " ahead " << home.ahead;
  if (home.pieces)
    os << " in " << home.pieces;
  if (home.packed)
    os << " packed";
  if (home.whole)
    os << " whole";
  if (home.apart)
    os << " apart";
  if (home.sums) {
    os << " sums at " << nameLevel(home.sums->level);
    if (home.sums->store == Store::Psum)
      os << " in psum";
    else
      os << " in sbuf " << stringify(home.sums->type);
  }
  if (home.nests == nestsThatUse(graph, home.matrix))
    return;
  os << " for ";
  llvm::interleave(
      home.nests, os, [&](unsigned nest) { os << nameOfNest(graph, nest); },
      " and ");
}

void planning::printPlan(raw_ostream &os, const Graph &graph,
                         const Plan &plan) {
  printSection(os, "nests", llvm::enumerate(plan.nests), [&](auto indexed) {
    os << nameOfNest(graph, indexed.index()) << " (";
    llvm::interleaveComma(indexed.value().loops, os, [&](const Loop &loop) {
      os << graph.dims[loop.dim].name << " = " << loop.block;
    });
    os << ")";
    if (indexed.value().banks != 1)
      os << " banks " << indexed.value().banks;
    if (RowEngine engine = indexed.value().engine; engine != RowEngine::Any)
      os << (engine == RowEngine::Scalar ? " on scalar" : " on vector");
  });
  os << ", ";
  printSection(os, "homes", plan.homes,
               [&](const Home &home) { print(os, graph, plan, home); });
  if (!plan.interleaved.empty()) {
    os << ", ";
    printSection(os, "interleaved", plan.interleaved,
                 [&](unsigned dim) { os << graph.dims[dim].name; });
  }
  if (plan.jam != 1)
    os << ", jam = " << plan.jam;
  if (plan.staggered)
    os << " staggered " << plan.staggered
       << (plan.scheduled ? " scheduled" : "");
  if (plan.stacked)
    os << " stacking " << graph.dims[*plan.stacked].name;
}

std::string planning::printPlan(const Graph &graph, const Plan &plan) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printPlan(os, graph, plan);
  return text;
}
