//===- CheckBatches.cpp - Rules of batches that are computed at once ------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedPlan.h"

#include "trn/Planning/TileLimits.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {

/// Of batches that are computed at once.
class BatchRules : CheckedPlan {
public:
  explicit BatchRules(const CheckedPlan &checked) : CheckedPlan(checked) {}

  llvm::Error check() const;

private:
  llvm::Error checkStacked(unsigned dim) const;
  llvm::Error checkStaggered() const;
  llvm::Error checkOuterJam(unsigned dim, int64_t size) const;
};

} // namespace

llvm::Error BatchRules::checkStacked(unsigned dim) const {
  llvm::StringRef name = nameOfDim(dim);
  int64_t pitch = stackPitch(machine);
  if (plan.jam < 2 || !stackSize(plan.jam, machine))
    return refuse("{0} is stacked, so jam must be 2, 3 or a multiple of 4, but "
                  "is {1}",
                  name, plan.jam);
  if (graph.sizeOf(dim) > pitch)
    return refuse("{0} is stacked, so it must have {1} indices at most, but "
                  "has {2}",
                  name, pitch, graph.sizeOf(dim));
  for (const Dim &part : graph.dims)
    if (part.of == dim || graph.dims[dim].of)
      return refuse("{0} is stacked, so it must have no parts and be none",
                    name);
  if (llvm::is_contained(graph.batches(), dim))
    return refuse("{0} is stacked, so it must be no batch dim", name);
  for (unsigned nest = 0; nest < plan.nests.size(); ++nest) {
    auto isOverDim = [&](const Loop &loop) {
      return loop.dim == dim && loop.block < graph.sizeOf(dim);
    };
    if (llvm::any_of(loopsOf(nest), isOverDim))
      return refuse(
          "{0} is stacked, so no loop must cut it, as one of {1} does", name,
          nameOfNest(nest));
    bool isReduced = stageOf(nest).reduction &&
                     graph.matrices[stageOf(nest).result].columns == dim;
    if (stageOf(nest).sumsOver(dim) || isReduced)
      return refuse("{0} is stacked, so no stage must sum over it or reduce to "
                    "it, as {1} does",
                    name, nameOfNest(nest));
  }
  for (const Stage &stage : graph.stages)
    if (graph.periodOf(stage) > 1)
      return refuse(
          "{0} is stacked, but columns repeat, are rotated or grouped for {1}",
          name, nameOf(stage.result));
  for (const Home &home : plan.homes)
    if (home.packed && graph.matrices[home.matrix].has(dim))
      return refuse("{0} is stacked, so {1} must not be packed", name,
                    nameOf(home.matrix));
  return llvm::Error::success();
}

llvm::Error BatchRules::checkStaggered() const {
  constexpr int64_t most = 8;
  if (plan.staggered < 2 || plan.staggered > most)
    return refuse("staggered is {0}, but must be 2 to {1}: each batch starts "
                  "when such a part of the one before is done",
                  plan.staggered, most);
  int64_t size = plan.stacked ? stackSize(plan.jam, machine) : 1;
  if (plan.jam < 2 * size)
    return refuse("{0} are staggered, but jam is {1}, which makes only one",
                  plan.stacked ? "stacks" : "batches", plan.jam);
  return llvm::Error::success();
}

/// All `size` innermost batches of several indices of `dim`.
llvm::Error BatchRules::checkOuterJam(unsigned dim, int64_t size) const {
  if (plan.jam % size || graph.sizeOf(dim) % (plan.jam / size))
    return refuse("jam is {0}, more than {1} indices of the innermost batch "
                  "dim, so it must be these times a divisor of the {2} of {3}",
                  plan.jam, size, graph.sizeOf(dim), nameOfDim(dim));
  if (plan.stacked || !plan.staggered)
    return refuse("jam is {0}, more than {1} indices of the innermost batch "
                  "dim, so they must be staggered and not stacked",
                  plan.jam, size);
  return llvm::Error::success();
}

llvm::Error BatchRules::check() const {
  llvm::SmallVector<unsigned, 2> batches = graph.batches();
  // plan_c12
  if (plan.stacked)
    if (llvm::Error error = checkStacked(*plan.stacked))
      return error;
  if (plan.staggered)
    if (llvm::Error error = checkStaggered())
      return error;
  if (plan.jam == 1)
    return llvm::Error::success();
  if (batches.empty())
    return refuse("jam is {0}, but there is no batch dim to have several "
                  "indices of at once",
                  plan.jam);
  int64_t size = graph.sizeOf(batches.back());
  if (plan.jam > size && batches.size() > 1)
    return checkOuterJam(batches[batches.size() - 2], size);
  if (plan.jam < 1 || size % plan.jam)
    return refuse("jam is {0}, but must divide {1} indices of {2}, the "
                  "innermost batch dim",
                  plan.jam, size, nameOfDim(batches.back()));
  return llvm::Error::success();
}

llvm::Error planning::checkBatches(const CheckedPlan &checked) {
  return BatchRules(checked).check();
}
