//===- ReadKernel.cpp - The graph of a kernel, or why there is none -------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/Legalize.h"
#include "trn/Transforms/Lower/KernelGraph.h"

using namespace mlir;
using namespace mlir::trn;

bool mlir::trn::hasTensorBody(func::FuncOp kernel) {
  return !kernel.getBody().empty() &&
         !kernel.getOps<linalg::LinalgOp>().empty();
}

llvm::Expected<KernelGraph> mlir::trn::readKernel(func::FuncOp kernel) {
  std::string reason;
  ScopedDiagnosticHandler handler(kernel.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    reason = diagnostic.str();
                                    return success();
                                  });
  FailureOr<KernelGraph> source = buildKernelGraph(kernel);
  if (failed(source))
    return llvm::createStringError("a kernel cannot compute it: " + reason);
  if (llvm::Error error =
          planning::legalize(source->graph, planning::TransposeMode::Implicit)
              .check())
    return std::move(error);
  return std::move(*source);
}
