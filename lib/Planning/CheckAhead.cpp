//===- CheckAhead.cpp - Whether homes can be packed and filled ahead ------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanChecker.h"
#include "PlanFacts.h"
#include "trn/Planning/Fillers.h"
#include "trn/Planning/Interleave.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

llvm::Error PlanChecker::checkPacked(const Home &home) const {
  llvm::StringRef name = nameOf(home.matrix);
  unsigned nest = home.nests.front();
  const Stage &stage = stageOf(nest);
  // plan_c8
  if (!stage.isTransposition())
    return refuse("{0} is packed, but only an input and its transpose can be",
                  name);
  if (home.ahead && !isWritten(home))
    return refuse("{0} is packed, so it comes where {1} is computed, and not "
                  "ahead of that",
                  name, nameOf(stage.result));
  const Matrix &source = graph.matrices[*stage.source];
  const Home *raw = plan.homeOf(*stage.source, nest);
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
        (stageOf(reader).source == stage.result ||
         !llvm::is_contained(turned->nests, reader)))
      return refuse("{0} is packed, so the nest of {1} must not transpose it "
                    "again, and have the same home",
                    nameOf(stage.result), nameOfNest(reader));
  return llvm::Error::success();
}

llvm::Error PlanChecker::checkWhole(const Home &home) const {
  const Matrix &matrix = graph.matrices[home.matrix];
  // plan_c14
  if (matrix.role != Role::Input || matrix.columnBatches.empty() ||
      !matrix.rowBatches.empty() || matrix.window)
    return refuse("{0} is whole, so it must be an input with batch dims "
                  "outside of its columns alone, and no part of a larger "
                  "matrix",
                  matrix.name);
  if (graph.findBeside(stageOf(home.nests.front()), home.matrix))
    return refuse("{0} is whole, so no constant must lie behind its columns",
                  matrix.name);
  if (home.level || home.ahead || home.packed)
    return refuse("{0} is whole, so its home must be at the kernel, and "
                  "neither packed nor filled ahead",
                  matrix.name);
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

llvm::Error PlanChecker::checkAhead(const Home &home) const {
  llvm::StringRef name = nameOf(home.matrix);
  unsigned nest = home.nests.front(), level = home.level;
  // plan_c7
  unsigned most = level ? Home::maxAhead : 1;
  if (home.ahead > most)
    return refuse("{0} is filled ahead by {1}, but can by at most {2} {3}",
                  name, home.ahead, most,
                  level ? "in a loop" : "outside of all loops");
  if (home.pieces < 0)
    return refuse("{0} is filled in {1} pieces, but must be in 1 or more", name,
                  home.pieces);
  llvm::ArrayRef<unsigned> readers = home.nests;
  if (isWritten(home)) {
    readers = readers.drop_front();
    if (readers.empty())
      return refuse("{0} is filled ahead, but nothing reads it there", name);
    if (plan.sharedLoops(nest) > level)
      return refuse("{0} is filled ahead, so its nest must share no loops "
                    "inside of the {1} around its home with the next one",
                    name, level);
    for (unsigned filler = firstFiller(graph, plan, home); filler <= nest;
         ++filler)
      if (llvm::Error error = checkFiller(home, filler))
        return error;
  } else if (llvm::Error error = checkDependence(home, nest, home.matrix)) {
    return error;
  }
  // Nests that run ahead, too, read it as much sooner.
  unsigned sooner = home.ahead;
  for (unsigned reader : readers)
    sooner = std::min(sooner, plan.aheadOf(graph, reader, level));
  int64_t least = home.ahead - sooner + 1;
  bool refills = home.slots == 1 && home.ahead == 1;
  if (level && !refills && (home.slots < least || home.slots > home.ahead + 1))
    return refuse("{0} is filled ahead by {1}, so its home must have {2} to "
                  "{3} slots, but has {4}",
                  name, home.ahead, home.ahead == 1 ? 1 : least, home.ahead + 1,
                  home.slots);
  return llvm::Error::success();
}

/// Whether only nests that fill `home` are among `users`.
bool PlanChecker::servesFillers(const Home &home,
                                llvm::ArrayRef<unsigned> users) const {
  return firstFiller(graph, plan, home) <= users.front() &&
         users.back() <= home.nests.front();
}

/// `nest` computes `home`, or a part of what that needs.
llvm::Error PlanChecker::checkFiller(const Home &home, unsigned nest) const {
  unsigned result = stageOf(nest).result;
  // plan_c7
  if (nest != home.nests.front() &&
      !servesFillers(home, nestsThatUse(graph, result)))
    return refuse("{0} is filled ahead, together with {1} in loops that they "
                  "share, so nothing else must read {1}",
                  nameOf(home.matrix), nameOf(result));
  unsigned first = firstFiller(graph, plan, home);
  for (unsigned matrix : stageOf(nest).operands()) {
    auto fillers = llvm::ArrayRef(graph.stages).slice(first, nest - first);
    bool isFilledToo = llvm::any_of(
        fillers, [&](const Stage &stage) { return stage.result == matrix; });
    if (isFilledToo)
      continue;
    if (llvm::Error error = checkDependence(home, nest, matrix))
      return error;
  }
  return llvm::Error::success();
}

/// `nest`, which fills `home`, reads `matrix` for an iteration that is still to
/// come.
llvm::Error PlanChecker::checkDependence(const Home &home, unsigned nest,
                                         unsigned matrix) const {
  unsigned level = home.level;
  const Home *from = plan.homeOf(matrix, nest);
  if (addsUpPrevious(graph, plan, machine, nest) &&
      matrix == stageOf(nest - 1).result)
    return llvm::Error::success();
  // plan_c7
  for (unsigned writer = 0; writer < nest; ++writer) {
    if (stageOf(writer).result != matrix ||
        plan.sharedLoops(writer, nest) < level)
      continue;
    unsigned ahead = plan.aheadOf(graph, writer, level);
    // Through HBM it comes behind all of this iteration.
    bool isOnChip = from == plan.homeOf(matrix, writer);
    if (level ? !isOnChip || ahead <= home.ahead : isOnChip && ahead)
      return refuse("{0} is filled ahead by {1}, but {2}, which that needs, is "
                    "not computed before",
                    nameOf(home.matrix), home.ahead, nameOf(matrix));
  }
  bool isOthers = from != &home && from && from->level == level &&
                  (from->ahead || (level && !servesFillers(home, from->nests)));
  if (isOthers && from->ahead <= home.ahead)
    return refuse("{0} is filled ahead by {1}, so the home of {2}, which that "
                  "reads, must be filled further ahead, serve that nest only "
                  "or lie further out",
                  nameOf(home.matrix), home.ahead, nameOf(matrix));
  return llvm::Error::success();
}
