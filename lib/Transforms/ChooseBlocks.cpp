//===- ChooseBlocks.cpp - Choose the block sizes of a kernel --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Asks the planner and records its answer in `trn.schedule`. The planner's
// reasons become remarks.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/Passes.h"
#include "trn/Transforms/Schedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

namespace mlir::trn {
#define GEN_PASS_DEF_CHOOSEBLOCKS
#include "trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

namespace {
struct ChooseBlocksPass final : trn::impl::ChooseBlocksBase<ChooseBlocksPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!isKernel(kernel) || getProgress(kernel) != Progress::Products)
      return;
    FailureOr<Schedule> schedule = readSchedule(kernel);
    FailureOr<Machine> machine = getMachine(kernel);
    if (failed(schedule) || failed(machine))
      return signalPassFailure();
    BlockRequest request{blockM, blockK, blockR, blockN};
    if (schedule->half) {
      auto [first, second] = splitSequential(request);
      request = schedule->half == 1 ? first : second;
    }
    llvm::Expected<BlockPlan> plan =
        planBlocks(schedule->shape, schedule->strategy, schedule->transpose,
                   request, *machine);
    if (!plan) {
      emitError(kernel.getLoc(), llvm::toString(plan.takeError()));
      return signalPassFailure();
    }
    for (const std::string &reason : plan->reasons)
      remark::analysis(kernel.getLoc(), remark::RemarkOpts::name("Blocks")
                                            .category("trn-choose-blocks")
                                            .function(kernel.getName()))
          << reason;
    schedule->blocks = *plan;
    writeSchedule(kernel, *schedule);
  }
};
} // namespace
