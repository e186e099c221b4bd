//===- Compile.cpp - linalg to placed trn programs ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Pipelines/Pipelines.h"

#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Pipelines/CompileFlags.h"
#include "trn/Pipelines/Passes.h"
#include "trn/Transforms/Lower/Passes.h"
#include "trn/Transforms/Normalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::trn;

void mlir::trn::buildPlanningPipeline(OpPassManager &pm,
                                      const CompileOptions &options) {
  pm.addPass(createSpecialize(SpecializeOptions{options.specialize}));
  pm.addPass(createPartition({options.partition, options.lnc, options.scheme}));
  pm.addPass(createInlineHelpers());
  pm.addNestedPass<func::FuncOp>(createNormalizeRows());
  pm.addNestedPass<func::FuncOp>(createNormalizeProducts());
  if (options.dropMaxima)
    pm.addNestedPass<func::FuncOp>(createDropMaxima());
  pm.addPass(createOutlineCollectives());
  pm.addPass(createOutlineKernels({options.strategy, options.strategyFor,
                                   options.transpose, options.outputLayout,
                                   options.allowRounding}));
  PlanKernelsOptions plan;
  plan.strategy = options.strategy;
  plan.transpose = options.transpose;
  plan.blockM = options.blockM;
  plan.blockK = options.blockK;
  plan.blockR = options.blockR;
  plan.blockN = options.blockN;
  plan.blocks = options.blocks;
  plan.keep = options.keep;
  plan.effort = options.effort;
  plan.planCache = options.planCache;
  pm.addPass(createPlanKernels(plan));
}

void mlir::trn::buildLoweringPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createLowerKernels());
}

void mlir::trn::buildPlacementPipeline(OpPassManager &pm) {
  OpPassManager &kernels = pm.nest<func::FuncOp>();
  kernels.addPass(createFoldPartitions());
  kernels.addPass(createMultiBuffer());
  kernels.addPass(createAssignEngines());
  kernels.addPass(createPlaceBuffers());
}

void mlir::trn::buildCompilePipeline(OpPassManager &pm,
                                     const CompileOptions &options) {
  if (!options.machine.empty())
    pm.addPass(createSetMachine(SetMachineOptions{options.machine}));
  buildPlanningPipeline(pm, options);
  buildLoweringPipeline(pm);
  buildPlacementPipeline(pm);
  // What is handed to the interpreter and to users is a legal program.
  pm.addNestedPass<func::FuncOp>(
      createVerifyLevel(VerifyLevelOptions{Level::Placed}));
}

void mlir::trn::registerPipelines() {
  // As `PassPipelineRegistration` does, but an error lists the options.
  registerPassPipeline(
      "trn-compile",
      "compile matrix products and chains of them to Trainium programs",
      [](OpPassManager &pm, StringRef text,
         llvm::function_ref<LogicalResult(const Twine &)> handleError) {
        CompileOptions options;
        if (llvm::Error problem = parseCompileOptions(text, options))
          return handleError(llvm::toString(std::move(problem)));
        buildCompilePipeline(pm, options);
        return success();
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)>
             handleOptions) { handleOptions(CompileOptions()); });
}
