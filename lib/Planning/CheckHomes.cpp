//===- CheckHomes.cpp - Rules of homes ------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedPlan.h"

#include "trn/Planning/Interleave.h"
#include "trn/Planning/StageNeeds.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {

/// Of homes and sums, without those that are filled ahead.
class HomeRules : CheckedPlan {
public:
  explicit HomeRules(const CheckedPlan &checked) : CheckedPlan(checked) {}

  llvm::Error check() const;

private:
  llvm::Error checkHome(const Home &home) const;
  llvm::Error checkSums(const Home &home) const;
  llvm::Error checkUses(unsigned nest) const;
  llvm::Error checkPartialSums(unsigned nest) const;
  llvm::Error checkBanks(unsigned nest) const;
  llvm::Error checkInterleaved(unsigned dim) const;
  llvm::Error checkReaders(const Home &home) const;
  llvm::Error checkPacked(const Home &home) const;
  llvm::Error checkWhole(const Home &home) const;
};

} // namespace

llvm::Error HomeRules::check() const {
  for (const Home &home : plan.homes)
    if (llvm::Error error = checkHome(home))
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
  for (const Home &home : plan.homes) {
    if (llvm::Error error = checkReaders(home))
      return error;
    if (home.packed)
      if (llvm::Error error = checkPacked(home))
        return error;
    if (home.whole)
      if (llvm::Error error = checkWhole(home))
        return error;
  }
  return llvm::Error::success();
}

llvm::Error HomeRules::checkHome(const Home &home) const {
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

llvm::Error HomeRules::checkSums(const Home &home) const {
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

llvm::Error HomeRules::checkUses(unsigned nest) const {
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
llvm::Error HomeRules::checkPartialSums(unsigned nest) const {
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

llvm::Error HomeRules::checkBanks(unsigned nest) const {
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

llvm::Error HomeRules::checkInterleaved(unsigned dim) const {
  // plan_c11
  if (graph.sizeOf(dim) < machine.partitions)
    return refuse("{0} is interleaved, so it must fill the {1} partitions, but "
                  "is {2}",
                  nameOfDim(dim), machine.partitions, graph.sizeOf(dim));
  return planning::checkInterleaved(graph, plan, dim);
}

/// What `home` is filled with by its first nest is complete wherever it is
/// read, there or from HBM.
llvm::Error HomeRules::checkReaders(const Home &home) const {
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

llvm::Error HomeRules::checkPacked(const Home &home) const {
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

llvm::Error HomeRules::checkWhole(const Home &home) const {
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

llvm::Error planning::checkHomes(const CheckedPlan &checked) {
  return HomeRules(checked).check();
}
