//===- PlanFacts.cpp - What a plan says about its homes -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanFacts.h"

#include "trn/Machine/Machine.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

llvm::SmallVector<NestRange> PlanFacts::groupsOf(NestRange range,
                                                 unsigned depth) const {
  llvm::SmallVector<NestRange> groups;
  for (unsigned nest = range.first; nest <= range.last; ++nest)
    if (plan.aheadOf(graph, nest, depth))
      continue;
    else if (groups.empty() || plan.sharedLoops(nest - 1) <= depth)
      groups.push_back({nest, nest});
    else
      groups.back().last = nest;
  return groups;
}

Extents PlanFacts::within(const Tile &tile, unsigned nest,
                          const Extents &extents) const {
  const Matrix &result = graph.matrices[stageOf(nest).result];
  return cut(cut(extents, result.rows, tile.row, tile.rows), result.columns,
             tile.column, tile.columns);
}

int64_t PlanFacts::tileWidth(unsigned nest) const {
  const Stage &stage = stageOf(nest);
  // What engines read of SBUF alone they read of all columns at once.
  return stage.numOpen()
             ? plan.nests[nest].banks * machine.movingFreeMax
             : llvm::alignDown(machine.sbufFreeMax, graph.periodOf(stage));
}

/// Whether the matrix lies in HBM between some of the nests that use it.
bool PlanFacts::isOffChip(unsigned matrix) const {
  return graph.matrices[matrix].role != Role::Intermediate ||
         llvm::any_of(plan.homes, [&](const Home &home) {
           return home.matrix == matrix && !isWritten(home);
         });
}

/// Whether it is loaded once, outside of the loops over batches, too.
bool PlanFacts::isForAllBatches(const Home &home) const {
  const Matrix &matrix = graph.matrices[home.matrix];
  bool isGiven = matrix.role == Role::Input || matrix.role == Role::Constant;
  if (home.whole)
    return true;
  return home.level == 0 && isGiven && !home.ahead && !home.packed &&
         matrix.rowBatches.empty() && matrix.columnBatches.empty() &&
         !graph.batches().empty();
}

/// Whether it is loaded once for all indices of the innermost batch dim.
bool PlanFacts::isForStack(const Home &home) const {
  return isForAllBatches(home) ||
         (home.level == 0 && !home.ahead && !home.packed &&
          graph.matrices[home.matrix].role == Role::Input &&
          !graph.hasBatch(home.matrix, graph.batches().back()));
}

/// Whether neighbouring rows of the matrix lie on one partition.
bool PlanFacts::hasBeside(const Home &home) const {
  return graph.findBeside(stageOf(home.nests.front()), home.matrix);
}

bool PlanFacts::liesByPartitions(const Home &home) const {
  return !home.packed && plan.isInterleaved(graph.matrices[home.matrix].rows);
}

/// Whether the buffer begins to live when its sums are complete: they lie
/// elsewhere until then.
bool PlanFacts::isAllocatedLate(const Home &home) const {
  return home.sums && home.sums->level == home.level && !holdsSums(home) &&
         !home.ahead;
}

/// Whether sums lie in the buffer that the home is.
bool PlanFacts::holdsSums(const Home &home) const {
  return home.sums && home.sums->store == Store::Sbuf &&
         home.sums->type == graph.matrices[home.matrix].type &&
         (stageOf(home.nests.front()).expression.isPlain() ||
          stageOf(home.nests.front()).reduction);
}

/// Whether the last of `group` is the last to use the home, but for nests that
/// do so at some time ahead of others, outside of all loops.
bool PlanFacts::isClosedBehind(const Home &home, NestRange group) const {
  unsigned last = home.nests.back();
  for (unsigned nest : home.nests)
    if (!plan.aheadOf(graph, nest, /*level=*/0))
      last = nest;
  return group.contains(last);
}

/// Whether a result is stored as soon as a row of tiles is complete.
bool PlanFacts::isStoredByTile(const Home &home) const {
  if (!isWritten(home) || !isOffChip(home.matrix) || liesByPartitions(home) ||
      stageOf(home.nests.front()).isTransposition())
    return false;
  if (home.sums)
    return home.sumsInPsum() && home.sums->level == home.level;
  unsigned writer = home.nests.front();
  unsigned depth = plan.nests[writer].loops.size();
  return home.level == depth &&
         llvm::none_of(llvm::seq(depth),
                       [&](unsigned loop) { return sumsInSbuf(writer, loop); });
}

/// Whether the first iteration of the loop at `depth` differs from the others:
/// sums in SBUF are first written, then added to.
bool PlanFacts::startsSums(NestRange group, unsigned depth,
                           const Extents &extents) const {
  return !extents[plan.nests[group.first].loops[depth].dim].later &&
         llvm::any_of(llvm::seq_inclusive(group.first, group.last),
                      [&](unsigned nest) { return sumsInSbuf(nest, depth); });
}

/// Whether what `nest` computes is added to what is there already, beside PSUM.
bool PlanFacts::addsToPrevious(unsigned nest, const Extents &extents) const {
  auto loops = llvm::enumerate(plan.nests[nest].loops);
  return llvm::any_of(loops, [&](auto loop) {
    return sumsInSbuf(nest, loop.index()) && extents[loop.value().dim].later;
  });
}

/// Whether sums of `nest` stay in SBUF, or in HBM, while the loop at `depth`
/// adds to them.
bool PlanFacts::sumsInSbuf(unsigned nest, unsigned depth) const {
  const Stage &stage = stageOf(nest);
  const Home &home = *plan.homeOf(stage.result, nest);
  return stage.sumsOver(plan.nests[nest].loops[depth].dim) &&
         (!home.sumsInPsum() || home.sums->level > depth);
}

/// Whether iterations of the loop at `depth` of `group` may run over those
/// columns alone that `band` leaves of their rows: all that one of them
/// computes, no other iteration and no other nest reads.
bool PlanFacts::mayFollow(const LiveBand &band, NestRange group,
                          unsigned depth) const {
  if (plan.nests[group.first].loops.size() <= depth ||
      plan.nests[group.first].loops[depth].dim != band.rows ||
      plan.isInterleaved(band.columns))
    return false;
  auto isReadOutside = [&](unsigned matrix) {
    return graph.matrices[matrix].role == Role::Result ||
           !llvm::all_of(nestsThatUse(graph, matrix),
                         [&](unsigned nest) { return group.contains(nest); });
  };
  for (unsigned nest = 0; nest < plan.nests.size(); ++nest)
    if (band.isIn(graph, stageOf(nest)) && !group.contains(nest))
      return false;
  return llvm::none_of(plan.homes, [&](const Home &home) {
    const Matrix &matrix = graph.matrices[home.matrix];
    bool isShared = !matrix.has(band.rows) && isWritten(home) &&
                    group.contains(home.nests.front()) &&
                    (home.level <= depth || isReadOutside(home.matrix));
    // What comes by partitions comes with all columns.
    bool isWhole = home.packed || liesByPartitions(home);
    return matrix.has(band.columns) && (isWhole || isShared);
  });
}

bool planning::addsUpPrevious(const Graph &graph, const Plan &plan,
                              const Machine &machine, unsigned nest) {
  if (!graph.mayAddUp(nest))
    return false;
  const Stage &stage = graph.stages[nest];
  unsigned added = stage.expression.values.front().number;
  unsigned columns = stage.reduction->over;
  const Home &sums = *plan.homeOf(stage.result, nest);
  const Home &whole = *plan.homeOf(added, nest - 1);
  auto cutsColumns = [&](const Loop &loop) { return loop.dim == columns; };
  return graph.sizeOf(columns) <= machine.sbufFreeMax &&
         plan.nests[nest].loops == plan.nests[nest - 1].loops &&
         llvm::none_of(plan.nests[nest].loops, cutsColumns) &&
         plan.sharedLoops(nest - 1) >= sums.level && !sums.sums &&
         plan.homeOf(added, nest) == &whole && whole.ahead == sums.ahead &&
         (!whole.ahead || (whole.level && whole.level == sums.level &&
                           sums.slots > 1)); // this iteration reads its own
}

bool PlanFacts::addsUpPrevious(unsigned nest) const {
  return planning::addsUpPrevious(graph, plan, machine, nest) &&
         !isStoredByTile(*plan.homeOf(stageOf(nest).result, nest));
}
