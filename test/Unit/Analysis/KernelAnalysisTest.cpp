//===- KernelAnalysisTest.cpp - Tests of the static analysis --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/AnalyzeKernel.h"

#include "trn/Decode/Decode.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Simulator/Simulator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// memref.copy as an instruction that a test describes.
struct CopyModel final
    : InstructionOpInterface::ExternalModel<CopyModel, memref::CopyOp> {
  Engine getEngine(Operation *) const { return Engine::Store; }
  Work getWork(Operation *, const Machine &) const { return {}; }
  FailureOr<Instruction> decode(Operation *op,
                                OperandResolver &resolver) const {
    Instruction instruction;
    instruction.engine = Engine::Store;
    instruction.semantics = Semantics::Copy;
    if (op->hasAttr("test.no_operands"))
      return instruction;
    auto copy = cast<memref::CopyOp>(op);
    FailureOr<Access> read = resolver.access(copy.getSource());
    FailureOr<Access> write = resolver.access(copy.getTarget());
    if (failed(read) || failed(write))
      return failure();
    instruction.reads = {*read};
    instruction.writes = {*write};
    return instruction;
  }
};

class KernelAnalysisTest : public ::testing::Test {
protected:
  KernelAnalysisTest() {
    context.loadDialect<TrnDialect, affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect, memref::MemRefDialect,
                        scf::SCFDialect>();
    memref::CopyOp::attachInterface<CopyModel>(context);
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  }

  func::FuncOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << message;
    return *module->getOps<func::FuncOp>().begin();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string message;
};
} // namespace

/// Partial tiles, nested loops, f32 and bf16, every engine, a spill.
constexpr StringLiteral everything = R"mlir(
  func.func private @kernel(%x: memref<200x300xf32>, %w: memref<96x40xbf16>,
                            %y: memref<200x300xf32> {trn.result})
      attributes {trn.kernel, trn.flops = 1000000 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %scratch = memref.alloc() : memref<100x300xf32, #trn.mem<hbm>>
    scf.for %i = %c0 to %c2 step %c1 {
      %row = affine.apply affine_map<(i) -> (i * 100)>(%i)
      %tile = trn.alloc buffers 2 offset 0 : memref<100x300xf32, #trn.mem<sbuf>>
      %rows = memref.subview %x[%row, 0] [100, 300] [1, 1]
          : memref<200x300xf32> to memref<100x300xf32, strided<[300, 1], offset: ?>>
      trn.dma_copy %rows to %tile : memref<100x300xf32, strided<[300, 1], offset: ?>> to memref<100x300xf32, #trn.mem<sbuf>>
      trn.dma_copy %tile to %scratch : memref<100x300xf32, #trn.mem<sbuf>> to memref<100x300xf32, #trn.mem<hbm>>
      %sums = trn.alloc buffers 2 bank 2 offset 0 : memref<60x300xf32, #trn.mem<psum>>
      scf.for %j = %c1 to %c7 step %c3 {
        %left = memref.subview %tile[0, 0] [100, 60] [1, 1]
            : memref<100x300xf32, #trn.mem<sbuf>> to memref<100x60xf32, strided<[300, 1]>, #trn.mem<sbuf>>
        trn.matmul stationary(%left : memref<100x60xf32, strided<[300, 1]>, #trn.mem<sbuf>>)
                   moving(%tile : memref<100x300xf32, #trn.mem<sbuf>>)
                   into %sums : memref<60x300xf32, #trn.mem<psum>>
      }
      %out = trn.alloc offset 4096 : memref<60x300xf32, #trn.mem<sbuf>>
      trn.activation silu(%sums : memref<60x300xf32, #trn.mem<psum>>) into %out : memref<60x300xf32, #trn.mem<sbuf>>
      trn.tensor_scalar mul(%out : memref<60x300xf32, #trn.mem<sbuf>>) constant 2.0 into %out : memref<60x300xf32, #trn.mem<sbuf>> on vector
      %result = memref.subview %y[%row, 0] [60, 300] [1, 1]
          : memref<200x300xf32> to memref<60x300xf32, strided<[300, 1], offset: ?>>
      trn.dma_copy %out to %result : memref<60x300xf32, #trn.mem<sbuf>> to memref<60x300xf32, strided<[300, 1], offset: ?>>
    }
    %narrow = trn.alloc offset 8192 : memref<96x40xbf16, #trn.mem<sbuf>>
    trn.dma_copy %w to %narrow : memref<96x40xbf16> to memref<96x40xbf16, #trn.mem<sbuf>>
    %turned = trn.alloc bank 0 offset 0 : memref<40x96xf32, #trn.mem<psum>>
    trn.transpose %narrow into %turned : memref<96x40xbf16, #trn.mem<sbuf>> to memref<40x96xf32, #trn.mem<psum>> on tensor
    %square = trn.alloc bank 1 offset 0 : memref<40x40xf32, #trn.mem<psum>>
    trn.matmul stationary(%narrow : memref<96x40xbf16, #trn.mem<sbuf>>) moving(%narrow : memref<96x40xbf16, #trn.mem<sbuf>>)
               into %square : memref<40x40xf32, #trn.mem<psum>>
    %count = trn.alloc offset 8192 : memref<128x16xf32, #trn.mem<sbuf>>
    trn.iota %count start 0 step 1 : memref<128x16xf32, #trn.mem<sbuf>>
    return
  }
)mlir";

TEST_F(KernelAnalysisTest, CountsWhatTheSimulatorExecutes) {
  func::FuncOp kernel = parse(everything);
  const Machine &machine = defaultMachine();
  FailureOr<KernelAnalysis> analysis = analyzeKernel(kernel, machine);
  ASSERT_TRUE(succeeded(analysis)) << message;
  FailureOr<DecodedKernel> decoded = decodeKernel(kernel, machine);
  ASSERT_TRUE(succeeded(decoded)) << message;
  SimulationResult simulated = simulate(decoded->program, machine);

  EXPECT_EQ(analysis->instructions, simulated.instructions);
  EXPECT_EQ(analysis->executedFlops, simulated.executedFlops);
  EXPECT_EQ(analysis->modelFlops, 1000000);
  EXPECT_EQ(analysis->hbmBytes,
            simulated.hbmReadBytes + simulated.hbmWriteBytes);
  EXPECT_EQ(analysis->sbufHighWater, simulated.sbufPeakPartitionBytes);
  EXPECT_EQ(analysis->compulsoryBytes, 2 * 200 * 300 * 4 + 96 * 40 * 2);
  for (int engine = 0; engine < 4; ++engine) {
    EXPECT_GT(analysis->busyNs[engine], 0);
    EXPECT_NEAR(analysis->busyNs[engine] * 1000, simulated.busy[engine], 1)
        << "engine " << engine;
  }
  // Every transfer keeps the first DMA engine busiest.
  EXPECT_NEAR(analysis->busyNs[size_t(Resource::Dma)] * 1000,
              simulated.dmaBusy.front(), 1);
}

TEST_F(KernelAnalysisTest, SplitsTheTimeOfTheTensorEngine) {
  FailureOr<KernelAnalysis> analysis =
      analyzeKernel(parse(everything), defaultMachine());
  ASSERT_TRUE(succeeded(analysis)) << message;
  ASSERT_EQ(analysis->products.size(), 3u);
  const TensorAnalysis &product = analysis->products[0];
  EXPECT_EQ(product.executions, 2 * 2);
  EXPECT_EQ(product.k, 100);
  EXPECT_EQ(product.m, 60);
  EXPECT_EQ(product.n, 300);
  EXPECT_TRUE(product.isF32);
  EXPECT_NEAR(product.utilisation(), 100.0 / 128 * 60 / 128, 1e-9);
  EXPECT_TRUE(analysis->products[1].isTranspose);
  // 40 moving columns take as long as 64.
  EXPECT_NEAR(analysis->products[2].utilisation(),
              96.0 / 128 * 40 / 128 * 40 / 64, 1e-9);
  double all = 0;
  for (const TensorAnalysis &product : analysis->products) {
    EXPECT_LE(product.usefulNs, product.ns);
    all += product.ns * product.executions;
  }
  EXPECT_NEAR(all, analysis->busyNs[size_t(Resource::Tensor)], 1e-6);
}

TEST_F(KernelAnalysisTest, ForeignInstructionsNeedStaticOperands) {
  EXPECT_TRUE(failed(analyzeKernel(parse(R"mlir(
        func.func private @kernel(%x: memref<?xf32>) attributes {trn.kernel} {
          memref.copy %x, %x : memref<?xf32> to memref<?xf32>
          return
        })mlir"),
                                   defaultMachine())));
  EXPECT_EQ(message, "'memref.copy' op uses 'memref<?xf32>', but instructions "
                     "work on static memrefs of bf16, f16 or f32");
  EXPECT_TRUE(failed(analyzeKernel(parse(R"mlir(
        func.func private @kernel(%x: memref<4xf32>) attributes {trn.kernel} {
          memref.copy %x, %x {test.no_operands} : memref<4xf32> to memref<4xf32>
          return
        })mlir"),
                                   defaultMachine())));
  EXPECT_EQ(message,
            "'memref.copy' op decodes to an instruction without operands");
}
