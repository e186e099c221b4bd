//===- BlockedPlan.cpp - The loops of the vendor's product ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/BlockedPlan.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Search/TimeSchedule.h"
#include "trn/Support/Refuse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

namespace {
/// Writes the plan for a graph of transpositions of inputs and, last, one
/// product.
class BlockedPlanner {
public:
  BlockedPlanner(const Graph &graph, const Machine &machine)
      : graph(graph), product(graph.stages.size() - 1),
        block(tiles * machine.partitions),
        columns(movingTiles * machine.movingFreeMax),
        few(machine.partitions - 1) {}

  /// With the sums of `rows` rows on chip, in so many slots.
  Plan write(int64_t rows, int64_t slots) {
    plan = {};
    for (unsigned nest = 0; nest < product; ++nest)
      addTransposition(nest);
    addProduct(rows, slots);
    return plan;
  }

private:
  void addTransposition(unsigned nest);
  void addProduct(int64_t rows, int64_t slots);
  Loop loop(unsigned dim, int64_t size) const {
    return {dim, std::min(size, graph.sizeOf(dim))};
  }

  // Of the tutorial.
  static constexpr int64_t tiles = 8, movingTiles = 2;

  const Graph &graph;
  const unsigned product;
  const int64_t block, columns, few;
  Plan plan;
};
} // namespace

void BlockedPlanner::addTransposition(unsigned nest) {
  const Stage &stage = graph.stages[nest];
  const Matrix &source = graph.matrices[*stage.source];
  auto &loops = plan.nests.emplace_back().loops;
  if (graph.rowsOf(source) <= few) {
    plan.homes.push_back({*stage.source, {nest}});
    plan.homes.push_back({stage.result, {nest, product}});
    return;
  }
  loops = {loop(source.rows, block), loop(source.columns, block)};
  for (unsigned matrix : {*stage.source, stage.result})
    plan.homes.push_back({matrix, {nest}, /*level=*/2, /*slots=*/2});
}

void BlockedPlanner::addProduct(int64_t rows, int64_t slots) {
  const Stage &stage = graph.stages[product];
  const Term &term = stage.terms.front();
  const Matrix &result = graph.matrices[stage.result];
  auto &loops = plan.nests.emplace_back().loops;
  if (rows < graph.sizeOf(result.rows))
    loops.push_back({result.rows, rows});
  loops.push_back(loop(result.columns, columns));
  const unsigned outer = loops.size();
  loops.push_back(loop(term.over, block));
  loops.push_back({result.rows, std::min(block, rows)});
  if (!plan.homeOf(term.left, product))
    plan.homes.push_back({term.left, {product}, outer + 2, /*slots=*/2});
  plan.homes.push_back({term.right, {product}, outer + 1, /*slots=*/2});
  Home &sums = plan.homes.emplace_back();
  sums = {stage.result, {product}, outer, slots};
  sums.sums = Sums{outer, Store::Sbuf, result.type};
}

/// Whether `graph`, which is legal, is one product of inputs.
static bool isOneProduct(const Graph &graph) {
  auto isTransposition = [&](const Stage &stage) {
    return stage.isTransposition() &&
           graph.matrices[*stage.source].role == Role::Input;
  };
  if (graph.stages.empty() || !graph.batches().empty())
    return false;
  const Stage &last = graph.stages.back();
  return last.terms.size() == 1 && last.expression.isPlain() &&
         !last.reduction &&
         llvm::all_of(llvm::drop_end(graph.stages), isTransposition);
}

llvm::Expected<Schedule> search::blockedPlan(const Graph &source,
                                             const Machine &machine) {
  llvm::Expected<Machine> limited = limitTiles(machine);
  if (!limited)
    return limited.takeError();
  Graph graph = legalize(source, TransposeMode::Implicit);
  if (!isOneProduct(graph))
    return refuse("it is not one product of two matrices");
  const int64_t tile = limited->partitions,
                all = graph.rowsOf(graph.matrices[graph.stages.back().result]);
  BlockedPlanner planner(graph, *limited);
  for (int64_t rows = all, last = 0; rows != last;) {
    for (int64_t slots : {2, 1}) {
      Schedule schedule{graph, planner.write(rows, slots)};
      if (costIfFits(schedule, *limited))
        return schedule;
    }
    last = rows;
    rows =
        std::min<int64_t>(rows, llvm::alignTo(llvm::divideCeil(rows, 2), tile));
  }
  return refuse("its blocks do not fit on chip");
}
