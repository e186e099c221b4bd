//===- ForeignOpTest.cpp - Ops of other dialects as instructions ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Ops are known by `InstructionOpInterface` only. To show it, an op of another
// dialect, memref.copy, joins here as a transfer.
//
//===----------------------------------------------------------------------===//

#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/KnownMachines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
struct CopyModel final
    : InstructionOpInterface::ExternalModel<CopyModel, memref::CopyOp> {
  Engine getEngine(Operation *) const { return Engine::Store; }
  Work getWork(Operation *op, const Machine &) const {
    auto copy = cast<memref::CopyOp>(op);
    Work work;
    work.bytes =
        4 * cast<MemRefType>(copy.getSource().getType()).getNumElements();
    work.descriptors = 1;
    return work;
  }
  FailureOr<Instruction> decode(Operation *op,
                                OperandResolver &resolver) const {
    auto copy = cast<memref::CopyOp>(op);
    FailureOr<Access> read = resolver.access(copy.getSource());
    FailureOr<Access> write = resolver.access(copy.getTarget());
    if (failed(read) || failed(write))
      return failure();
    Instruction instruction;
    instruction.engine = getEngine(op);
    instruction.semantics = Semantics::Copy;
    instruction.reads = {*read};
    instruction.writes = {*write};
    instruction.work = getWork(op, resolver.machine());
    return instruction;
  }
};
} // namespace

TEST(ForeignOp, DecodesThroughTheInterface) {
  MLIRContext context;
  context.loadDialect<TrnDialect, func::FuncDialect, memref::MemRefDialect>();
  memref::CopyOp::attachInterface<CopyModel>(context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      R"mlir(
        func.func private @kernel(%x: memref<4x8xf32>,
                                  %y: memref<4x8xf32> {trn.result})
            attributes {trn.kernel} {
          memref.copy %x, %y : memref<4x8xf32> to memref<4x8xf32>
          return
        }
      )mlir",
      &context);
  ASSERT_TRUE(module);
  auto kernel = module->lookupSymbol<func::FuncOp>("kernel");
  FailureOr<DecodedKernel> decoded = decodeKernel(kernel, defaultMachine());
  ASSERT_TRUE(succeeded(decoded));
  ASSERT_EQ(decoded->program.instructions.size(), 1u);
  const Instruction &copy = decoded->program.instructions.front();
  EXPECT_EQ(decoded->program.ops[copy.op].name, "memref.copy");
  EXPECT_EQ(copy.engine, Engine::Store);
  EXPECT_EQ(copy.writes.front().numElements(), 32);
  EXPECT_EQ(copy.work.bytes, 128);
}
