//===- CheckPlan.cpp - Whether a plan can be followed ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanChecker.h"
#include "PlanFacts.h"

#include "trn/Planning/LiveBand.h"
#include "trn/Planning/StageNeeds.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

llvm::Error PlanChecker::check() const {
  if (llvm::Error error = plan.checkNumbers(graph))
    return error;
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
  for (const Home &home : plan.homes)
    if (llvm::Error error = checkHome(home))
      return error;
  for (unsigned nest = 0; nest + 1 < plan.nests.size(); ++nest)
    if (llvm::Error error = checkShared(nest))
      return error;
  // plan_c5
  for (const Home &home : plan.homes)
    for (unsigned nest : home.nests)
      if (plan.homeOf(home.matrix, nest) != &home)
        return refuse("{0} has two homes where {1} is computed",
                      nameOf(home.matrix), nameOfNest(nest));
  for (unsigned nest = 0; nest < plan.nests.size(); ++nest) {
    if (llvm::Error error = checkUses(nest))
      return error;
    if (llvm::Error error = checkBanks(nest))
      return error;
  }
  for (unsigned dim : plan.interleaved)
    if (llvm::Error error = checkInterleaved(dim))
      return error;
  if (llvm::Error error = checkJam())
    return error;
  if (llvm::Error error = checkMask())
    return error;
  for (const Home &home : plan.homes) {
    if (llvm::Error error = checkReaders(home))
      return error;
    if (home.packed)
      if (llvm::Error error = checkPacked(home))
        return error;
    if (home.whole)
      if (llvm::Error error = checkWhole(home))
        return error;
    if (home.ahead)
      if (llvm::Error error = checkAhead(home))
        return error;
  }
  return llvm::Error::success();
}

/// Which tiles a mask that is made on chip hides is known where its rows are.
llvm::Error PlanChecker::checkMask() const {
  // plan_c13
  auto mask = llvm::find_if(graph.matrices, isMadeMask);
  if (mask == graph.matrices.end())
    return llvm::Error::success();
  LiveBand band = *findLiveBand(graph);
  for (const Home &home : plan.homes) {
    const Stage &stage = stageOf(home.nests.front());
    bool readsMask =
        llvm::any_of(stage.expression.matrices(), [&](unsigned matrix) {
          return isMadeMask(graph.matrices[matrix]);
        });
    if (home.sums && !stage.reduction && readsMask)
      return refuse("{0} is added to sums of {1} tile by tile, so the home of "
                    "{1} must have no sums outside of that",
                    mask->name, nameOf(home.matrix));
    bool hidesColumns = graph.matrices[home.matrix].columns == band.rows &&
                        stage.sumsOver(band.columns);
    if (home.sums && !home.sumsInPsum() && hidesColumns)
      return refuse(
          "{0} hides columns of {1} of some blocks of {2}, so the sums "
          "of {1} must be in psum",
          mask->name, nameOf(home.matrix), nameOfDim(band.columns));
  }
  NestRange group{0, unsigned(plan.nests.size() - 1)};
  while (!band.isIn(graph, stageOf(group.first)))
    ++group.first;
  while (group.first && plan.sharedLoops(group.first - 1))
    --group.first;
  group.last = group.first;
  while (group.last + 1 < plan.nests.size() && plan.sharedLoops(group.last))
    ++group.last;
  if (PlanFacts(graph, plan, machine).mayFollow(band, group, /*depth=*/0))
    return llvm::Error::success();
  return refuse(
      "{0} is a mask that is made on chip, so all nests with {1} and "
      "{2} must share a loop over {1} outside of all others, and what "
      "they compute of {2} alone be read inside of it",
      mask->name, nameOfDim(band.rows), nameOfDim(band.columns));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

llvm::Error PlanChecker::checkLoops(unsigned nest) const {
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

llvm::Error PlanChecker::checkSummedLoops(unsigned nest) const {
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

llvm::Error PlanChecker::checkShared(unsigned nest) const {
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

//===----------------------------------------------------------------------===//
// Homes
//===----------------------------------------------------------------------===//

llvm::Error PlanChecker::checkHome(const Home &home) const {
  llvm::StringRef name = nameOf(home.matrix);
  // plan_c4
  for (unsigned nest : home.nests)
    if (!stageOf(nest).uses(home.matrix))
      return refuse("a home of {0} serves the nest of {1}, which does not use "
                    "it",
                    name, nameOfNest(nest));
  std::string slots =
      home.slots < 1 || home.slots > Home::maxSlots
          ? "1 to " + std::to_string(Home::maxSlots)
      : home.slots > 1 && home.nests.size() > 1 && !(home.ahead && home.level)
          ? "1, since it serves several nests"
      : home.slots > 1 && home.level == 0 && graph.batches().empty() &&
              !(home.packed && !isWritten(home))
          ? "1, since it lies outside of all loops"
          : "";
  if (!slots.empty())
    return refuse("the home of {0} has {1} slots, but must have {2}", name,
                  home.slots, slots);
  const Matrix &matrix = graph.matrices[home.matrix];
  // plan_c13
  if (matrix.role == Role::Constant &&
      (home.level || home.slots != 1 || home.ahead || home.packed))
    return refuse("{0} is a constant, so its home must be at kernel, with one "
                  "slot",
                  name);
  for (unsigned nest : home.nests)
    if (graph.isBeside(stageOf(nest), home.matrix))
      return refuse(
          "{0} lies behind what {1} is multiplied with in the nest of "
          "{2}, so it has no home there",
          name, nameOf(stageOf(nest).productOf(home.matrix)->left),
          nameOfNest(nest));
  for (unsigned dim : {matrix.rows, matrix.columns}) {
    auto parts = graph.dimsIn(home.nests, home.matrix, dim);
    if (parts.size() < 2)
      continue;
    for (const Loop &loop : loopsOf(home.nests.front()).take_front(home.level))
      if (llvm::is_contained(parts, loop.dim))
        return refuse("the home of {0} must lie outside of the loop over {1}, "
                      "since several parts of {2} are read there",
                      name, nameOfDim(loop.dim), nameOfDim(dim));
  }
  return home.sums ? checkSums(home) : llvm::Error::success();
}

llvm::Error PlanChecker::checkSums(const Home &home) const {
  llvm::StringRef name = nameOf(home.matrix);
  unsigned nest = home.nests.front(), level = home.sums->level;
  // plan_c6
  const Stage &stage = stageOf(nest);
  if (!isWritten(home) || !stage.accumulates())
    return refuse("a home of {0} has sums, but no product or reduction "
                  "computes {0} there",
                  name);
  if (stage.reduction && (home.sumsInPsum() ||
                          home.sums->type != graph.matrices[home.matrix].type))
    return refuse("the sums of {0}, which is reduced, must be in sbuf {1}",
                  name, stringify(graph.matrices[home.matrix].type));
  if (level < home.level)
    return refuse("the sums of {0} lie inside of {1} loops, but must lie "
                  "inside of the {2} around its home",
                  name, level, home.level);
  if (home.sums->store == Store::Sbuf)
    return llvm::Error::success();
  llvm::SmallVector<int64_t> sizes;
  for (const Dim &dim : graph.dims)
    sizes.push_back(dim.size);
  for (auto [depth, loop] : llvm::enumerate(loopsOf(nest))) {
    sizes[loop.dim] = loop.block;
    if (depth >= level && !stageOf(nest).sumsOver(loop.dim))
      return refuse("the sums of {0} in PSUM must lie inside of the loop over "
                    "{1}, which does not add to them",
                    name, nameOfDim(loop.dim));
  }
  const Matrix &matrix = graph.matrices[home.matrix];
  uint64_t banks = sumBanksOf(graph, stage, sizes[matrix.rows],
                              sizes[matrix.columns], machine);
  if (banks > uint64_t(machine.psumBanks))
    return refuse("the sums of {0} take {1} banks of PSUM, but there are {2}; "
                  "use smaller blocks of {3} or {4}",
                  name, banks, machine.psumBanks, nameOfDim(matrix.rows),
                  nameOfDim(matrix.columns));
  return llvm::Error::success();
}

llvm::Error PlanChecker::checkBanks(unsigned nest) const {
  const Stage &stage = stageOf(nest);
  int64_t banks = plan.nests[nest].banks;
  if (banks == 1)
    return llvm::Error::success();
  // plan_c15
  int64_t most = mostBanksOf(graph, stage, machine);
  if (banks < 1 || banks > most)
    return refuse("a tile of {0} has {1} banks of PSUM, but must have 1 to {2}",
                  nameOfNest(nest), banks, most);
  if (stage.isTransposition() && !plan.homeOf(*stage.source, nest))
    return refuse("a tile of {0} has {1} banks of PSUM, but the DMA transposes "
                  "it, which needs none",
                  nameOfNest(nest), banks);
  const Home *home = plan.homeOf(stage.result, nest);
  if (home->sums && !stage.reduction)
    return refuse("a tile of {0} has {1} banks of PSUM, so its sums must be in "
                  "the tile, without a place of their own",
                  nameOfNest(nest), banks);
  if (plan.stacked)
    return refuse("{0} is stacked, so a tile of {1} must have 1 bank of PSUM, "
                  "but has {2}",
                  nameOfDim(*plan.stacked), nameOfNest(nest), banks);
  return llvm::Error::success();
}

llvm::Error PlanChecker::checkUses(unsigned nest) const {
  const Stage &stage = stageOf(nest);
  // plan_c5
  for (unsigned operand : stage.operands()) {
    const Matrix &matrix = graph.matrices[operand];
    bool isTurned = stage.source == operand;
    bool byDma = isTurned && machine.dmaTranspose &&
                 byteSize(matrix.type) == 2 && matrix.role == Role::Input;
    // By plan_c11 a packed transpose reads it.
    bool byPartition = isTurned && plan.isInterleaved(matrix.columns);
    bool isBeside = graph.isBeside(stage, operand);
    if (!plan.homeOf(operand, nest) && !byDma && !byPartition && !isBeside)
      return refuse("{0} has no home where {1} is computed", matrix.name,
                    nameOfNest(nest));
  }
  const Home *home = plan.homeOf(stage.result, nest);
  if (!home)
    return refuse("{0} has no home where it is computed", nameOfNest(nest));
  // plan_c10
  for (unsigned operand : stage.expression.matrices()) {
    const Home &other = *plan.homeOf(operand, nest);
    if (home->sums && !stage.reduction && other.level > home->sums->level)
      return refuse(
          "{0} is read when the sums of {1} are complete, so its home "
          "must lie where they do or outside of that",
          nameOf(operand), nameOfNest(nest));
    if (graph.isRepeated(stage, operand) && other.nests.size() > 1)
      return refuse("{0} comes from HBM to all rows of {1}, so it needs a home "
                    "for that nest alone",
                    nameOf(operand), nameOfNest(nest));
  }
  return checkPartialSums(nest);
}

/// Partial sums have to be somewhere while loops outside of the tile go on.
llvm::Error PlanChecker::checkPartialSums(unsigned nest) const {
  const Home &home = *plan.homeOf(stageOf(nest).result, nest);
  // plan_c6
  for (auto [depth, loop] : llvm::enumerate(loopsOf(nest))) {
    if (!stageOf(nest).sumsOver(loop.dim))
      continue;
    bool areKept = home.sums && home.sums->level <= depth;
    bool areInHbm =
        !home.sums && home.level > depth && home.nests.size() == 1 &&
        stageOf(nest).expression.isPlain() && !stageOf(nest).reduction;
    if (!areKept && !areInHbm)
      return refuse("the home of {0} needs sums outside of the loop over {1}",
                    nameOfNest(nest), nameOfDim(loop.dim));
  }
  return llvm::Error::success();
}

/// What `home` is filled with by its first nest is complete wherever it is
/// read, there or from HBM.
llvm::Error PlanChecker::checkReaders(const Home &home) const {
  if (!isWritten(home))
    return llvm::Error::success();
  llvm::StringRef name = nameOf(home.matrix);
  const Matrix &matrix = graph.matrices[home.matrix];
  unsigned writer = home.nests.front(), last = home.nests.back();
  for (unsigned nest = writer + 1; nest < plan.nests.size(); ++nest) {
    if (!stageOf(nest).uses(home.matrix))
      continue;
    unsigned shared = plan.sharedLoops(writer, nest);
    // plan_c9
    if (home.sums && home.sums->level < shared)
      return refuse("the nest of {0} reads {1} inside of {2} loops, in which "
                    "its sums are not complete",
                    nameOfNest(nest), name, shared);
    for (const Loop &loop : loopsOf(nest).take_front(shared)) {
      bool isCut = false;
      for (unsigned dim : {matrix.rows, matrix.columns}) {
        auto own = graph.dimsIn(nest, home.matrix, dim);
        isCut |= own != llvm::ArrayRef(dim) &&
                 (loop.dim == dim || llvm::is_contained(own, loop.dim));
      }
      if (isCut || stageOf(writer).sumsOver(loop.dim))
        return refuse("the nest of {0} reads {1} inside of the loop over {2}, "
                      "in which it is not complete",
                      nameOfNest(nest), name, nameOfDim(loop.dim));
    }
    const Home &other = *plan.homeOf(home.matrix, nest);
    if (&other == &home)
      continue;
    if (other.nests.front() < last)
      return refuse("{0} comes back from HBM where {1} is computed, but is "
                    "stored after that; give it one home for all nests",
                    name, nameOfNest(other.nests.front()));
    unsigned between = plan.sharedLoops(last, other.nests.front());
    if (std::min(home.level, other.level) < between)
      return refuse("{0} goes through HBM, so both of its homes must lie "
                    "inside of the {1} loops that the nests of {2} and {3} "
                    "share",
                    name, between, nameOfNest(last),
                    nameOfNest(other.nests.front()));
  }
  return llvm::Error::success();
}

llvm::Error Plan::check(const Graph &graph, const Machine &machine) const {
  return PlanChecker(graph, *this, machine).check();
}
