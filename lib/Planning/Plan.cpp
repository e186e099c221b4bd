//===- Plan.cpp - In which loop each matrix of a graph lives --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/Plan.h"

#include "trn/Machine/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using llvm::formatv;

const Home *Plan::homeOf(unsigned matrix, unsigned nest) const {
  for (const Home &home : homes)
    if (home.matrix == matrix && llvm::is_contained(home.nests, nest))
      return &home;
  return nullptr;
}

unsigned Plan::sharedLoops(unsigned nest) const {
  unsigned shared = 0;
  for (const Home &home : homes)
    if (home.nests.front() <= nest && nest < home.nests.back())
      shared = std::max(shared, home.level);
  return shared;
}

namespace {
class PlanChecker {
public:
  PlanChecker(const Graph &graph, const Plan &plan, const Machine &machine)
      : graph(graph), plan(plan), machine(machine) {}

  llvm::Error check() const {
    if (llvm::Error error = checkNests())
      return error;
    for (const Home &home : plan.homes)
      if (llvm::Error error = checkHome(home))
        return error;
    for (unsigned nest = 0; nest + 1 < plan.nests.size(); ++nest)
      if (llvm::Error error = checkShared(nest))
        return error;
    for (unsigned nest = 0; nest < plan.nests.size(); ++nest)
      if (llvm::Error error = checkUses(nest))
        return error;
    for (const Home &home : plan.homes)
      if (llvm::Error error = checkEarly(home))
        return error;
    return llvm::Error::success();
  }

private:
  template <typename... Args>
  llvm::Error refuse(const char *format, Args &&...args) const {
    return llvm::createStringError(
        formatv(format, std::forward<Args>(args)...).str());
  }
  const Stage &stageOf(unsigned nest) const {
    return graph.stages[plan.nests[nest].stage];
  }
  llvm::StringRef nameOf(unsigned matrix) const {
    return graph.matrices[matrix].name;
  }
  bool isUsed(unsigned matrix, unsigned nest) const {
    const Stage &stage = stageOf(nest);
    return stage.result == matrix ||
           llvm::is_contained(stage.operands(), matrix);
  }
  bool sumsOver(unsigned nest, unsigned dim) const {
    return llvm::any_of(stageOf(nest).terms,
                        [&](const Term &term) { return term.over == dim; });
  }

  llvm::Error checkNests() const;
  llvm::Error checkHome(const Home &home) const;
  llvm::Error checkSums(const Home &home) const;
  llvm::Error checkPacked(const Home &home) const;
  llvm::Error checkShared(unsigned nest) const;
  llvm::Error checkUses(unsigned nest) const;
  llvm::Error checkEarly(const Home &home) const;

  const Graph &graph;
  const Plan &plan;
  const Machine &machine;
};
} // namespace

llvm::Error PlanChecker::checkNests() const {
  if (plan.nests.size() != graph.stages.size())
    return refuse("there are {0} nests for {1} stages", plan.nests.size(),
                  graph.stages.size());
  for (auto [i, nest] : llvm::enumerate(plan.nests)) {
    if (nest.stage != i)
      return refuse("nest {0} is of stage {1}; they stand in the same order", i,
                    nest.stage);
    llvm::SmallVector<int64_t> sizes;
    for (const Dim &dim : graph.dims)
      sizes.push_back(dim.size);
    for (const Loop &loop : nest.loops) {
      if (loop.dim >= sizes.size() ||
          !llvm::is_contained(graph.dimsOf(stageOf(i)), loop.dim))
        return refuse("the nest of {0} has a loop over a dim that it lacks",
                      nameOf(stageOf(i).result));
      const Dim &dim = graph.dims[loop.dim];
      // A loop of one block is written, too: a home may stand inside of it.
      int64_t size = std::exchange(sizes[loop.dim], loop.block);
      if (loop.block < 1 || loop.block > size ||
          (loop.block < size && loop.block % machine.partitions))
        return refuse("block {0} of {1} must be a multiple of the tile's {2} "
                      "rows, or all of the {3} that it cuts",
                      loop.block, dim.name, machine.partitions, size);
    }
  }
  return llvm::Error::success();
}

llvm::Error PlanChecker::checkHome(const Home &home) const {
  if (home.matrix >= graph.matrices.size())
    return refuse("a home is for a matrix that is not there");
  llvm::StringRef name = nameOf(home.matrix);
  if (home.nests.empty() || !llvm::is_sorted(home.nests))
    return refuse("the home of {0} serves no nest", name);
  if (home.slots < 1 || home.slots > 64)
    return refuse("the home of {0} has {1} slots, but must have 1 to 64", name,
                  home.slots);
  for (unsigned nest : home.nests) {
    if (nest >= plan.nests.size() || !isUsed(home.matrix, nest))
      return refuse("a home of {0} is for a nest that does not use it", name);
    if (home.level > plan.nests[nest].loops.size())
      return refuse("the home of {0} lies inside of {1} loops, but the nest of "
                    "{2} has {3}",
                    name, home.level, nameOf(stageOf(nest).result),
                    plan.nests[nest].loops.size());
  }
  bool isSpread =
      !plan.nests.empty() && home.nests.front() != home.nests.back();
  if (isSpread && home.slots > 1 && !home.early)
    return refuse("the home of {0} has several slots, but serves several nests",
                  name);
  if (llvm::Error error = checkSums(home))
    return error;
  return home.packed ? checkPacked(home) : llvm::Error::success();
}

llvm::Error PlanChecker::checkSums(const Home &home) const {
  if (!home.sums)
    return llvm::Error::success();
  llvm::StringRef name = nameOf(home.matrix);
  unsigned nest = home.nests.front();
  const Stage &stage = stageOf(nest);
  if (stage.result != home.matrix || stage.isTransposition())
    return refuse("{0} has sums where no product computes it", name);
  llvm::ArrayRef<Loop> loops = plan.nests[nest].loops;
  if (home.sums->level < home.level || home.sums->level > loops.size())
    return refuse("the sums of {0} must lie inside of its own level, {1}, and "
                  "of the {2} loops that there are",
                  name, home.level, loops.size());
  if (home.sums->store == Store::Sbuf) {
    if (home.sums->level != home.level)
      return refuse("sums of {0} in SBUF must lie at its own level", name);
    return llvm::Error::success();
  }
  llvm::SmallVector<int64_t> sizes;
  for (const Dim &dim : graph.dims)
    sizes.push_back(dim.size);
  for (auto [i, loop] : llvm::enumerate(loops)) {
    sizes[loop.dim] = loop.block;
    if (i >= home.sums->level && !sumsOver(nest, loop.dim))
      return refuse("inside of its sums in PSUM, the nest of {0} may only have "
                    "loops over what it sums over",
                    name);
    if (i < home.sums->level && sumsOver(nest, loop.dim))
      return refuse("the sums of {0} in PSUM must lie outside of the loop over "
                    "{1}",
                    name, graph.dims[loop.dim].name);
  }
  const Matrix &matrix = graph.matrices[home.matrix];
  double banks =
      double(llvm::divideCeilSigned(sizes[matrix.rows], machine.partitions)) *
      double(
          llvm::divideCeilSigned(sizes[matrix.columns], machine.movingFreeMax));
  if (banks > double(machine.psumBanks))
    return refuse("the sums of {0} take {1} banks, but there are {2}", name,
                  banks, machine.psumBanks);
  return llvm::Error::success();
}

llvm::Error PlanChecker::checkPacked(const Home &home) const {
  const Matrix &matrix = graph.matrices[home.matrix];
  bool isTurned = matrix.role == Role::Intermediate &&
                  stageOf(home.nests.front()).isTransposition() &&
                  stageOf(home.nests.front()).result == home.matrix;
  const Matrix &whole =
      isTurned ? graph.matrices[stageOf(home.nests.front()).source] : matrix;
  bool isRaw = matrix.role == Role::Input && home.nests.size() == 1 &&
               stageOf(home.nests.front()).isTransposition();
  if (!isTurned && !isRaw)
    return refuse("{0} cannot be packed: it is not what is transposed first",
                  nameOf(home.matrix));
  if (!plan.nests[home.nests.front()].loops.empty() || home.level != 0 ||
      graph.columnsOf(whole) % machine.partitions)
    return refuse("{0} can only be packed as a whole, and in whole tiles",
                  nameOf(home.matrix));
  return llvm::Error::success();
}

llvm::Error PlanChecker::checkShared(unsigned nest) const {
  unsigned shared = plan.sharedLoops(nest);
  llvm::ArrayRef<Loop> here = plan.nests[nest].loops;
  llvm::ArrayRef<Loop> next = plan.nests[nest + 1].loops;
  if (here.size() < shared || next.size() < shared ||
      here.take_front(shared) != next.take_front(shared))
    return refuse("the nests of {0} and {1} share {2} loops, but these differ",
                  nameOf(stageOf(nest).result),
                  nameOf(stageOf(nest + 1).result), shared);
  return llvm::Error::success();
}

llvm::Error PlanChecker::checkUses(unsigned nest) const {
  const Stage &stage = stageOf(nest);
  for (const Home &one : plan.homes)
    for (const Home &other : plan.homes)
      if (&one != &other && one.matrix == other.matrix &&
          llvm::is_contained(one.nests, nest) &&
          llvm::is_contained(other.nests, nest))
        return refuse("{0} has two homes in one nest", nameOf(one.matrix));
  for (unsigned operand : stage.operands()) {
    bool byDma = stage.isTransposition() && machine.dmaTranspose &&
                 byteSize(graph.matrices[operand].type) == 2 &&
                 graph.matrices[operand].role == Role::Input;
    if (!plan.homeOf(operand, nest) && !byDma)
      return refuse("{0} has no home where {1} is computed", nameOf(operand),
                    nameOf(stage.result));
  }
  const Home *home = plan.homeOf(stage.result, nest);
  if (!home)
    return refuse("{0} has no home where it is computed", nameOf(stage.result));
  // Partial sums have to be somewhere while the loop goes on.
  for (auto [depth, loop] : llvm::enumerate(plan.nests[nest].loops)) {
    if (!sumsOver(nest, loop.dim))
      continue;
    bool isKept = home->sums && home->sums->level <= depth;
    bool inHbm =
        home->level > depth && !home->sums && home->nests.back() == nest;
    if (!isKept && !inHbm)
      return refuse("{0} has no sums outside of the loop over {1}",
                    nameOf(stage.result), graph.dims[loop.dim].name);
  }
  return llvm::Error::success();
}

llvm::Error PlanChecker::checkEarly(const Home &home) const {
  if (!home.early)
    return llvm::Error::success();
  llvm::StringRef name = nameOf(home.matrix);
  if (home.level == 0 || home.slots > 2 || home.packed)
    return refuse("{0} comes early, so it must lie inside of a loop, in one or "
                  "two slots",
                  name);
  const Matrix &matrix = graph.matrices[home.matrix];
  unsigned nest = home.nests.front();
  const Loop &loop = plan.nests[nest].loops[home.level - 1];
  if (loop.dim != matrix.columns)
    return refuse("{0} comes early, so it must be cut by the loop around it",
                  name);
  bool isTurned = stageOf(nest).result == home.matrix;
  if (isTurned && (!stageOf(nest).isTransposition() ||
                   (home.nests.size() > 1 && home.nests[1] != nest + 1)))
    return refuse("{0} comes early, but is not transposed right before it is "
                  "read",
                  name);
  if (!isTurned && matrix.role != Role::Input)
    return refuse("{0} comes early, but is neither loaded nor transposed",
                  name);
  if (isTurned) {
    llvm::ArrayRef<Loop> inner = plan.nests[nest].loops;
    inner = inner.drop_front(home.level);
    if (inner.size() > 1 || (inner.size() == 1 && inner[0].dim != matrix.rows))
      return refuse(
          "{0} comes early, so its nest may only have a loop over {1} "
          "inside",
          name, graph.dims[matrix.rows].name);
  }
  for (const Home &other : plan.homes)
    if (&other != &home && other.early)
      return refuse("{0} and {1} both come early", name, nameOf(other.matrix));
  return llvm::Error::success();
}

llvm::Error Plan::check(const Graph &graph, const Machine &machine) const {
  return PlanChecker(graph, *this, machine).check();
}
