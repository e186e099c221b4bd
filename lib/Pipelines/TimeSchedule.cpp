//===- TimeSchedule.cpp - How long a schedule takes -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeSchedule.h"

#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Pipelines/Pipelines.h"
#include "trn/Planning/PlanCost.h"
#include "trn/Program/CountSteps.h"
#include "trn/Simulator/Simulator.h"
#include "trn/Transforms/EmitKernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::trn;

ScheduleTimer::ScheduleTimer(const Machine &machine)
    : machine(machine), context(MLIRContext::Threading::DISABLED) {
  context
      .loadDialect<TrnDialect, affine::AffineDialect, arith::ArithDialect,
                   func::FuncDialect, memref::MemRefDialect, scf::SCFDialect>();
  context.getDiagEngine().registerHandler(
      [](Diagnostic &) { return success(); });
}

/// How many steps are simulated while one is written, placed and decoded: 11.7
/// us to 54 ns, fitted to the searches for 101 kernels of one product or two.
static constexpr int64_t stepsPerWritten = 220;

/// At most what the numbers hold.
static int64_t toPicoseconds(double time) {
  return int64_t(std::min(time, 0x1p62));
}

std::optional<int64_t> ScheduleTimer::time(const planning::Schedule &schedule,
                                           int64_t limit) {
  planning::PlanCost cost = planning::computeCost(schedule, machine);
  int64_t busy = toPicoseconds(cost.busiestNs() * 1e3);
  if (busy > limit || workLeft < 0)
    return std::nullopt;
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(&context), "timed");
  setMachine(*module, machine);
  OpBuilder builder(module->getBodyRegion());
  func::FuncOp kernel = createKernel(builder, schedule.graph);
  emitKernel(kernel, schedule, machine);
  PassManager passes(&context);
  passes.enableVerifier(false);
  buildPlacementPipeline(passes);
  if (failed(passes.run(*module)))
    return std::nullopt;
  FailureOr<DecodedKernel> decoded = decodeKernel(kernel, machine);
  if (failed(decoded))
    return std::nullopt;
  int64_t steps = countSteps(decoded->program);
  if (!simulates)
    simulates = steps <= workLeft / 16;
  if (!*simulates)
    return busy;
  workLeft -= steps + stepsPerWritten * int64_t(decoded->program.steps.size());
  if (workLeft < 0)
    return std::nullopt;
  SimulationOptions options;
  options.limit = limit;
  int64_t latency = simulate(decoded->program, machine, options).latency;
  return latency <= limit ? std::optional(latency) : std::nullopt;
}
