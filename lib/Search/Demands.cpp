//===- Demands.cpp - What users ask of a plan -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/Demands.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/PrintSchedule.h"
#include "trn/Support/Refuse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

//===----------------------------------------------------------------------===//
// For a graph
//===----------------------------------------------------------------------===//

int64_t Demands::blockOf(llvm::StringRef dim) const {
  for (const auto &[name, size] : blocks)
    if (name == dim)
      return size;
  return 0;
}

static llvm::Error checkBlock(const Dim &dim, int64_t size, int64_t tile) {
  if (size < 0)
    return refuse("block-{0} is {1}, but cannot be negative; 0 lets the "
                  "compiler choose",
                  dim.name, size);
  if (size % tile == 0 || size >= dim.size)
    return llvm::Error::success();
  return refuse("block-{0} is {1}, but must be a multiple of {2} or cover the "
                "whole dimension of {3}; the next one is {4}",
                dim.name, size, tile, dim.size,
                std::min<int64_t>(llvm::alignTo(size, tile), dim.size));
}

llvm::Error Demands::check(const Graph &source, const Machine &machine) const {
  if (llvm::Error error = source.checkSizes())
    return error;
  if (!isStrip(source, stripOf(source)))
    return refuse("there is no dim that all of its products "
                  "have, so that they could share strips");
  auto findDim = [&](llvm::StringRef name) {
    return llvm::find_if(source.dims,
                         [&](const Dim &dim) { return dim.name == name; });
  };
  llvm::SmallVector<llvm::StringRef> seen;
  for (const auto &[name, size] : blocks) {
    auto dim = findDim(name);
    if (dim == source.dims.end())
      continue;
    if (llvm::is_contained(seen, name))
      return refuse("block-{0} is given twice; give it once", name);
    seen.push_back(name);
    if (llvm::is_contained(source.batches(), dim - source.dims.begin()))
      return refuse(
          "block-{0}: {0} is a batch dim, which has no blocks; the loops run "
          "for each of its indices",
          name);
    if (llvm::Error error = checkBlock(*dim, size, machine.partitions))
      return error;
  }
  for (const auto &[name, loop] : keep)
    if (loop != "kernel" && findDim(loop) == source.dims.end())
      return refuse(
          "keep={0}={1} names no loop of the kernel; it must be one of "
          "kernel, {2}",
          name, loop,
          llvm::join(llvm::map_range(source.dims,
                                     [](const Dim &dim) { return dim.name; }),
                     ", "));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// For a plan
//===----------------------------------------------------------------------===//

DemandChecker::DemandChecker(const Graph &source, const Demands &demands,
                             const Machine &machine, Predicate other)
    : source(source), demands(demands), machine(machine), other(other) {}

bool DemandChecker::recomputes() const {
  return demands.recompute && source.stages.size() > 1;
}

unsigned DemandChecker::recomputedColumns() const {
  return source.matrices[source.stages.back().result].otherDim(stripOf(source));
}

bool DemandChecker::maySpill() const {
  bool isChain = source.stages.size() > 1;
  return !isChain || (!demands.recompute && !demands.keepIntermediates);
}

int64_t DemandChecker::forced(unsigned dim) const {
  bool isNaive =
      recomputes() && (dim == stripOf(source) || dim == recomputedColumns());
  int64_t block = demands.blockOf(source.dims[dim].name);
  if (!block && isNaive)
    block = machine.movingFreeMax;
  return std::min(block, source.sizeOf(dim));
}

llvm::SmallVector<Graph, 2> DemandChecker::forms() const {
  // What people ask for is about the matrices of the source.
  bool isFree = !demands.transpose && demands.keep.empty() && !recomputes();
  std::optional<Graph> turned = isFree ? legalizeTurned(source) : std::nullopt;
  auto isTooWide = [&](const Stage &stage) {
    return turned->numBeside(stage) &&
           turned->sizeOf(turned->columnsIn(stage)) >= machine.movingFreeMax;
  };
  if (turned && llvm::any_of(turned->stages, isTooWide))
    turned.reset();
  // Of fewer rows its instructions may compute too little.
  if (turned && source.sizeOf(stripOf(source)) >= machine.partitions)
    return {std::move(*turned)};
  Graph implicit = legalize(source, TransposeMode::Implicit);
  Graph explicitly = legalize(source, TransposeMode::Explicit);
  if (source.stages.size() > 1 && demands.transpose == TransposeMode::Explicit)
    return {std::move(explicitly)};
  if (implicit == explicitly || demands.transpose)
    return {std::move(implicit)};
  llvm::SmallVector<Graph, 2> forms{std::move(implicit), std::move(explicitly)};
  if (turned)
    forms.push_back(std::move(*turned));
  return forms;
}

llvm::SmallVector<unsigned, 2>
DemandChecker::homesOf(llvm::StringRef matrix, const Schedule &schedule) const {
  llvm::SmallVector<unsigned, 2> named, derived;
  llvm::SmallVector<unsigned> origins = originsOf(schedule.graph, source);
  for (auto [number, home] : llvm::enumerate(schedule.plan.homes)) {
    if (schedule.graph.matrices[home.matrix].name == matrix)
      named.push_back(number);
    if (source.matrices[origins[home.matrix]].name == matrix)
      derived.push_back(number);
  }
  return named.empty() ? derived : named;
}

/// The level of a home that lies in `loop`.
static std::optional<unsigned> levelIn(const Schedule &schedule,
                                       const Home &home, llvm::StringRef loop) {
  return findLevel(schedule.graph, schedule.plan.nests[home.nests.front()],
                   loop);
}

bool DemandChecker::moveHomes(Schedule &schedule) const {
  return llvm::all_of(demands.keep, [&](const auto &demand) {
    llvm::SmallVector<unsigned, 2> homes = homesOf(demand.first, schedule);
    for (unsigned number : homes) {
      Home &home = schedule.plan.homes[number];
      std::optional<unsigned> level = levelIn(schedule, home, demand.second);
      if (!level)
        return false;
      if (*level != home.level)
        home.moveTo(*level);
    }
    return !homes.empty();
  });
}

bool DemandChecker::isKept(const Schedule &schedule, llvm::StringRef matrix,
                           llvm::StringRef loop) const {
  return llvm::all_of(homesOf(matrix, schedule), [&](unsigned number) {
    const Home &home = schedule.plan.homes[number];
    return levelIn(schedule, home, loop) == home.level;
  });
}

/// The dim is cut where it is rows or columns of what products compute, or
/// where they sum over it if it never is.
bool DemandChecker::hasBlock(const Schedule &schedule, unsigned dim,
                             int64_t block) const {
  const auto &[graph, plan] = schedule;
  auto isComputed = [&, &graph = graph](const Stage &stage) {
    return !stage.isTransposition() && graph.matrices[stage.result].has(dim);
  };
  bool isResult = llvm::any_of(graph.stages, isComputed);
  for (auto [stage, nest] : llvm::zip_equal(graph.stages, plan.nests)) {
    if (isResult ? !isComputed(stage) : !stage.sumsOver(dim))
      continue;
    const Loop *loop = llvm::find_if(
        nest.loops, [&](const Loop &other) { return other.dim == dim; });
    int64_t size = graph.sizeOf(dim);
    if ((loop == nest.loops.end() ? size : loop->block) != block)
      return false;
  }
  return true;
}

/// All nests that use a computed intermediate share one home.
bool DemandChecker::keepsIntermediates(const Schedule &schedule) const {
  const auto &[graph, plan] = schedule;
  return llvm::all_of(plan.homes, [&, &graph = graph](const Home &home) {
    auto users = nestsThatUse(graph, home.matrix);
    const Stage &writer = graph.stages[users.front()];
    bool isRepeated = llvm::any_of(graph.stages, [&](const Stage &stage) {
      return graph.isRepeated(stage, home.matrix);
    });
    return graph.matrices[home.matrix].role != Role::Intermediate ||
           writer.isTransposition() || isRepeated ||
           llvm::ArrayRef(home.nests) == llvm::ArrayRef(users);
  });
}

/// All nests run in loops over strips and over the blocks of the last result's
/// columns, and intermediates lie inside of these.
bool DemandChecker::isRecomputed(const Schedule &schedule) const {
  const auto &[graph, plan] = schedule;
  unsigned strip = stripOf(source), columns = recomputedColumns();
  const Loop outer[] = {{strip, forced(strip)}, {columns, forced(columns)}};
  return llvm::all_of(plan.nests,
                      [&](const Nest &nest) {
                        return nest.loops.size() >= 2 &&
                               llvm::ArrayRef(nest.loops).take_front(2) ==
                                   llvm::ArrayRef(outer);
                      }) &&
         llvm::all_of(plan.homes, [&, &graph = graph](const Home &home) {
           return home.level >= 2 ||
                  graph.matrices[home.matrix].role != Role::Intermediate;
         });
}

bool DemandChecker::allows(const Schedule &schedule) const {
  for (unsigned dim = 0; dim < source.dims.size(); ++dim)
    if (int64_t block = forced(dim))
      if (!hasBlock(schedule, dim, block))
        return false;
  for (const auto &[matrix, loop] : demands.keep)
    if (!isKept(schedule, matrix, loop))
      return false;
  return (!demands.keepIntermediates || keepsIntermediates(schedule)) &&
         (!recomputes() || isRecomputed(schedule)) && allowsOther(schedule);
}
