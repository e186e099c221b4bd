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
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// The blocks of a dim in the stages that compute what has it, or else sum over
/// it, one after the other.
static llvm::SmallVector<int64_t> blocksOf(const Schedule &schedule,
                                           unsigned dim) {
  const auto &[graph, plan] = schedule;
  auto isComputed = [&, &graph = graph](const Stage &stage) {
    return !stage.isTransposition() && graph.matrices[stage.result].has(dim);
  };
  bool isResult = llvm::any_of(graph.stages, isComputed);
  llvm::SmallVector<int64_t> blocks;
  for (auto [stage, nest] : llvm::zip_equal(graph.stages, plan.nests)) {
    if (isResult ? !isComputed(stage) : !stage.sumsOver(dim))
      continue;
    const Loop *loop = llvm::find_if(
        nest.loops, [&](const Loop &other) { return other.dim == dim; });
    int64_t block = loop == nest.loops.end() ? graph.sizeOf(dim) : loop->block;
    if (!llvm::is_contained(blocks, block))
      blocks.push_back(block);
  }
  return blocks;
}

/// As the option `blocks` has them, of the dims that are cut: `m=256,k=512`, or
/// `n=512/256` where nests differ.
static std::string describeBlocks(const Schedule &schedule) {
  const Graph &graph = schedule.graph;
  llvm::SmallVector<unsigned, 2> batches = graph.batches();
  std::string text;
  for (unsigned dim = 0; dim != graph.dims.size(); ++dim) {
    llvm::SmallVector<int64_t> blocks = blocksOf(schedule, dim);
    auto isWhole = [&](int64_t block) { return block == graph.sizeOf(dim); };
    if (llvm::is_contained(batches, dim) || llvm::all_of(blocks, isWhole))
      continue;
    text += (text.empty() ? "" : ",") + graph.dims[dim].name + "=";
    llvm::raw_string_ostream os(text);
    llvm::interleave(blocks, os, "/");
  }
  return text;
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
  if (std::string blocks = describeBlocks(schedule); !blocks.empty())
    entries["blocks"] = std::move(blocks);
  for (const Home &home : schedule.plan.homes)
    if (std::optional<ElementType> type = partialsOf(schedule, home);
        type && (!entries.count("partials") || *type != ElementType::F32))
      entries["partials"] = stringify(*type);
  entries["schedule"] = printPlan(schedule.graph, schedule.plan);
  return {entries.begin(), entries.end()};
}
