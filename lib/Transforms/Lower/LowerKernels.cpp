//===- LowerKernels.cpp - Turn planned kernels into instructions ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/PlanCost.h"
#include "trn/Planning/PrintSchedule.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Transforms/Lower/EmitKernel.h"
#include "trn/Transforms/Lower/KernelGraph.h"
#include "trn/Transforms/Lower/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::trn {
#define GEN_PASS_DEF_LOWERKERNELS
#include "trn/Transforms/Lower/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

/// What the buffers of a schedule take at once must be there.
static llvm::Error checkRoom(const planning::Schedule &schedule,
                             const Machine &machine) {
  planning::PlanCost cost = planning::computeCost(schedule, machine);
  placement::Peak sbuf = cost.sbuf.peak();
  if (sbuf.size > cost.sbuf.capacity)
    return llvm::createStringError(
        "trn.schedule is too large for SBUF: " +
        planning::describePeak(schedule.graph, cost, sbuf));
  int64_t banks = cost.psum.peak().size;
  if (banks > cost.psum.capacity)
    return llvm::createStringError(
        llvm::formatv("trn.schedule is too large for PSUM: {0} banks are "
                      "needed, but there are {1}",
                      banks, cost.psum.capacity)
            .str());
  return llvm::Error::success();
}

/// The schedule of `kernel`, if it can be followed and computes what the body
/// does, and where the matrices of its graph come from. Users may have edited
/// either.
static FailureOr<std::pair<planning::Schedule, SmallVector<MatrixLocations>>>
getSchedule(func::FuncOp kernel, const Machine &machine) {
  auto attr = kernel->getAttrOfType<ScheduleAttr>(
      TrnDialect::ScheduleAttrHelper::getNameStr());
  if (!attr || !attr.getPlan())
    return kernel.emitError("kernel has no plan; run trn-plan-kernels first");
  planning::Schedule schedule{attr.getGraph(), *attr.getPlan()};
  FailureOr<KernelGraph> source = buildKernelGraph(kernel);
  if (failed(source))
    return failure();
  if (!planning::isLegalFormOf(schedule.graph, source->graph)) {
    InFlightDiagnostic error =
        kernel.emitError("trn.schedule computes something else than the "
                         "kernel; plan it again with trn-plan-kernels");
    std::string text;
    llvm::raw_string_ostream os(text);
    planning::printGraph(
        os, planning::legalizeLike(schedule.graph, source->graph,
                                   planning::TransposeMode::Implicit));
    error.attachNote() << "the kernel computes, up to names, " << text;
    return error;
  }
  if (llvm::Error error = schedule.plan.check(schedule.graph, machine))
    return kernel.emitError("trn.schedule cannot be followed: ")
           << llvm::toString(std::move(error));
  if (llvm::Error error = checkRoom(schedule, machine))
    return kernel.emitError(llvm::toString(std::move(error)));
  SmallVector<MatrixLocations> locations;
  for (unsigned origin : planning::originsOf(schedule.graph, source->graph))
    locations.push_back(source->locations[origin]);
  return std::pair(std::move(schedule), std::move(locations));
}

namespace {
struct LowerKernelsPass final : trn::impl::LowerKernelsBase<LowerKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!isKernel(kernel) || !hasTensorBody(kernel))
      return;
    FailureOr<Machine> machine = getMachine(kernel);
    if (failed(machine))
      return signalPassFailure();
    llvm::Expected<Machine> limited = limitTiles(*machine);
    if (!limited) {
      kernel.emitError(llvm::toString(limited.takeError()));
      return signalPassFailure();
    }
    auto found = getSchedule(kernel, *limited);
    if (failed(found))
      return signalPassFailure();
    auto &[schedule, locations] = *found;
    emitKernel(kernel, schedule, *limited, locations);
    // Loops count from 0, and tiles of one block lie at the same place.
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(kernel);
    eliminateCommonSubExpressions(rewriter, dominance, kernel);
  }
};
} // namespace
