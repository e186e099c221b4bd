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
#include "trn/Support/Refuse.h"
#include "llvm/ADT/STLExtras.h"
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
    return refuse("block-{0} is {1}, but cannot be negative; 0 lets the "
                  "compiler choose",
                  dim.name, size);
  if (size % tile == 0 || size >= dim.size)
    return llvm::Error::success();
  return refuse("block-{0} is {1}, but must be a multiple of {2} or cover the "
                "whole dimension of {3}; the next one is {4}",
                dim.name, size, tile, dim.size,
                std::min<int64_t>(llvm::alignTo(size, tile), dim.size));
}

llvm::Error PlanSpace::checkDemands() const {
  if (llvm::Error error = source.checkSizes())
    return error;
  if (!isStrip(source, strip))
    return refuse("there is no dim that all of its products "
                  "have, so that they could share strips");
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
      return refuse("block-{0} is given twice; give it once", name);
    seen.push_back(name);
    if (llvm::is_contained(source.batches(), dim - source.dims.begin()))
      return refuse(
          "block-{0}: {0} is a batch dim, which has no blocks; the loops run "
          "for each of its indices",
          name);
    if (llvm::Error error = checkBlock(*dim, size, machine.partitions))
      return error;
  }
  for (const auto &[name, loop] : constraints.keep)
    if (loop != "kernel" && findDim(loop) == source.dims.end())
      return refuse(
          "keep={0}={1} names no loop of the kernel; it must be one of "
          "kernel, {2}",
          name, loop,
          llvm::join(llvm::map_range(source.dims,
                                     [](const Dim &dim) { return dim.name; }),
                     ", "));
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
  for (const std::vector<Candidate> &some :
       {starts(strips().front()), tightStarts()})
    for (const Candidate &candidate : some)
      if (std::optional<FittingSchedule> schedule = build(candidate))
        return *schedule;
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
    std::string text =
        llvm::toString(schedule->plan.check(schedule->graph, machine));
    if (text.empty()) {
      PlanCost cost = computeCost(*schedule, machine);
      int64_t banks = cost.psum.peak().size;
      placement::Peak peak = cost.sbuf.peak();
      if (banks > cost.psum.capacity) {
        text = formatv("{0} banks of PSUM are needed, but there are {1}", banks,
                       cost.psum.capacity);
      } else if (peak.size < least) {
        least = peak.size;
        refusal = {true, describePeak(schedule->graph, cost, peak)};
      }
    }
    if (!text.empty() && !refusal.overflows)
      refusal.text = text;
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

/// Where the matrix can lie, if `loop` is nowhere around all of its homes.
std::string PlanSpace::describeLevels(llvm::StringRef matrix,
                                      llvm::StringRef loop) const {
  llvm::SmallVector<std::string> names;
  for (const Candidate &candidate : tightStarts()) {
    std::optional<Schedule> schedule = assemble(candidate);
    if (!schedule)
      continue;
    const auto &[graph, plan] = *schedule;
    llvm::SmallVector<const Nest *> nests;
    for (const Home *home : homesOf(matrix, *schedule))
      nests.push_back(&plan.nests[home->nests.front()]);
    if (nests.empty())
      continue;
    for (unsigned level = 0; level <= nests.front()->loops.size(); ++level) {
      std::string name = nameOfLevel(graph, *nests.front(), level);
      auto hasIt = [&, &graph = graph](const Nest *nest) {
        return findLevel(graph, *nest, name).has_value();
      };
      if (!llvm::is_contained(names, name) && llvm::all_of(nests, hasIt))
        names.push_back(name);
    }
  }
  if (names.empty() || llvm::is_contained(names, loop))
    return "";
  return formatv("no loop over {0} is around what fills it; there are {1}",
                 loop, llvm::join(names, ", "));
}

/// What is in the way if there is a plan without it.
std::string PlanSpace::blameDemand(const Refusal &refusal) const {
  const char *how = refusal.overflows ? "is too large for SBUF" : "has no plan";
  auto without = [&](auto member, llvm::StringRef name) {
    Constraints others = constraints;
    llvm::erase_if(others.*member,
                   [&](const auto &entry) { return entry.first == name; });
    return others;
  };
  for (const auto &[name, size] : constraints.blocks) {
    Constraints others = without(&Constraints::blocks, name);
    if (auto schedule = PlanSpace(source, others, machine).findAny())
      return formatv("block-{0} of {1} {2}: {3}; {4} would do", name, size, how,
                     refusal.text, blockIn(*schedule, name));
  }
  for (const auto &[name, loop] : constraints.keep) {
    Constraints others = without(&Constraints::keep, name);
    PlanSpace space(source, others, machine);
    if (!space.findAny())
      continue;
    Constraints naive = constraints;
    naive.recompute = source.stages.size() > 1;
    const char *advice = PlanSpace(source, naive, machine).findAny()
                             ? "strategy=recompute has one"
                             : "leave it out, and there is a plan";
    std::string levels =
        refusal.overflows ? "" : space.describeLevels(name, loop);
    return formatv("keep={0}={1} {2}: {3}; {4}", name, loop, how,
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
  for (std::string blame : {blameDemand(refusal), blameKind(refusal)})
    if (!blame.empty())
      return blame;
  if (constraints.blocks.empty() && constraints.keep.empty())
    return "no plan fits SBUF: " + refusal.text;
  return (refusal.overflows ? "no plan that is as asked for fits SBUF: "
                            : "no plan is as asked for: ") +
         refusal.text;
}
