//===- CheckAhead.cpp - Rules of homes that are filled ahead --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedPlan.h"

#include "trn/Planning/Fillers.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {

/// Of homes that are filled ahead.
class AheadRules : CheckedPlan {
public:
  explicit AheadRules(const CheckedPlan &checked) : CheckedPlan(checked) {}

  llvm::Error check() const;

private:
  llvm::Error checkFilled(const Home &home) const;
  bool servesFillers(const Home &home, llvm::ArrayRef<unsigned> users) const;
  llvm::Error checkFiller(const Home &home, unsigned nest) const;
  llvm::Error checkDependence(const Home &home, unsigned nest,
                              unsigned matrix) const;
};

} // namespace

llvm::Error AheadRules::check() const {
  for (const Home &home : plan.homes)
    if (home.ahead)
      if (llvm::Error error = checkFilled(home))
        return error;
  return llvm::Error::success();
}

llvm::Error AheadRules::checkFilled(const Home &home) const {
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
bool AheadRules::servesFillers(const Home &home,
                               llvm::ArrayRef<unsigned> users) const {
  return firstFiller(graph, plan, home) <= users.front() &&
         users.back() <= home.nests.front();
}

/// `nest` computes `home`, or a part of what that needs.
llvm::Error AheadRules::checkFiller(const Home &home, unsigned nest) const {
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
llvm::Error AheadRules::checkDependence(const Home &home, unsigned nest,
                                        unsigned matrix) const {
  unsigned level = home.level;
  const Home *from = plan.homeOf(matrix, nest);
  if (planning::addsUpPrevious(graph, plan, machine, nest) &&
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

llvm::Error planning::checkAhead(const CheckedPlan &checked) {
  return AheadRules(checked).check();
}
