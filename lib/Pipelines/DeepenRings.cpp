//===- DeepenRings.cpp - More slots for streamed inputs -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeepenRings.h"

#include "trn/Planning/TileLimits.h"
#include "trn/Search/TimeSchedule.h"
#include "llvm/Support/MathExtras.h"

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
  for (const Loop &loop : loops.take_front(home.level)) {
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

bool mlir::trn::deepenRings(Schedule &schedule, const Machine &machine) {
  Machine limited = llvm::cantFail(limitTiles(machine));
  limited.sbufPartitionBytes /= 2;
  std::optional<PlanCost> cost = search::costIfFits(schedule, limited);
  if (!cost)
    return false;
  for (int64_t share : {2, 4, 8}) {
    Schedule deeper = schedule;
    for (Home &home : deeper.plan.homes)
      if (isRing(schedule.graph, home)) {
        int64_t room = limited.sbufPartitionBytes / share /
                       bytesOfSlot(*cost, home.matrix, limited);
        int64_t most = std::min(
            {room, countFillings(schedule, home), int64_t(Home::maxSlots)});
        home.slots = std::max(home.slots, most);
      }
    if (deeper.plan == schedule.plan)
      return false;
    if (search::costIfFits(deeper, limited)) {
      schedule = std::move(deeper);
      return true;
    }
  }
  return false;
}
