//===- Footprint.cpp - The SBUF buffers of a block plan -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/Machine.h"
#include "trn/Placement/Solvers.h"
#include "trn/Planning/BlockModel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;

/// Whether the partial sums have a buffer of their own.
static bool hasPartials(const PlanningTask &task, const BlockPlan &plan) {
  return plan.partials && *plan.partials != task.shape.type;
}

/// When the buffer of a sum over blocks of k is first written: partial sums in
/// the storage type lie in the result itself; others are rounded at the end.
static Phase firstWrite(const PlanningTask &task, const BlockPlan &plan) {
  if (!plan.partials)
    return Phase::StageOne;
  return hasPartials(task, plan) ? Phase::FinishY : Phase::LoadX;
}

/// A single product is all stage one, and its sums are finished like Y's, if X
/// is read again for each block column; otherwise it is all stage two.
static void addSingleProduct(const PlanningTask &task, const BlockPlan &plan,
                             PlannedBuffers &buffers) {
  bool turned = task.shape.outputTransposed;
  int64_t rows = turned ? plan.blockN : plan.blockM;
  int64_t columns = turned ? plan.blockM : plan.blockN;
  int64_t bytes = byteSize(task.shape.type);
  // Every block of the contraction brings a new W block, while the next X is
  // on its way.
  Phase first = plan.rereadX ? Phase::LoadX : Phase::StageOne;
  buffers.push_back({"W block", plan.blockK, plan.blockN, bytes, plan.slotsV,
                     first, Phase::StageOne});
  if (hasPartials(task, plan))
    buffers.push_back({"partial sums of O", rows, columns,
                       byteSize(*plan.partials), 1, Phase::LoadX,
                       Phase::FinishY});
  buffers.push_back({"O block", rows, columns, bytes, plan.slotsO,
                     firstWrite(task, plan),
                     plan.rereadX ? Phase::FinishY : Phase::StageOne});
}

static void addChain(const PlanningTask &task, const BlockPlan &plan,
                     PlannedBuffers &buffers) {
  const ChainShape &shape = task.shape;
  int64_t bytes = byteSize(shape.type);
  bool turned = shape.outputTransposed;

  buffers.push_back({"U block", plan.blockK, plan.blockR, bytes, plan.slotsU,
                     Phase::StageOne, Phase::StageOne});
  buffers.push_back(
      {"Y^T strip", plan.residentRank, plan.blockM, bytes, 1,
       task.isExplicit() ? Phase::FinishY : firstWrite(task, plan),
       Phase::StageTwo});
  if (task.isExplicit())
    buffers.push_back({"Y strip", plan.blockM, shape.r, bytes, 1,
                       firstWrite(task, plan), Phase::FinishY});
  if (hasPartials(task, plan))
    buffers.push_back(
        {"partial sums of Y", task.isExplicit() ? plan.blockM : shape.r,
         task.isExplicit() ? shape.r : plan.blockM, byteSize(*plan.partials), 1,
         Phase::LoadX, Phase::FinishY});
  if (plan.spills(shape)) {
    buffers.push_back({"saved Y^T block", plan.blockR, plan.blockM, bytes,
                       plan.slotsSave, Phase::StageOne, Phase::StageOne});
    buffers.push_back({"reloaded Y^T rows", shape.r - plan.residentRank,
                       std::min(plan.blockM, task.machine.movingFreeMax), bytes,
                       plan.slotsReload, Phase::StageTwo, Phase::StageTwo});
  }
  buffers.push_back({"V block", shape.r, plan.blockN, bytes, plan.slotsV,
                     Phase::StageTwo, Phase::StageTwo});
  buffers.push_back({"O block", turned ? plan.blockN : plan.blockM,
                     turned ? plan.blockM : plan.blockN, bytes, plan.slotsO,
                     Phase::StageTwo, Phase::StageTwo});
}

int64_t PlannedBuffer::bytes(const Machine &machine) const {
  return llvm::divideCeilSigned(rows, machine.partitions) * columns *
         elementBytes;
}

PlannedBuffers mlir::trn::plannedBuffers(const PlanningTask &task,
                                         const BlockPlan &plan) {
  int64_t bytes = byteSize(task.shape.type);
  PlannedBuffers buffers;
  // Brought in early, the next strip takes the place of this one.
  buffers.push_back({"X^T block", plan.blockK, plan.blockM, bytes, plan.slotsX,
                     Phase::LoadX,
                     plan.prefetchX ? Phase::StageTwo : Phase::StageOne});
  int64_t rawRows = std::min(plan.blockM, task.machine.movingFreeMax);
  if (plan.blockX)
    buffers.push_back({"raw X block", rawRows, plan.blockX, bytes,
                       plan.slotsXRaw, Phase::LoadX, Phase::LoadX});
  if (plan.blockX && plan.prefetchX)
    buffers.push_back({"next raw X block", rawRows, plan.blockX, bytes, 1,
                       Phase::StageTwo, Phase::StageTwo});
  if (task.shape.isSingle())
    addSingleProduct(task, plan, buffers);
  else
    addChain(task, plan, buffers);
  return buffers;
}

int64_t mlir::trn::peakPartitionBytes(llvm::ArrayRef<PlannedBuffer> buffers,
                                      const Machine &machine) {
  int64_t live[4] = {0, 0, 0, 0};
  for (const PlannedBuffer &buffer : buffers) {
    int64_t bytes = buffer.bytes(machine) * buffer.slots;
    for (int phase = int(buffer.first); phase <= int(buffer.last); ++phase)
      live[phase] += bytes;
  }
  return *std::max_element(std::begin(live), std::end(live));
}

std::optional<int64_t>
mlir::trn::placedPartitionBytes(llvm::ArrayRef<PlannedBuffer> buffers,
                                const Machine &machine) {
  placement::Problem problem;
  problem.capacity = machine.sbufPartitionBytes;
  for (const PlannedBuffer &buffer : buffers)
    if (int64_t size = buffer.bytes(machine))
      problem.buffers.push_back({size, buffer.slots, int64_t(buffer.first),
                                 int64_t(buffer.last) + 1});
  if (std::optional<placement::Solution> solution = placement::solve(problem))
    return solution->highWater;
  return std::nullopt;
}
