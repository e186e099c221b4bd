//===- FitLaunch.cpp - Plans of kernels beside others ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FitLaunch.h"

#include "trn/Planning/TileLimits.h"
#include "trn/Search/TimeSchedule.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::planning;

/// Whether `home` has slots that its loads take in turn, in a loop.
static bool isRing(const Graph &graph, const Home &home) {
  return graph.matrices[home.matrix].role == Role::Input && home.level > 0 &&
         home.slots > 1 && !home.ahead && !home.packed && !home.whole;
}

/// How many blocks the loops around `home` fill it with.
static int64_t countFillings(const Schedule &schedule, const Home &home) {
  auto loops = llvm::ArrayRef(schedule.plan.nests[home.nests.front()].loops);
  llvm::SmallVector<int64_t> outer; // by dim: the size of a block
  for (const Dim &dim : schedule.graph.dims)
    outer.push_back(dim.size);
  int64_t fillings = 1;
  for (const planning::Loop &loop : loops.take_front(home.level)) {
    fillings *= llvm::divideCeil(outer[loop.dim], loop.block);
    outer[loop.dim] = loop.block;
  }
  return fillings;
}

/// Bytes of a partition that one slot takes.
static int64_t bytesOfSlot(const PlanCost &cost, unsigned matrix,
                           const Machine &machine) {
  int64_t bytes = 1;
  for (const PlannedBuffer &buffer : cost.buffers)
    if (buffer.matrix == matrix && buffer.space == Space::Sbuf)
      bytes = std::max(bytes, buffer.describe(machine).size);
  return bytes;
}

/// Gives each ring as many slots as have room in `bytes` of a partition.
static void deepenTo(Schedule &schedule, const PlanCost &cost, int64_t bytes,
                     const Machine &machine) {
  for (Home &home : schedule.plan.homes)
    if (isRing(schedule.graph, home)) {
      int64_t most =
          std::min({bytes / bytesOfSlot(cost, home.matrix, machine),
                    countFillings(schedule, home), int64_t(Home::maxSlots)});
      home.slots = std::max(home.slots, most);
    }
}

bool mlir::trn::fitLaunch(func::FuncOp kernel, Schedule &schedule,
                          LaunchTimer &timer, const Machine &machine) {
  const SmallVector<LaunchTimer::Window> windows = timer.findWindows(kernel);
  if (windows.empty())
    return false;
  const Machine limited = llvm::cantFail(limitTiles(machine));
  std::optional<PlanCost> cost = search::costIfFits(schedule, limited);
  std::optional<int64_t> fastest = timer.time(windows, kernel, schedule);
  if (!cost || !fastest)
    return false;
  const Schedule alone = schedule;
  // Of SBUF, a ring has at most one of these.
  for (int64_t share : {2, 3, 4, 6, 8, 12, 16, 24}) {
    Schedule deeper = alone;
    deepenTo(deeper, *cost, limited.sbufPartitionBytes / share, limited);
    if (deeper.plan == alone.plan || !search::costIfFits(deeper, limited))
      continue;
    std::optional<int64_t> time = timer.time(windows, kernel, deeper);
    if (time && *time < *fastest) {
      fastest = time;
      schedule = std::move(deeper);
    }
  }
  if (schedule.plan == alone.plan)
    return false;
  timer.setPlan(kernel, schedule);
  return true;
}
