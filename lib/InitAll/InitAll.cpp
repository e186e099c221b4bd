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
#include "trn/Decode/Passes.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Pipelines/Passes.h"
#include "trn/Pipelines/Pipelines.h"
#include "trn/Remarks/Passes.h"
#include "trn/Transforms/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

using namespace mlir;

void mlir::trn::registerAllDialects(DialectRegistry &registry) {
  registry.insert<TrnDialect>();
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  registerDroppedNames(registry);
  registerEscapedDiagnostics(registry);
}

void mlir::trn::registerAllPasses() {
  registerTrnDecodePasses();
  registerTrnDialectTransformsPasses();
  registerTrnRemarksPasses();
  registerTrnPipelinesPasses();
  registerTrnTransformsPasses();
  registerPipelines();
}
