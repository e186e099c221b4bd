//===- PlanObstacles.cpp - Why a graph has no plan ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/PlanCost.h"
#include "trn/Planning/PlanSpace.h"
#include "trn/Planning/PrintSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

static llvm::Error checkBlock(const Dim &dim, int64_t size, int64_t tile) {
  if (size < 0)
    return llvm::createStringError(
        formatv("block-{0} is {1}, but cannot be negative; 0 lets the "
                "compiler choose",
                dim.name, size));
  if (size % tile == 0 || size >= dim.size)
    return llvm::Error::success();
  return llvm::createStringError(
      formatv("block-{0} is {1}, but must be a multiple of {2} or cover the "
              "whole dimension of {3}; the next one is {4}",
              dim.name, size, tile, dim.size,
              std::min<int64_t>(llvm::alignTo(size, tile), dim.size)));
}

llvm::Error PlanSpace::checkSizes() const {
  for (const Dim &dim : source.dims)
    if (dim.size < 1)
      return llvm::createStringError(formatv(
          "dimension {0} is {1}, but must be at least 1", dim.name, dim.size));
  for (const Matrix &matrix : source.matrices)
    if (source.bytesOf(matrix) > 0x1p60)
      return llvm::createStringError(formatv(
          "matrix {0} has {1} x {2} elements, more than any memory",
          matrix.name, source.rowsOf(matrix), source.columnsOf(matrix)));
  return llvm::Error::success();
}

static std::string listDims(const Graph &graph) {
  return llvm::join(
      llvm::map_range(graph.dims, [](const Dim &dim) { return dim.name; }),
      ", ");
}

llvm::Error PlanSpace::checkDemands() const {
  if (llvm::Error error = checkSizes())
    return error;
  auto findDim = [&](llvm::StringRef name) {
    return llvm::find_if(source.dims,
                         [&](const Dim &dim) { return dim.name == name; });
  };
  llvm::SmallVector<llvm::StringRef> seen;
  for (const auto &[name, size] : constraints.blocks) {
    auto dim = findDim(name);
    if (dim == source.dims.end())
      continue;
    if (llvm::is_contained(seen, name))
      return llvm::createStringError(
          formatv("block-{0} is given twice; give it once", name));
    seen.push_back(name);
    if (llvm::Error error = checkBlock(*dim, size, machine.partitions))
      return error;
  }
  for (const auto &[name, loop] : constraints.keep)
    if (loop != "kernel" && findDim(loop) == source.dims.end())
      return llvm::createStringError(
          formatv("keep={0}={1} names no loop of the kernel; it must be one of "
                  "kernel, {2}",
                  name, loop, listDims(source)));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// What is in the way
//===----------------------------------------------------------------------===//

std::optional<Schedule> PlanSpace::findAny() const {
  if (llvm::Error error = checkDemands()) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  for (const std::vector<Candidate> &some : {starts(), tightStarts()})
    for (const Candidate &candidate : some)
      if (std::optional<Schedule> schedule = build(candidate))
        return schedule;
  return std::nullopt;
}

/// What the plan that needs least asks for, at the point where it is most.
PlanSpace::Refusal PlanSpace::describeRefusal() const {
  Refusal refusal{false, "no plan that is considered is of this kind"};
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const Candidate &candidate : tightStarts()) {
    std::optional<Schedule> schedule = assemble(candidate);
    if (!schedule)
      continue;
    if (llvm::Error error = schedule->plan.check(schedule->graph, machine)) {
      if (!refusal.overflows)
        refusal.text = llvm::toString(std::move(error));
      else
        llvm::consumeError(std::move(error));
      continue;
    }
    PlanCost cost = computeCost(*schedule, machine);
    if (cost.psum.peak().size > cost.psum.capacity) {
      if (!refusal.overflows)
        refusal.text =
            formatv("{0} banks of PSUM are needed, but there are {1}",
                    cost.psum.peak().size, cost.psum.capacity);
      continue;
    }
    placement::Peak peak = cost.sbuf.peak();
    if (peak.size >= least)
      continue;
    least = peak.size;
    refusal = {true, describePeak(cost, peak)};
  }
  return refusal;
}

/// The blocks of `dim` in the first nest that cuts it.
static int64_t blockIn(const Schedule &schedule, llvm::StringRef dim) {
  const Graph &graph = schedule.graph;
  for (const Nest &nest : schedule.plan.nests)
    for (const Loop &loop : nest.loops)
      if (graph.dims[loop.dim].name == dim)
        return loop.block;
  return llvm::find_if(graph.dims,
                       [&](const Dim &other) { return other.name == dim; })
      ->size;
}

/// What is in the way if there is a plan without it.
std::string PlanSpace::blameBlock(const Refusal &refusal) const {
  for (const auto &[name, size] : constraints.blocks) {
    Constraints others = constraints;
    llvm::erase_if(others.blocks,
                   [&, name = llvm::StringRef(name)](const auto &block) {
                     return block.first == name;
                   });
    if (auto without = PlanSpace(source, others, machine).findAny())
      return formatv("block-{0} of {1} {2}: {3}; {4} would do", name, size,
                     refusal.overflows ? "is too large for SBUF"
                                       : "has no plan",
                     refusal.text, blockIn(*without, name));
  }
  return "";
}

/// Where the matrix can lie, if `loop` is nowhere around all of its homes.
std::string PlanSpace::describeLevels(llvm::StringRef matrix,
                                      llvm::StringRef loop) const {
  llvm::SmallVector<std::string> names;
  for (const Candidate &candidate : tightStarts()) {
    std::optional<Schedule> schedule = assemble(candidate);
    if (!schedule)
      continue;
    auto namesAround = [&](const Home *home) {
      const Nest &nest = schedule->plan.nests[home->nests.front()];
      return llvm::map_to_vector(
          llvm::seq<unsigned>(0, nest.loops.size() + 1), [&](unsigned level) {
            return nameOfLevel(schedule->graph, nest, level);
          });
    };
    llvm::SmallVector<Home *> homes = homesOf(matrix, *schedule);
    if (homes.empty())
      continue;
    for (const std::string &name : namesAround(homes.front()))
      if (!llvm::is_contained(names, name) &&
          llvm::all_of(homes, [&](const Home *home) {
            return llvm::is_contained(namesAround(home), name);
          }))
        names.push_back(name);
  }
  if (names.empty() || llvm::is_contained(names, loop))
    return "";
  return formatv("no loop over {0} is around what fills it; there are {1}",
                 loop, llvm::join(names, ", "));
}

std::string PlanSpace::blameKeep(const Refusal &refusal) const {
  for (const auto &[name, loop] : constraints.keep) {
    Constraints others = constraints;
    llvm::erase_if(others.keep,
                   [&, name = llvm::StringRef(name)](const auto &entry) {
                     return entry.first == name;
                   });
    PlanSpace without(source, others, machine);
    if (!without.findAny())
      continue;
    Constraints naive = constraints;
    naive.recompute = source.stages.size() > 1;
    const char *advice = PlanSpace(source, naive, machine).findAny()
                             ? "strategy=recompute has one"
                             : "leave it out, and there is a plan";
    std::string levels =
        refusal.overflows ? "" : without.describeLevels(name, loop);
    return formatv("keep={0}={1} {2}: {3}; {4}", name, loop,
                   refusal.overflows ? "is too large for SBUF" : "has no plan",
                   levels.empty() ? refusal.text : levels, advice);
  }
  return "";
}

std::string PlanSpace::blameKind(const Refusal &refusal) const {
  auto helps = [&](auto change) {
    Constraints others = constraints;
    change(others);
    return !(others == constraints) &&
           PlanSpace(source, others, machine).findAny();
  };
  const char *what =
      helps([](Constraints &other) { other.transpose = std::nullopt; })
          ? "another transposition needs"
      : helps([](Constraints &other) { other.recompute = false; })
          ? "other strategies than recompute need"
      : helps([](Constraints &other) { other.keepIntermediates = false; })
          ? "other strategies than strip-cache need"
          : nullptr;
  return what ? formatv("no plan of this kind fits SBUF: {0}; {1} less",
                        refusal.text, what)
                    .str()
              : "";
}

std::string PlanSpace::findObstacle() const {
  if (llvm::Error error = checkDemands())
    return llvm::toString(std::move(error));
  if (findAny())
    return "";
  Refusal refusal = describeRefusal();
  for (std::string blame :
       {blameBlock(refusal), blameKeep(refusal), blameKind(refusal)})
    if (!blame.empty())
      return blame;
  if (constraints.blocks.empty() && constraints.keep.empty())
    return "no plan fits SBUF: " + refusal.text;
  return (refusal.overflows ? "no plan that is as asked for fits SBUF: "
                            : "no plan is as asked for: ") +
         refusal.text;
}
