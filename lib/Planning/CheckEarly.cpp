//===- CheckEarly.cpp - Whether transposes can be packed and come early ---===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanChecker.h"
#include "trn/Planning/Interleave.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

llvm::Error PlanChecker::checkPacked(const Home &home) const {
  llvm::StringRef name = nameOf(home.matrix);
  unsigned nest = home.nests.front();
  const Stage &stage = stageOf(nest);
  // plan_c8
  if (!stage.isTransposition() || home.early)
    return refuse("{0} is packed, but only an input and its transpose can be, "
                  "not early",
                  name);
  const Matrix &source = graph.matrices[stage.source];
  const Home *raw = plan.homeOf(stage.source, nest);
  const Home *turned = plan.homeOf(stage.result, nest);
  bool isRawPacked = raw ? raw->packed && raw->nests.size() == 1
                         : plan.isInterleaved(source.columns);
  if (!isRawPacked || !turned->packed || source.role != Role::Input)
    return refuse("{0} is packed, so {1} must be an input with a packed home "
                  "for its transpose alone, and {2} be packed, too",
                  name, source.name, nameOf(stage.result));
  if (home.level != 0 || !loopsOf(nest).empty())
    return refuse("{0} is packed, so its home and the nest of {1} must have no "
                  "loops around them",
                  name, nameOfNest(nest));
  int64_t columns = graph.columnsOf(source);
  if (columns % machine.partitions)
    return refuse("{0} is packed, so {1} of {2} must be a multiple of the {3} "
                  "partitions, but is {4}",
                  name, nameOfDim(source.columns), source.name,
                  machine.partitions, columns);
  if (!source.columnBatches.empty() || source.window)
    return refuse("{0} is packed, so {1} must have no batch dims outside of "
                  "its columns and be no part of a larger matrix",
                  name, source.name);
  if (graph.matrices[stage.result].role != Role::Intermediate)
    return refuse("{0} is packed, so {1} must not be a result", name,
                  nameOf(stage.result));
  for (unsigned reader = nest + 1; reader < plan.nests.size(); ++reader)
    if (stageOf(reader).uses(stage.result) &&
        (stageOf(reader).isTransposition() ||
         !llvm::is_contained(turned->nests, reader)))
      return refuse("{0} is packed, so the nest of {1} must be a product and "
                    "have the same home",
                    nameOf(stage.result), nameOfNest(reader));
  return llvm::Error::success();
}

llvm::Error PlanChecker::checkInterleaved(unsigned dim) const {
  // plan_c11
  if (graph.sizeOf(dim) % machine.partitions)
    return refuse("{0} is interleaved, so it must be a multiple of the {1} "
                  "partitions, but is {2}",
                  nameOfDim(dim), machine.partitions, graph.sizeOf(dim));
  return planning::checkInterleaved(graph, plan, dim);
}

llvm::Error PlanChecker::checkEarly(const Home &home) const {
  llvm::StringRef name = nameOf(home.matrix);
  const Matrix &matrix = graph.matrices[home.matrix];
  unsigned nest = home.nests.front();
  // plan_c7
  for (const Home &other : plan.homes) {
    auto [first, last] = std::minmax(nest, other.nests.front());
    if (&other != &home && other.early && plan.sharedLoops(first, last) > 0)
      return refuse(
          "{0} and {1} both come early in the same loop, but only one "
          "can",
          name, nameOf(other.matrix));
  }
  if (home.slots > 2)
    return refuse("{0} comes early, so its home must have 1 or 2 slots, but "
                  "has {1}",
                  name, home.slots);
  if (home.level == 0 || loopsOf(nest)[home.level - 1].dim != matrix.columns)
    return refuse("{0} comes early, so the loop around its home must be over "
                  "its columns, {1}",
                  name, nameOfDim(matrix.columns));
  for (unsigned dim : {matrix.rows, matrix.columns})
    if (graph.dimsIn(home.nests, home.matrix, dim) != llvm::ArrayRef(dim))
      return refuse("{0} comes early, so it cannot be read in parts", name);
  if (isWritten(home))
    return checkEarlyTranspose(home);
  for (unsigned writer = 0; writer < nest; ++writer)
    if (stageOf(writer).result == home.matrix &&
        plan.sharedLoops(writer, nest) >= home.level)
      return refuse("{0} comes early, but is computed in the same iteration of "
                    "the loop around its home",
                    name);
  return llvm::Error::success();
}

llvm::Error PlanChecker::checkEarlyTranspose(const Home &home) const {
  llvm::StringRef name = nameOf(home.matrix);
  unsigned nest = home.nests.front();
  const Stage &stage = stageOf(nest);
  // plan_c7
  if (!stage.isTransposition() ||
      graph.matrices[stage.source].role != Role::Input)
    return refuse("{0} comes early, but is neither an input nor the transpose "
                  "of one",
                  name);
  if (nest > 0 && plan.sharedLoops(nest - 1) >= home.level)
    return refuse("{0} comes early, so the nest of {1} must not share the loop "
                  "around its home",
                  name, nameOfNest(nest - 1));
  if (home.nests.size() < 2 || home.nests[1] != nest + 1)
    return refuse("{0} comes early, so the nest behind its own must read it "
                  "there",
                  name);
  llvm::ArrayRef<Loop> inner = loopsOf(nest).drop_front(home.level);
  if (inner.size() > 1 ||
      (inner.size() == 1 &&
       inner.front().dim != graph.matrices[home.matrix].rows))
    return refuse("{0} comes early, so its nest may only have one loop inside, "
                  "over {1}",
                  name, nameOfDim(graph.matrices[home.matrix].rows));
  const Home *raw = plan.homeOf(stage.source, nest);
  if (raw && raw->level >= home.level && raw->nests.size() > 1)
    return refuse("{0} comes early, so the home of {1}, from which it is "
                  "transposed, must serve that nest only or lie further out",
                  name, nameOf(stage.source));
  return llvm::Error::success();
}
