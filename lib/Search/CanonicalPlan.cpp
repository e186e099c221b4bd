//===- CanonicalPlan.cpp - Strips of X, blocks of weights -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CanonicalPlan.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/StageNeeds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

namespace {
class CanonicalPlanner {
public:
  CanonicalPlanner(const Graph &graph, unsigned strip, const PlanSizes &sizes,
                   const DemandChecker &demands, const Machine &machine)
      : graph(graph), strip(strip), sizes(sizes), demands(demands),
        machine(machine) {}

  Plan run() {
    for (unsigned nest = 0; nest < graph.stages.size(); ++nest)
      addNest(nest);
    return std::move(plan);
  }

private:
  void addNest(unsigned nest);
  void addRowNest(unsigned nest);
  /// Whether the stage reduces strips, or computes elements of them without
  /// products.
  bool isOfRows(const Stage &stage) const {
    return !stage.isTransposition() &&
           (stage.terms.empty() || stage.reduction) &&
           graph.matrices[stage.result].rows == strip;
  }
  /// The last of the nests that compute elements of the product `nest` with
  /// each block of its rows, since nothing else reads these; itself if there
  /// are none.
  unsigned lastBehind(unsigned nest) const {
    const Stage &product = graph.stages[nest];
    const Matrix &rows = graph.matrices[product.result];
    unsigned last = nest, lastReader = nest;
    if (product.terms.empty() || product.reduction || rows.rows != strip)
      return nest;
    for (unsigned next = nest; next < graph.stages.size(); ++next) {
      const Stage &stage = graph.stages[next];
      bool isOfBlocks = isOfRows(stage) && !stage.reducesAll() &&
                        graph.dimsOf(stage) == graph.dimsOf({product.result});
      if (next > nest && !(isOfBlocks && next <= lastReader))
        break;
      if (next > nest && lastReader == next)
        last = next;
      lastReader =
          std::max(lastReader, nestsThatUse(graph, stage.result).back());
    }
    return last;
  }
  /// Whether the nest behind `nest` is one of them.
  bool isReadBehind(unsigned nest) const {
    return llvm::any_of(llvm::seq_inclusive(0u, nest), [&](unsigned product) {
      return lastBehind(product) > nest;
    });
  }
  /// Whether it transposes what all strips read, in front of them.
  bool comesFirst(unsigned nest) const {
    return llvm::all_of(llvm::ArrayRef(graph.stages).take_front(nest + 1),
                        [&](const Stage &stage) {
                          return stage.isTransposition() &&
                                 !graph.matrices[stage.result].has(strip);
                        });
  }
  /// Whether it transposes a vector for expressions, in whole tiles.
  bool isLongColumn(const Stage &stage) const {
    const Matrix &result = graph.matrices[stage.result];
    if (!stage.isTransposition())
      return false;
    const Matrix &source = graph.matrices[*stage.source];
    return graph.columnsOf(result) == 1 && source.role == Role::Input &&
           source.columnBatches.empty() && !source.window &&
           graph.rowsOf(result) % machine.partitions == 0 &&
           llvm::none_of(graph.stages, [&](const Stage &reader) {
             return reader.productOf(stage.result);
           });
  }
  Home resultHome(unsigned nest) const;
  Home operandHome(unsigned matrix, unsigned nest) const;
  /// A loop over `dim` in blocks of `size`, or in those that are demanded.
  Loop loop(unsigned dim, int64_t size) const {
    int64_t forced = demands.forced(graph.wholeOf(dim));
    int64_t unit = unitOf(graph, dim, machine);
    size = std::max(unit, size - size % unit);
    return {dim, std::min(forced ? forced : size, graph.sizeOf(dim))};
  }
  bool isInput(unsigned matrix) const {
    return graph.matrices[matrix].role == Role::Input;
  }
  /// Whether all of its readers get the matrix from HBM, if it has some.
  bool goesThroughHbm(unsigned matrix) const {
    bool isOnlyStored = graph.matrices[matrix].role == Role::Result &&
                        nestsThatUse(graph, matrix).size() == 1;
    return isOnlyStored || llvm::any_of(graph.stages, [&](const Stage &stage) {
             return graph.isRepeated(stage, matrix);
           });
  }
  unsigned innermost(unsigned nest) const {
    return plan.nests[nest].loops.size();
  }

  const Graph &graph;
  unsigned strip;
  const PlanSizes &sizes;
  const DemandChecker &demands;
  const Machine &machine;
  Plan plan;
};
} // namespace

void CanonicalPlanner::addNest(unsigned nest) {
  const Stage &stage = graph.stages[nest];
  if (isOfRows(stage))
    return addRowNest(nest);
  const Matrix *computed = &graph.matrices[stage.result];
  bool isTurnedWeight = !computed->has(strip);
  // The transpose of a weight has the loops of the product that reads it.
  if (isTurnedWeight) {
    const Stage &reader = graph.stages[nestsThatUse(graph, stage.result)[1]];
    if (reader.productOf(stage.result))
      computed = &graph.matrices[reader.result];
  }
  auto &loops = plan.nests.emplace_back().loops;
  if (isLongColumn(stage)) {
    Home &raw = plan.homes.emplace_back(Home{*stage.source, {nest}});
    raw.slots = 2;
    plan.homes.push_back({stage.result, nestsThatUse(graph, stage.result)});
    for (Home &home : llvm::MutableArrayRef(plan.homes).take_back(2))
      home.packed = true;
    return;
  }
  if (comesFirst(nest)) {
    loops.push_back(loop(graph.matrices[stage.result].columns, sizes.columns));
    Home source = operandHome(*stage.source, nest);
    // That of the next batch comes while this one is computed.
    const Matrix &matrix = graph.matrices[*stage.source];
    if (isInput(*stage.source) && sizes.slots > 1 &&
        !(matrix.rowBatches.empty() && matrix.columnBatches.empty()))
      source.level = 0;
    plan.homes.push_back(source);
    plan.homes.push_back(
        {stage.result, nestsThatUse(graph, stage.result), /*level=*/0});
    return;
  }
  loops.push_back(loop(strip, sizes.rows));
  if (demands.recomputes())
    loops.push_back(loop(demands.recomputedColumns(), sizes.columns));
  unsigned columns = computed->otherDim(strip);
  if (stage.isTransposition() && !isTurnedWeight) {
    // Whole tiles, so that products can follow them.
    int64_t tile = machine.partitions,
            whole = std::max(tile, graph.sizeOf(columns) / tile * tile);
    loops.push_back(
        {columns, std::min({sizes.piece, whole, graph.sizeOf(columns)})});
  } else if (computed->has(strip) && loops.back().dim != columns) {
    loops.push_back(loop(columns, sizes.columns));
  }
  for (unsigned operand : stage.operands())
    if (!plan.homeOf(operand, nest) && !graph.isBeside(stage, operand))
      plan.homes.push_back(operandHome(operand, nest));
  plan.homes.push_back(resultHome(nest));
}

void CanonicalPlanner::addRowNest(unsigned nest) {
  const Stage &stage = graph.stages[nest];
  unsigned columns = graph.columnsIn(stage);
  auto &loops = plan.nests.emplace_back().loops;
  loops.push_back(loop(strip, sizes.rows));
  bool isCut = sizes.elements && sizes.elements < graph.sizeOf(columns);
  if (nest && isReadBehind(nest - 1))
    loops = plan.nests[nest - 1].loops;
  else if (isCut)
    loops.push_back(loop(columns, sizes.elements));
  for (unsigned operand : stage.operands())
    if (!plan.homeOf(operand, nest))
      plan.homes.push_back(operandHome(operand, nest));
  Home result = resultHome(nest);
  if (isCut && stage.reduction) {
    result.moveTo(1);
    result.sums = Sums{1, Store::Sbuf, graph.matrices[stage.result].type};
  }
  plan.homes.push_back(result);
}

/// What has the rows of X stays for a strip, a weight for its block. What an
/// expression reads comes with each block of the result, but a vector that
/// takes little room at once.
Home CanonicalPlanner::operandHome(unsigned number, unsigned nest) const {
  const int64_t little = 8192; // elements
  const Stage &stage = graph.stages[nest];
  const Matrix &matrix = graph.matrices[number];
  if (matrix.role == Role::Constant)
    return {number, nestsThatUse(graph, number)};
  int64_t rows = graph.rowsOf(matrix), columns = graph.columnsOf(matrix);
  bool isFactor = stage.productOf(number);
  if (!isFactor && stage.source != number && isInput(number) &&
      std::min(rows, columns) == 1 && rows * columns <= little)
    return {number, {nest}};
  Home home{number, {nest}, innermost(nest), sizes.slots};
  if (!isFactor && stage.source != number && graph.repeatsOf(stage, number) > 1)
    home.level = 1;
  // Several stages read a strip, which comes once.
  llvm::SmallVector<unsigned, 2> users = nestsThatUse(graph, number);
  bool isShared = isOfRows(stage) && matrix.rows == strip && isInput(number) &&
                  users.size() > 1 && innermost(nest) == 1;
  if (isShared) {
    home.nests = users;
    home.ahead = sizes.slots > 1;
    home.slots = 1 + home.ahead;
    return home;
  }
  if (!isFactor || !matrix.has(strip))
    return home;
  home.level = demands.recomputes() ? 2 : 1;
  home.ahead =
      sizes.slots > 1 && matrix.columns == strip && !demands.recomputes();
  home.slots = 1 + home.ahead;
  return home;
}

Home CanonicalPlanner::resultHome(unsigned nest) const {
  const Stage &stage = graph.stages[nest];
  const Matrix &matrix = graph.matrices[stage.result];
  if (goesThroughHbm(stage.result))
    return {stage.result, {nest}, innermost(nest), sizes.slots};
  Home home{stage.result, nestsThatUse(graph, stage.result), innermost(nest)};
  if (!matrix.has(strip)) {
    // Other engines widen the next block while this one is multiplied.
    home.ahead = sizes.slots > 1 && graph.widens(stage);
    home.slots = 1 + home.ahead;
    return home;
  }
  home.level = isReadBehind(nest)     ? innermost(nest)
               : demands.recomputes() ? 2
                                      : 1;
  home.ahead = sizes.slots > 1 && stage.isTransposition() &&
               isInput(*stage.source) && matrix.columns == strip &&
               !demands.recomputes();
  home.slots = 1 + home.ahead;
  return home;
}

Schedule search::canonicalPlan(const Graph &graph, unsigned strip,
                               const PlanSizes &sizes,
                               const DemandChecker &demands,
                               const Machine &machine) {
  return {graph, CanonicalPlanner(graph, strip, sizes, demands, machine).run()};
}
