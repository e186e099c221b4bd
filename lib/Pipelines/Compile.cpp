//===- Compile.cpp - linalg to placed trn programs ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Pipelines/Pipelines.h"

#include "trn/Conversion/Passes.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::trn;

void mlir::trn::buildTilingPipeline(OpPassManager &pm,
                                    const CompileOptions &options) {
  OutlineKernelsOptions outline;
  outline.strategy = options.strategy;
  outline.transpose = options.transpose;
  outline.outputLayout = options.outputLayout;
  outline.allowRounding = options.allowRounding;
  pm.addPass(createOutlineKernels(outline));
  ChooseBlocksOptions blocks;
  blocks.blockM = options.blockM;
  blocks.blockK = options.blockK;
  blocks.blockR = options.blockR;
  blocks.blockN = options.blockN;
  OpPassManager &kernels = pm.nest<func::FuncOp>();
  kernels.addPass(createImplicitTranspose());
  kernels.addPass(createChooseBlocks(blocks));
  kernels.addPass(createTileStrips());
  kernels.addPass(createTileBlocks());
  kernels.addPass(createTileEngines());
}

void mlir::trn::buildLoweringPipeline(OpPassManager &pm) {
  OpPassManager &kernels = pm.nest<func::FuncOp>();
  kernels.addPass(createBufferizeKernels());
  kernels.addPass(createLinalgToTrn());
  kernels.addPass(createOverlapStrips());
}

void mlir::trn::buildPlacementPipeline(OpPassManager &pm) {
  OpPassManager &kernels = pm.nest<func::FuncOp>();
  kernels.addPass(createFoldPartitions());
  kernels.addPass(createMultiBuffer());
  kernels.addPass(createAssignEngines());
  kernels.addPass(createPlaceBuffers());
  // What is handed to the interpreter and to users is a legal program.
  kernels.addPass(createVerifyLevel(VerifyLevelOptions{Level::Placed}));
}

void mlir::trn::buildCompilePipeline(OpPassManager &pm,
                                     const CompileOptions &options) {
  if (!options.machine.empty())
    pm.addPass(createSetMachine(SetMachineOptions{options.machine}));
  buildTilingPipeline(pm, options);
  buildLoweringPipeline(pm);
  buildPlacementPipeline(pm);
}

void mlir::trn::registerPipelines() {
  PassPipelineRegistration<CompileOptions>(
      "trn-compile",
      "compile matrix products and chains of them to Trainium programs",
      buildCompilePipeline);
}
