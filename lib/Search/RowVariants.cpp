//===- RowVariants.cpp - Plans whose engines work on rows of their own ----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowVariants.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/StageNeeds.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Search/Demands.h"
#include "trn/Search/Edits.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;
using Kind = Edit::Kind;

std::optional<Schedule> search::skew(Schedule schedule) {
  const auto &stages = schedule.graph.stages;
  std::optional<unsigned> first;
  for (auto [number, home] : llvm::enumerate(schedule.plan.homes)) {
    const Stage &writer = stages[home.nests.front()];
    if (home.level != 1 || home.nests.size() < 2 ||
        writer.result != home.matrix)
      continue;
    if (!writer.isTransposition())
      first = first.value_or(number);
    else if (schedule.graph.matrices[*writer.source].role == Role::Input)
      apply({Kind::Level, 0, unsigned(number)}, schedule);
  }
  if (!first || !apply({Kind::Prefetch, 0, *first, 1, 0, 2}, schedule))
    return std::nullopt;
  return schedule;
}

std::optional<Schedule> search::pipeline(Schedule schedule, RowEngine engine,
                                         const Machine &machine) {
  const Graph &graph = schedule.graph;
  Plan &plan = schedule.plan;
  int64_t tile = machine.partitions;
  bool hasMaxima = false;
  for (unsigned nest = graph.stages.size(); nest-- > 0;) {
    const Stage &stage = graph.stages[nest];
    unsigned strip = graph.matrices[stage.result].rows;
    if (stage.reduction && !stage.terms.empty() &&
        plan.nests[nest].loops.front().block > tile)
      hasMaxima |= apply({Kind::Insert, nest, 0, 1, strip, tile}, schedule);
    bool isCopied = stage.isTransposition() || nest + 1 == graph.stages.size();
    if (isCopied && hasChoice(graph, stage, machine))
      plan.nests[nest].engine = engine;
    Home &home = *llvm::find_if(plan.homes, [&](const Home &own) {
      return own.matrix == stage.result && own.nests.front() == nest;
    });
    if (home.level != 1 || home.nests.size() < 2)
      continue;
    unsigned most = 0, least = Home::maxAhead;
    for (unsigned reader : llvm::drop_begin(home.nests)) {
      unsigned own = plan.aheadOf(graph, reader, /*level=*/1);
      most = std::max(most, own);
      least = std::min(least, own);
    }
    if (most == Home::maxAhead)
      return std::nullopt;
    home.ahead = most + 1;
    home.slots = home.ahead - least + 1;
  }
  return hasMaxima ? std::optional(schedule) : std::nullopt;
}

void search::jamBatches(std::vector<Schedule> &bases, bool isNarrow,
                        const Machine &machine) {
  llvm::SmallVector<unsigned, 2> batches = bases.front().graph.batches();
  if (batches.empty())
    return;
  for (size_t base = 0, end = bases.size(); base < end; ++base)
    for (int64_t jam : {2, 8})
      if ((jam == 2 || isNarrow) &&
          bases[base].graph.sizeOf(batches.back()) % jam == 0) {
        bases.push_back(bases[base]);
        bases.back().plan.jam = jam;
      }
  unsigned strip = stripOf(bases.front().graph);
  if (bases.front().graph.sizeOf(strip) > stackPitch(machine))
    return;
  Schedule stacked = bases.front();
  stacked.plan.stacked = strip;
  for (auto [jam, staggered] : {std::pair(4, 0), {8, 0}, {8, 2}}) {
    stacked.plan.jam = jam;
    stacked.plan.staggered = staggered;
    if (llvm::Error error = stacked.plan.check(stacked.graph, machine))
      llvm::consumeError(std::move(error));
    else
      bases.push_back(stacked);
  }
}

std::vector<Schedule> search::jamHeads(const Schedule &one) {
  std::vector<Schedule> several;
  llvm::SmallVector<unsigned, 2> batches = one.graph.batches();
  if (batches.empty() || one.plan.jam > 1)
    return several;
  // Groups of 3, 5 or 7 heads have no half.
  int64_t size = one.graph.sizeOf(batches.back()), few = 2;
  while (few < 8 && size % few != 0)
    ++few;
  for (auto [jam, staggered] : {std::pair(few, 0), {few, 2}, {2 * few, 2}})
    if (size % jam == 0) {
      several.push_back(one);
      several.back().plan.jam = jam;
      several.back().plan.staggered = staggered;
    }
  return several;
}

std::optional<Schedule> search::tileRows(Schedule schedule,
                                         const Machine &machine) {
  const Graph &graph = schedule.graph;
  Plan &plan = schedule.plan;
  int64_t tile = machine.partitions;
  unsigned strip = stripOf(graph), begin = 0;
  auto isOfRows = [&](unsigned nest) {
    const Stage &stage = graph.stages[nest];
    llvm::ArrayRef<Loop> loops = plan.nests[nest].loops;
    return stage.terms.empty() && !stage.isTransposition() &&
           loops.size() == 1 && loops.front().dim == strip &&
           loops.front().block > tile;
  };
  // Behind the transposes of what all strips read.
  while (begin < graph.stages.size() && graph.stages[begin].isTransposition() &&
         !graph.matrices[graph.stages[begin].result].has(strip))
    ++begin;
  unsigned end = begin;
  while (end < graph.stages.size() && isOfRows(end))
    ++end;
  if (end == begin)
    return std::nullopt;
  std::optional<unsigned> filled;
  for (auto [number, home] : llvm::enumerate(plan.homes)) {
    unsigned first = home.nests.front(), last = home.nests.back();
    bool isResult = graph.stages[first].result == home.matrix;
    if (first < begin || first >= end || home.level != 1)
      continue;
    if (isResult && first + 1 == end && last >= end)
      filled = number;
    else if (isResult && last >= end)
      return std::nullopt; // others read it, too
    else if (isResult || (home.nests.size() == 1 && !home.ahead))
      ++home.level;
  }
  if (!filled)
    return std::nullopt;
  for (unsigned nest = begin; nest < end; ++nest)
    plan.nests[nest].loops.push_back({strip, tile});
  // It, and what it is transposed to.
  for (auto [number, home] : llvm::enumerate(plan.homes)) {
    const Stage &writer = graph.stages[home.nests.front()];
    if (writer.result == home.matrix && writer.isTransposition() &&
        writer.source == plan.homes[*filled].matrix && home.level == 1)
      filled = number;
  }
  if (!apply({Kind::Prefetch, 0, *filled, 1, 0, 2}, schedule))
    return std::nullopt;
  return schedule;
}
