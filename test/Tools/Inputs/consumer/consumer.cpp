//===- consumer.cpp - A program outside of trn-mlir that uses it ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/InitAll.h"
#include "trn/Machine/KnownMachines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

static constexpr const char module[] = R"(
  func.func @kernel() {
    %tile = trn.alloc : memref<128x512xf32, #trn.mem<psum>>
    return
  })";

int main() {
  llvm::outs() << mlir::trn::defaultMachine().name << "\n";

  mlir::DialectRegistry registry;
  mlir::trn::registerAllDialects(registry);
  mlir::trn::registerAllPasses();
  mlir::MLIRContext context(registry);
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(module, &context);
  if (!parsed)
    return 1;
  parsed->print(llvm::outs());
  return 0;
}
