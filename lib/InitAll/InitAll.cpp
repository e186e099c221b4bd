//===- InitAll.cpp - Register everything of this project ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/InitAll.h"

#include "DroppedNames.h"
#include "EscapedDiagnostics.h"
#include "trn/Analysis/Passes.h"
#include "trn/Decode/Passes.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Pipelines/Passes.h"
#include "trn/Pipelines/Pipelines.h"
#include "trn/Transforms/Lower/Passes.h"
#include "trn/Transforms/Normalize/Passes.h"
#include "trn/Transforms/Outline/Passes.h"
#include "trn/Transforms/Partition/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void mlir::trn::registerAllDialects(DialectRegistry &registry) {
  registry.insert<TrnDialect>();
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  registerDroppedNames(registry);
  registerEscapedDiagnostics(registry);
}

void mlir::trn::registerAllPasses() {
  // MLIR tells passes apart by an address, and aborts when one of a plugin has
  // the name of one that its tool has. The tool's do the same.
  if (PassPipelineInfo::lookup("trn-compile"))
    return;
  registerTrnAnalysisPasses();
  registerTrnDecodePasses();
  registerTrnDialectTransformsPasses();
  registerTrnLowerPasses();
  registerTrnNormalizePasses();
  registerTrnOutlinePasses();
  registerTrnPartitionPasses();
  registerTrnPipelinesPasses();
  registerPipelines();
}
