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

/// The partial sums of `rows` x `columns`, if they have a buffer of their own.
static void addPartials(const PlanningTask &task, const BlockPlan &plan,
                        llvm::StringLiteral name, int64_t rows, int64_t columns,
                        PlannedBuffers &buffers) {
  if (plan.partials && *plan.partials != task.shape.type)
    buffers.push_back({name, rows, columns, byteSize(*plan.partials), 1,
                       Phase::LoadX, Phase::StageOne});
}

/// O's block, in the layout in which it leaves.
static PlannedBuffer outputBlock(const PlanningTask &task,
                                 const BlockPlan &plan, Phase phase) {
  bool transposed = task.shape.outputTransposed;
  return {"O block",
          transposed ? plan.blockN : plan.blockM,
          transposed ? plan.blockM : plan.blockN,
          byteSize(task.shape.type),
          plan.slotsO,
          phase,
          phase};
}

/// A single product has one phase when X is read again for each block column,
/// as then every block of the contraction brings new X and new W.
static void addSingleProduct(const PlanningTask &task, const BlockPlan &plan,
                             PlannedBuffers &buffers) {
  int64_t bytes = byteSize(task.shape.type);
  Phase first = plan.rereadX ? Phase::LoadX : Phase::StageOne;
  buffers.push_back({"W block", plan.blockK, plan.blockN, bytes, plan.slotsV,
                     first, Phase::StageOne});
  PlannedBuffer output = outputBlock(task, plan, Phase::StageOne);
  output.first = first;
  addPartials(task, plan, "partial sums of O", output.rows, output.columns,
              buffers);
  buffers.push_back(output);
}

static void addChain(const PlanningTask &task, const BlockPlan &plan,
                     PlannedBuffers &buffers) {
  const ChainShape &shape = task.shape;
  int64_t bytes = byteSize(shape.type);
  int64_t piece = std::min(plan.blockM, task.machine.movingFreeMax);

  buffers.push_back({"U block", plan.blockK, plan.blockR, bytes, plan.slotsU,
                     Phase::StageOne, Phase::StageOne});
  buffers.push_back({"Y^T strip", plan.residentRank, plan.blockM, bytes, 1,
                     Phase::LoadX, Phase::StageTwo});
  if (task.isExplicit()) {
    buffers.push_back({"Y strip", plan.blockM, shape.r, bytes, 1, Phase::LoadX,
                       Phase::TransposeY});
    addPartials(task, plan, "partial sums of Y", plan.blockM, shape.r, buffers);
  } else {
    addPartials(task, plan, "partial sums of Y^T", shape.r, plan.blockM,
                buffers);
  }
  if (plan.spills(shape)) {
    buffers.push_back({"saved Y^T block", plan.blockR, plan.blockM, bytes,
                       plan.slotsSave, Phase::StageOne, Phase::StageOne});
    buffers.push_back({"reloaded Y^T rows", shape.r - plan.residentRank, piece,
                       bytes, plan.slotsReload, Phase::StageTwo,
                       Phase::StageTwo});
  }
  buffers.push_back({"V block", shape.r, plan.blockN, bytes, plan.slotsV,
                     Phase::StageTwo, Phase::StageTwo});
  buffers.push_back(outputBlock(task, plan, Phase::StageTwo));
}

int64_t PlannedBuffer::bytes(const Machine &machine) const {
  return llvm::divideCeilSigned(rows, machine.partitions) * columns *
         elementBytes;
}

PlannedBuffers mlir::trn::plannedBuffers(const PlanningTask &task,
                                         const BlockPlan &plan) {
  int64_t bytes = byteSize(task.shape.type);
  PlannedBuffers buffers;
  buffers.push_back({"X^T block", plan.blockK, plan.blockM, bytes, plan.slotsX,
                     Phase::LoadX, Phase::StageOne});
  if (plan.blockX)
    buffers.push_back(
        {"raw X block", std::min(plan.blockM, task.machine.movingFreeMax),
         plan.blockX, bytes, plan.slotsXRaw, Phase::LoadX, Phase::LoadX});
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
