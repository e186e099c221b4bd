//===- trn-reduce.cpp - Shrink a failing module ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../CheckFiles.h"
#include "trn/InitAll.h"
#include "trn/Support/Version.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::SetVersionPrinter(mlir::trn::printVersion);
  if (!mlir::trn::checkFiles("trn-reduce", argc, argv))
    return 1;
  mlir::DialectRegistry registry;
  mlir::trn::registerAllDialects(registry);
  mlir::registerAllPasses();
  mlir::trn::registerAllPasses();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
