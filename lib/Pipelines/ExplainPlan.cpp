//===- ExplainPlan.cpp - Remarks about plans ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplainPlan.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/PlanCost.h"
#include "trn/Planning/PrintSchedule.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Planning/TurnSoftmax.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::trn;

static std::string describeChoice(const search::FoundPlan &found) {
  if (!found.isSimulated)
    return llvm::formatv("too long to be simulated: of {0} plans the one whose "
                         "busiest engine works least",
                         found.timed);
  if (found.latency == found.fastest)
    return llvm::formatv("the fastest of {0} plans that were simulated",
                         found.timed);
  double slower = double(found.latency) / double(found.fastest) - 1;
  return llvm::formatv("of {0} plans that were simulated the one that a slower "
                       "DMA delays least, {1:F2} % above the fastest",
                       found.timed, 100 * slower);
}

void mlir::trn::explainPlan(func::FuncOp kernel, const search::FoundPlan &found,
                            const Machine &machine) {
  remark::passed(kernel.getLoc(), remark::RemarkOpts::name("Planned")
                                      .category("trn-plan-kernels")
                                      .function(kernel.getName()))
      << (found.isSimulated ? "the best of the plans that were simulated"
                            : "the plan whose busiest engine works least")
      << remark::metric("plans", found.timed)
      << remark::metric("modelled_us", double(found.latency) * 1e-6)
      << remark::metric("fastest_us", double(found.fastest) * 1e-6);
  auto analysis = [&](const Twine &text) {
    remark::analysis(kernel.getLoc(), remark::RemarkOpts::name("Plan")
                                          .category("trn-plan-kernels")
                                          .function(kernel.getName()))
        << text.str();
  };
  const auto &[graph, plan] = found.schedule;
  planning::PlanCost cost = planning::computeCost(
      found.schedule, llvm::cantFail(limitTiles(machine)));
  double moved = double(cost.readBytes) + double(cost.writtenBytes), least = 0;
  for (auto [number, matrix] : llvm::enumerate(graph.matrices))
    if (graph.isMoved(number))
      least += graph.bytesOf(matrix);
  analysis(planning::printPlan(graph, plan));
  std::string how = describeChoice(found);
  if (found.fewerRows)
    how += llvm::formatv(", of {0} rows", found.fewerRows);
  if (found.fewerBatches)
    how += llvm::formatv(", of {0} batches", found.fewerBatches);
  analysis(how + llvm::formatv(": {0}{1:F3} us",
                               found.isScaled() ? "about " : "",
                               double(found.latency) * 1e-6)
                     .str());
  analysis(llvm::formatv("tensor engine busy for {0:F3} us, DMA for {1:F3}",
                         cost.tensorNs * 1e-3, cost.dmaNs * 1e-3)
               .str());
  analysis(llvm::formatv("SBUF: {0} of {1} bytes a partition at once",
                         cost.sbuf.peak().size, machine.sbufPartitionBytes)
               .str());
  analysis(llvm::formatv("HBM traffic: {0:F0} bytes, {1:F2} times the least, "
                         "{2:F0}",
                         moved, moved / least, least)
               .str());
  if (planning::isTurned(graph))
    analysis("attention: probabilities are rounded before they are divided; "
             "transpose=explicit rounds them after that, as the source does, "
             "and is slower");
}

void mlir::trn::explainFit(func::FuncOp kernel,
                           const planning::Schedule &schedule) {
  remark::analysis(kernel.getLoc(), remark::RemarkOpts::name("Plan")
                                        .category("trn-plan-kernels")
                                        .function(kernel.getName()))
      << "beside other kernels of a launch: " +
             planning::printPlan(schedule.graph, schedule.plan);
}

void mlir::trn::explainCut(func::FuncOp kernel, const search::FoundPlan &whole,
                           const ChosenCut &chosen, func::FuncOp first,
                           func::FuncOp second) {
  auto type = cast<RankedTensorType>(chosen.cut.matrix.getType());
  remark::passed(chosen.cut.matrix.getLoc(), remark::RemarkOpts::name("Cut")
                                                 .category("trn-plan-kernels")
                                                 .function(kernel.getName()))
      << llvm::formatv(
             "faster as two kernels, @{0} and @{1}, with {2}{3} in HBM "
             "between them",
             first.getName(), second.getName(),
             chosen.cut.isTransposed ? "the transpose of " : "", type)
             .str()
      << remark::metric("modelled_us", double(chosen.latency) * 1e-6)
      << remark::metric("modelled_us_as_one", double(whole.latency) * 1e-6);
}
