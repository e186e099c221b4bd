//===- CheckLoops.cpp - Rules of loops ------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedPlan.h"

#include "trn/Planning/StageNeeds.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {

/// Of loops and their blocks.
class LoopRules : CheckedPlan {
public:
  explicit LoopRules(const CheckedPlan &checked) : CheckedPlan(checked) {}

  llvm::Error check() const;

private:
  llvm::Error checkLoops(unsigned nest) const;
  llvm::Error checkSummedLoops(unsigned nest) const;
  llvm::Error checkShared(unsigned nest) const;
};

} // namespace

llvm::Error LoopRules::check() const {
  // plan_c2
  for (auto [number, dim] : llvm::enumerate(graph.dims))
    if (int64_t unit = dim.of ? unitOf(graph, number, machine) : 1;
        dim.offset % unit)
      return refuse("part {0} of {1} begins at {2}, but must at a multiple of "
                    "{3}: of the partitions, and of columns that repeat, are "
                    "rotated, or are a group or a head",
                    dim.name, nameOfDim(*dim.of), dim.offset, unit);
  for (unsigned nest = 0; nest < plan.nests.size(); ++nest)
    if (llvm::Error error = checkLoops(nest))
      return error;
  for (unsigned nest = 0; nest + 1 < plan.nests.size(); ++nest)
    if (llvm::Error error = checkShared(nest))
      return error;
  return llvm::Error::success();
}

llvm::Error LoopRules::checkLoops(unsigned nest) const {
  const Stage &stage = stageOf(nest);
  int64_t period = graph.periodOf(stage);
  // plan_c2
  if (!stage.numOpen() && period > machine.sbufFreeMax)
    return refuse("columns repeat, are rotated or grouped by {0} in the nest "
                  "of {1}, but an instruction reads {2}",
                  period, nameOfNest(nest), machine.sbufFreeMax);
  if (stage.numOpen() && machine.movingFreeMax % period)
    return refuse("columns repeat or are rotated by {0} behind a product in "
                  "the nest of {1}, so {0} must divide the {2} of a tile",
                  period, nameOfNest(nest), machine.movingFreeMax);
  if (loopsOf(nest).size() > Nest::maxLoops)
    return refuse("the nest of {0} has {1} loops, but at most {2} are allowed",
                  nameOfNest(nest), loopsOf(nest).size(), Nest::maxLoops);
  llvm::SmallVector<int64_t> sizes;
  for (const Dim &dim : graph.dims)
    sizes.push_back(dim.size);
  for (const Loop &loop : loopsOf(nest)) {
    if (std::optional<unsigned> whole = graph.dims[loop.dim].groupsOf)
      return refuse("the nest of {0} has a loop over the groups {1}, but must "
                    "have one over {2}, whose groups follow",
                    nameOfNest(nest), nameOfDim(loop.dim), nameOfDim(*whole));
    // A loop of one block is written, too: a home may stand inside of it.
    int64_t size = std::exchange(sizes[loop.dim], loop.block);
    if (loop.block < 1 || loop.block > size ||
        (loop.block < size && loop.block % machine.partitions))
      return refuse("block {0} of {1} in the nest of {2} must be a multiple of "
                    "the {3} partitions, or all of the {4} that it cuts",
                    loop.block, nameOfDim(loop.dim), nameOfNest(nest),
                    machine.partitions, size);
    bool cutsColumns = loop.dim == graph.columnsIn(stage) && loop.block < size;
    if (int64_t unit = cutsColumns ? wholeColumnsOf(graph, stage) : 1;
        loop.block % unit)
      return refuse("block {0} of {1} in the nest of {2} must be a multiple of "
                    "the {3} columns that repeat, are rotated, or are a group "
                    "or a head",
                    loop.block, nameOfDim(loop.dim), nameOfNest(nest), unit);
  }
  return checkSummedLoops(nest);
}

llvm::Error LoopRules::checkSummedLoops(unsigned nest) const {
  const Stage &stage = stageOf(nest);
  llvm::SmallVector<unsigned, 4> own = graph.dimsOf(stage);
  const Loop *summed = nullptr;
  unsigned columns = graph.matrices[stage.result].columns;
  bool hasBeside = graph.numBeside(stage) > 0;
  // plan_c13
  if (hasBeside && graph.sizeOf(columns) >= machine.movingFreeMax)
    return refuse("a constant lies behind the {0} columns {1} in the nest of "
                  "{2}, but all of a tile are {3}",
                  graph.sizeOf(columns), nameOfDim(columns), nameOfNest(nest),
                  machine.movingFreeMax);
  for (const Loop &loop : loopsOf(nest)) {
    // plan_c13
    if (hasBeside && loop.dim == columns && loop.block < graph.sizeOf(columns))
      return refuse(
          "a constant lies behind the columns {0} in the nest of {1}, "
          "so no loop may cut them",
          nameOfDim(columns), nameOfNest(nest));
    // plan_c6
    if (summed && !llvm::is_contained(own, loop.dim))
      return refuse("the loop over {0} in the nest of {1} would add the same "
                    "again; it must lie outside of the loop over {2}",
                    nameOfDim(loop.dim), nameOfNest(nest),
                    nameOfDim(summed->dim));
    if (!stageOf(nest).sumsOver(loop.dim))
      continue;
    summed = &loop;
    if (stage.reduction && loop.dim == stage.reduction->over)
      continue;
    for (const Term &term : stage.terms)
      if (term.over != loop.dim || stage.reduction)
        return refuse("the nest of {0} cannot have a loop over {1}, since it "
                      "sums over {2}, too",
                      nameOfNest(nest), nameOfDim(loop.dim),
                      nameOfDim(term.over));
  }
  return llvm::Error::success();
}

llvm::Error LoopRules::checkShared(unsigned nest) const {
  // plan_c3
  unsigned shared = plan.sharedLoops(nest);
  llvm::ArrayRef<Loop> here = loopsOf(nest), next = loopsOf(nest + 1);
  if (here.size() < shared || next.size() < shared ||
      here.take_front(shared) != next.take_front(shared))
    return refuse("the nests of {0} and {1} must have the same {2} outer "
                  "loops: there is a home inside of these for both",
                  nameOfNest(nest), nameOfNest(nest + 1), shared);
  return llvm::Error::success();
}

llvm::Error planning::checkLoops(const CheckedPlan &checked) {
  return LoopRules(checked).check();
}
