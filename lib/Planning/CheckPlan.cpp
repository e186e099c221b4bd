//===- CheckPlan.cpp - Whether a plan can be followed ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedPlan.h"

#include "trn/Planning/LiveBand.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// Which tiles a mask that is made on chip hides is known where its rows are.
static llvm::Error checkMask(const CheckedPlan &checked) {
  const Graph &graph = checked.graph;
  const Plan &plan = checked.plan;
  // plan_c13
  auto mask = llvm::find_if(graph.matrices, isMadeMask);
  if (mask == graph.matrices.end())
    return llvm::Error::success();
  LiveBand band = *findLiveBand(graph);
  for (const Home &home : plan.homes) {
    const Stage &stage = checked.stageOf(home.nests.front());
    bool readsMask =
        llvm::any_of(stage.expression.matrices(), [&](unsigned matrix) {
          return isMadeMask(graph.matrices[matrix]);
        });
    if (home.sums && !stage.reduction && readsMask)
      return refuse("{0} is added to sums of {1} tile by tile, so the home of "
                    "{1} must have no sums outside of that",
                    mask->name, checked.nameOf(home.matrix));
    bool hidesColumns = graph.matrices[home.matrix].columns == band.rows &&
                        stage.sumsOver(band.columns);
    if (home.sums && !home.sumsInPsum() && hidesColumns)
      return refuse(
          "{0} hides columns of {1} of some blocks of {2}, so the sums "
          "of {1} must be in psum",
          mask->name, checked.nameOf(home.matrix),
          checked.nameOfDim(band.columns));
  }
  NestRange group{0, unsigned(plan.nests.size() - 1)};
  while (!band.isIn(graph, checked.stageOf(group.first)))
    ++group.first;
  while (group.first && plan.sharedLoops(group.first - 1))
    --group.first;
  group.last = group.first;
  while (group.last + 1 < plan.nests.size() && plan.sharedLoops(group.last))
    ++group.last;
  if (checked.mayFollow(band, group, /*depth=*/0))
    return llvm::Error::success();
  return refuse(
      "{0} is a mask that is made on chip, so all nests with {1} and "
      "{2} must share a loop over {1} outside of all others, and what "
      "they compute of {2} alone be read inside of it",
      mask->name, checked.nameOfDim(band.rows),
      checked.nameOfDim(band.columns));
}

llvm::Error Plan::check(const Graph &graph, const Machine &machine) const {
  if (llvm::Error error = checkNumbers(graph))
    return error;
  CheckedPlan checked(graph, *this, machine);
  if (llvm::Error error = checkLoops(checked))
    return error;
  if (llvm::Error error = checkHomes(checked))
    return error;
  if (llvm::Error error = checkBatches(checked))
    return error;
  if (llvm::Error error = checkMask(checked))
    return error;
  return checkAhead(checked);
}
