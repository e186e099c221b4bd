//===- ForeignInstructionTest.cpp - Instructions that NKI has no name for -===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of other dialects may be instructions, and run. Here memref.copy is one.
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Target/NKI/TranslateToNKI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
struct CopyModel final
    : InstructionOpInterface::ExternalModel<CopyModel, memref::CopyOp> {
  Engine getEngine(Operation *) const { return Engine::Store; }
  Work getWork(Operation *, const Machine &) const { return {}; }
  FailureOr<Instruction> decode(Operation *op,
                                OperandResolver &resolver) const {
    auto copy = cast<memref::CopyOp>(op);
    Instruction instruction;
    instruction.engine = getEngine(op);
    instruction.semantics = Semantics::Copy;
    instruction.reads = {*resolver.access(copy.getSource())};
    instruction.writes = {*resolver.access(copy.getTarget())};
    return instruction;
  }
};
} // namespace

TEST(TranslateToNKI, nki_c1__foreign_instruction) {
  MLIRContext context;
  context.loadDialect<TrnDialect, func::FuncDialect, memref::MemRefDialect>();
  memref::CopyOp::attachInterface<CopyModel>(context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      R"mlir(
        module attributes {trn.machine = #trn.machine<"trn2">} {
          func.func private @kernel(%x: memref<4x8xf32>,
                                    %y: memref<4x8xf32> {trn.result})
              attributes {trn.kernel} {
            memref.copy %x, %y : memref<4x8xf32> to memref<4x8xf32>
            return
          }
        }
      )mlir",
      &context);
  ASSERT_TRUE(module);
  std::string error, text;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    error = diagnostic.str();
    return success();
  });
  llvm::raw_string_ostream os(text);
  EXPECT_TRUE(failed(translateToNKI(*module, os, NKIOptions())));
  EXPECT_EQ(error, "'memref.copy' op is an instruction of another dialect, "
                   "which NKI does not know; lower it to instructions of trn");
  EXPECT_TRUE(text.empty());
}
