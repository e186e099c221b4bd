//===- ExecutableTest.cpp - Tests of running modules ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunsModules.h"

#include "trn/Program/Launch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::trn;

namespace {

class ExecutableTest : public RunsModules {};

TEST_F(ExecutableTest, TensorFunctionsCallKernels) {
  std::vector<float> values = run((copyKernel + R"mlir(
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %in = bufferization.to_buffer %x read_only : tensor<4x8xf32> to memref<4x8xf32>
      %out = memref.alloc() : memref<4x8xf32>
      call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      %y = bufferization.to_tensor %out restrict writable : memref<4x8xf32> to tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    })mlir")
                                      .str());
  EXPECT_EQ(values, iota(32)) << messages;
  EXPECT_EQ(calls.size(), 1u);
}

TEST_F(ExecutableTest, HostCodeAroundKernelsIsCompiled) {
  std::vector<float> values = run((copyKernel + R"mlir(
    func.func private @twice(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %empty = tensor.empty() : tensor<4x8xf32>
      %y = linalg.add ins(%x, %x : tensor<4x8xf32>, tensor<4x8xf32>)
          outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %double = call @twice(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %in = bufferization.to_buffer %double read_only : tensor<4x8xf32> to memref<4x8xf32>
      %out = memref.alloc() : memref<4x8xf32>
      call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      %y = bufferization.to_tensor %out restrict writable : memref<4x8xf32> to tensor<4x8xf32>
      %result = call @twice(%y) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %result : tensor<4x8xf32>
    })mlir")
                                      .str());
  EXPECT_EQ(values, iota(32, 4)) << messages;
}

TEST_F(ExecutableTest, TensorsThatAreReadLaterKeepTheirBuffers) {
  std::vector<float> values = run((copyKernel + R"mlir(
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %in = bufferization.to_buffer %x read_only : tensor<4x8xf32> to memref<4x8xf32>
      %out = memref.alloc() : memref<4x8xf32>
      call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      %y = bufferization.to_tensor %out restrict writable : memref<4x8xf32> to tensor<4x8xf32>
      %twice = linalg.add ins(%y, %y : tensor<4x8xf32>, tensor<4x8xf32>)
          outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
      %in2 = bufferization.to_buffer %y read_only : tensor<4x8xf32> to memref<4x8xf32>
      %out2 = memref.alloc() : memref<4x8xf32>
      call @copy(%in2, %out2) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      %z = bufferization.to_tensor %out2 restrict writable : memref<4x8xf32> to tensor<4x8xf32>
      %sum = arith.addf %twice, %z : tensor<4x8xf32>
      return %sum : tensor<4x8xf32>
    })mlir")
                                      .str());
  EXPECT_EQ(values, iota(32, 3)) << messages;
}

TEST_F(ExecutableTest, FunctionsMayReturnSlicesOfUnknownSize) {
  std::vector<float> values = run(R"mlir(
    func.func private @rows(%count: index, %x: tensor<4x8xf32>) -> tensor<?x8xf32> {
      %rows = tensor.extract_slice %x[1, 0] [%count, 8] [1, 1]
          : tensor<4x8xf32> to tensor<?x8xf32>
      return %rows : tensor<?x8xf32>
    }
    func.func @main(%x: tensor<4x8xf32>) -> tensor<2x8xf32> {
      %c2 = arith.constant 2 : index
      %rows = call @rows(%c2, %x) : (index, tensor<4x8xf32>) -> tensor<?x8xf32>
      %two = tensor.cast %rows : tensor<?x8xf32> to tensor<2x8xf32>
      return %two : tensor<2x8xf32>
    })mlir");
  ASSERT_EQ(values.size(), 16u) << messages;
  EXPECT_EQ(values.front(), 8.0f);
  EXPECT_EQ(values.back(), 23.0f);
}

TEST_F(ExecutableTest, NarrowTypesAreRoundedOnTheHost) {
  for (const char *type : {"bf16", "f16"}) {
    std::string source = R"mlir(
      func.func @main(%x: tensor<4xT>) -> tensor<4xT> {
        %empty = tensor.empty() : tensor<4xT>
        %y = linalg.map ins(%x : tensor<4xT>) outs(%empty : tensor<4xT>)
          (%in: T, %out: T) {
            %e = math.exp %in : T
            %s = arith.addf %e, %in : T
            linalg.yield %s : T
          }
        return %y : tensor<4xT>
      })mlir";
    for (size_t at; (at = source.find("xT")) != std::string::npos;)
      source.replace(at + 1, 1, type);
    for (size_t at; (at = source.find(": T")) != std::string::npos;)
      source.replace(at + 2, 1, type);
    std::vector<float> values = run(source);
    ASSERT_EQ(values.size(), 4u) << messages;
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(values[i], std::exp(i) + i, 0.01 * std::exp(i)) << type;
  }
}

TEST_F(ExecutableTest, InputsKeepTheirValues) {
  std::optional<Executable> executable = prepare(R"mlir(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %one = arith.constant 1.0 : f32
      %y = linalg.fill ins(%one : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    })mlir");
  ASSERT_TRUE(executable) << messages;
  SmallVector<HostTensor> inputs = *bindInputs(entry, {}, "");
  SmallVector<HostTensor> results = *allocateResults(entry);
  inputs[0].fillZero();
  ASSERT_TRUE(succeeded(executable->run(inputs, results)));
  float input, result;
  inputs[0].loadF32(0, 1, &input);
  results[0].loadF32(0, 1, &result);
  EXPECT_EQ(input, 0.0f);
  EXPECT_EQ(result, 1.0f);
}

TEST_F(ExecutableTest, AValueMayBeReturnedSeveralTimes) {
  // A computed value, an argument and a constant, twice each.
  std::optional<Executable> executable = prepare(R"mlir(
    func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>,
        tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %y = arith.addf %x, %x : tensor<4xf32>
      %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      return %y, %x, %c, %y, %x, %c : tensor<4xf32>, tensor<4xf32>,
          tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    })mlir");
  ASSERT_TRUE(executable) << messages;
  SmallVector<HostTensor> inputs = *bindInputs(entry, {}, "");
  SmallVector<HostTensor> results = *allocateResults(entry);
  float ones[4] = {1, 1, 1, 1};
  inputs[0].storeF32(0, 4, ones);
  ASSERT_TRUE(succeeded(executable->run(inputs, results))) << messages;
  float expected[] = {2, 1, 4, 2, 1, 4};
  for (size_t index = 0; index < results.size(); ++index) {
    float last;
    results[index].loadF32(3, 1, &last);
    EXPECT_EQ(last, expected[index]) << index;
  }
}

TEST_F(ExecutableTest, AValueMayBeReturnedFromSeveralPlaces) {
  std::vector<float> values = run(R"mlir(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      %y = arith.addf %x, %x : tensor<4xf32>
      %first = tensor.extract %x[%c0] : tensor<4xf32>
      %isZero = arith.cmpf oeq, %first, %zero : f32
      cf.cond_br %isZero, ^here, ^there
    ^here:
      return %y : tensor<4xf32>
    ^there:
      return %y : tensor<4xf32>
    })mlir");
  EXPECT_EQ(values, iota(4, 2)) << messages;
}

TEST_F(ExecutableTest, FunctionsMayReturnBuffersThatTheyTake) {
  std::vector<float> values = run(R"mlir(
    func.func private @pass(%m: memref<4xf32>) -> memref<4xf32> {
      return %m : memref<4xf32>
    }
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %c3 = arith.constant 3 : index
      %f5 = arith.constant 5.0 : f32
      %in = bufferization.to_buffer %x read_only : tensor<4xf32> to memref<4xf32>
      %m = memref.alloc() : memref<4xf32>
      memref.copy %in, %m : memref<4xf32> to memref<4xf32>
      %same = call @pass(%m) : (memref<4xf32>) -> memref<4xf32>
      memref.store %f5, %same[%c3] : memref<4xf32>
      %y = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
      return %y : tensor<4xf32>
    })mlir");
  EXPECT_EQ(values, (std::vector<float>{0, 1, 2, 5})) << messages;
}

TEST_F(ExecutableTest, FunctionsMayHaveNamesOfTheCLibrary) {
  std::vector<float> values = run(R"mlir(
    func.func private @tanhf(%x: f32) -> f32 {
      return %x : f32
    }
    func.func private @free() {
      return
    }
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      call @free() : () -> ()
      %zero = arith.constant 0.0 : f32
      %same = call @tanhf(%zero) : (f32) -> f32
      %zeros = tensor.splat %same : tensor<4xf32>
      %sum = arith.addf %x, %zeros : tensor<4xf32>
      %large = arith.constant dense<100.0> : tensor<4xf32>
      %shifted = arith.addf %sum, %large : tensor<4xf32>
      %one = math.tanh %shifted : tensor<4xf32>
      return %one : tensor<4xf32>
    })mlir");
  EXPECT_EQ(values, std::vector<float>(4, 1)) << messages;
}

TEST_F(ExecutableTest, RunsVectorsOfHostCode) {
  // The upper rows twice, what is beyond the last column as 0.5, and the sum of
  // the first row in front.
  std::vector<float> values = run(R"mlir(
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %half = arith.constant 0.5 : f32
      %rows = vector.transfer_read %x[%c0, %c4], %half
          : tensor<4x8xf32>, vector<2x8xf32>
      %twice = arith.addf %rows, %rows : vector<2x8xf32>
      %y = vector.transfer_write %twice, %x[%c2, %c0]
          : vector<2x8xf32>, tensor<4x8xf32>
      %row = vector.transfer_read %x[%c0, %c0], %half {in_bounds = [true]}
          : tensor<4x8xf32>, vector<8xf32>
      %sum = vector.reduction <add>, %row : vector<8xf32> into f32
      %z = tensor.insert %sum into %y[%c0, %c0] : tensor<4x8xf32>
      return %z : tensor<4x8xf32>
    })mlir");
  std::vector<float> expected = iota(32);
  expected[0] = 28;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 8; ++j)
      expected[16 + 8 * i + j] = j < 4 ? 2 * (8 * i + j + 4) : 1;
  EXPECT_EQ(values, expected) << messages;
}

TEST_F(ExecutableTest, MemrefEntriesWriteTheirResultArguments) {
  std::vector<float> values = run((copyKernel + R"mlir(
    func.func @main(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) {
      call @copy(%x, %y) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      return
    })mlir")
                                      .str());
  EXPECT_EQ(values, iota(32)) << messages;
}

TEST_F(ExecutableTest, AKernelMayBeTheEntry) {
  std::string source = copyKernel.str();
  source.erase(source.find("private "), 8);
  EXPECT_EQ(run(source), iota(32)) << messages;
  EXPECT_EQ(calls.size(), 1u);
}

TEST_F(ExecutableTest, FaultsAreErrorsAtTheOp) {
  EXPECT_TRUE(run(R"mlir(
    func.func @main(%y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
      %tile = trn.alloc offset 0 : memref<4x8xf32, #trn.mem<sbuf>>
      trn.dma_copy %tile to %y : memref<4x8xf32, #trn.mem<sbuf>> to memref<4x8xf32>
      return
    })mlir")
                  .empty());
  EXPECT_TRUE(StringRef(messages).starts_with("'trn.dma_copy' op "))
      << messages;
  EXPECT_TRUE(StringRef(messages).contains("note: ")) << messages;
}

/// Calls the kernel with tensors.
static constexpr StringRef stepFunction = R"mlir(
    func.func private @step(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %in = bufferization.to_buffer %x read_only : tensor<4x8xf32> to memref<4x8xf32>
      %out = memref.alloc() : memref<4x8xf32>
      call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      %y = bufferization.to_tensor %out restrict writable : memref<4x8xf32> to tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    })mlir";

TEST_F(ExecutableTest, TimingFindsCallsAndSharedMemoryWithoutRunning) {
  ExecutableOptions options;
  options.timingOnly = true;
  std::optional<Executable> executable =
      prepare((copyKernel + stepFunction + R"mlir(
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x) -> tensor<4x8xf32> {
        %y = func.call @step(%v) : (tensor<4x8xf32>) -> tensor<4x8xf32>
        scf.yield %y : tensor<4x8xf32>
      }
      return %r : tensor<4x8xf32>
    })mlir")
                  .str(),
              options);
  ASSERT_TRUE(executable) << messages;
  ArrayRef<RecordedCall> calls = executable->getCalls();
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].arguments[1], calls[1].arguments[0]);
  EXPECT_EQ(calls[1].arguments[1], calls[2].arguments[0]);
  EXPECT_NE(calls[0].arguments[0], calls[2].arguments[1]);
}

TEST_F(ExecutableTest, TimingKnowsNoPlaceInTensorsOfUncountedBytes) {
  ExecutableOptions options;
  options.timingOnly = true;
  std::optional<Executable> executable =
      prepare((copyKernel + stepFunction + R"mlir(
    func.func @main(%all: tensor<1152921504606846976x8xf32>) -> tensor<4x8xf32> {
      %x = tensor.extract_slice %all[4, 0] [4, 8] [1, 1] : tensor<1152921504606846976x8xf32> to tensor<4x8xf32>
      %y = func.call @step(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    })mlir")
                  .str(),
              options);
  ASSERT_TRUE(executable) << messages;
  EXPECT_EQ(executable->getCalls().front().offsets[0], unknownOffset);
}

TEST_F(ExecutableTest, TimingFollowsViewsOfTensors) {
  ExecutableOptions options;
  options.timingOnly = true;
  std::optional<Executable> executable =
      prepare((copyKernel + stepFunction + R"mlir(
    func.func @main(%all: tensor<12x8xf32>, %i: index) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
      %rows = tensor.extract_slice %all[4, 0] [8, 8] [1, 1] : tensor<12x8xf32> to tensor<8x8xf32>
      %x = tensor.extract_slice %rows[3, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
      %y = func.call @step(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %row = tensor.collapse_shape %y [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
      %again = tensor.expand_shape %row [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
      %z = func.call @step(%again) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %some = tensor.extract_slice %all[%i, 0] [4, 8] [1, 1] : tensor<12x8xf32> to tensor<4x8xf32>
      %s = func.call @step(%some) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %columns = tensor.extract_slice %all[0, 0] [8, 4] [1, 1] : tensor<12x8xf32> to tensor<8x4xf32>
      %flat = tensor.collapse_shape %columns [[0, 1]] : tensor<8x4xf32> into tensor<32xf32>
      %copied = tensor.expand_shape %flat [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
      %c = func.call @step(%copied) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %z, %s, %c : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    })mlir")
                  .str(),
              options);
  ASSERT_TRUE(executable) << messages;
  ArrayRef<RecordedCall> calls = executable->getCalls();
  ASSERT_EQ(calls.size(), 4u);
  // From its eighth row on.
  EXPECT_EQ(calls[0].offsets[0], 7 * 8 * 4);
  EXPECT_EQ(calls[1].arguments[0], calls[0].arguments[1]);
  EXPECT_EQ(calls[1].offsets[0], 0);
  EXPECT_EQ(calls[2].arguments[0], calls[0].arguments[0]);
  EXPECT_EQ(calls[2].offsets[0], unknownOffset);
  // The host copies columns.
  EXPECT_NE(calls[3].arguments[0], calls[0].arguments[0]);
}

/// What a run finds at addresses is what timing finds without one.
TEST_F(ExecutableTest, TimingFindsTheMemoryOfARun) {
  std::optional<Executable> executable =
      prepare((copyKernel + stepFunction + R"mlir(
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %a = func.call @step(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %flat = tensor.collapse_shape %a [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
      %wide = tensor.expand_shape %flat [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
      %b = func.call @step(%wide) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %b : tensor<4x8xf32>
    })mlir")
                  .str());
  ASSERT_TRUE(executable) << messages;
  SmallVector<HostTensor> inputs = *bindInputs(entry, {}, "");
  SmallVector<HostTensor> results = *allocateResults(entry);
  ASSERT_TRUE(succeeded(executable->run(inputs, results)));
  ArrayRef<RecordedCall> ran = executable->getCalls();
  SmallVector<RecordedCall> traced =
      *traceCalls(entry, executable->getHostCode().kernels);
  ASSERT_EQ(ran.size(), traced.size());
  ASSERT_EQ(ran.size(), 2u);
  for (ArrayRef<RecordedCall> calls : {ran, ArrayRef(traced)})
    EXPECT_EQ(calls[1].arguments[0], calls[0].arguments[1]);
  EXPECT_EQ(traced[1].offsets[0], 0);
}

TEST_F(ExecutableTest, TimingRefusesCallsThatDependOnValues) {
  ExecutableOptions options;
  options.timingOnly = true;
  EXPECT_FALSE(prepare((copyKernel + R"mlir(
    func.func @main(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) {
      %c0 = arith.constant 0 : index
      %value = memref.load %x[%c0, %c0] : memref<4x8xf32>
      %zero = arith.constant 0.0 : f32
      %positive = arith.cmpf ogt, %value, %zero : f32
      scf.if %positive {
        func.call @copy(%x, %y) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      }
      return
    })mlir")
                           .str(),
                       options));
  EXPECT_EQ(messages,
            "'scf.if' op decides about a call of a kernel, but timing "
            "needs calls in an order that does not depend on values\n");
}

TEST_F(ExecutableTest, TimingFollowsConditionsThatAreConstant) {
  ExecutableOptions options;
  options.timingOnly = true;
  std::optional<Executable> executable = prepare((copyKernel + R"mlir(
    func.func @main(%x: memref<4x8xf32>, %y: memref<4x8xf32>,
                    %z: memref<4x8xf32> {trn.result}) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %sum = arith.addi %c1, %c1 : index
      %same = arith.cmpi eq, %sum, %c2 : index
      %from = scf.if %same -> memref<4x8xf32> {
        scf.yield %y : memref<4x8xf32>
      } else {
        func.call @copy(%y, %z) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
        scf.yield %x : memref<4x8xf32>
      }
      func.call @copy(%from, %z) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      func.call @copy(%y, %z) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      %never = arith.constant false
      scf.if %never {
        func.call @copy(%x, %z) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      }
      return
    })mlir")
                                                     .str(),
                                                 options);
  ASSERT_TRUE(executable) << messages;
  ArrayRef<RecordedCall> calls = executable->getCalls();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].arguments[0], calls[1].arguments[0]);
}

TEST_F(ExecutableTest, TimingFollowsAnyLoopAndRegionThatIsConstant) {
  ExecutableOptions options;
  options.timingOnly = true;
  std::optional<Executable> executable = prepare((copyKernel + R"mlir(
    func.func @main(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %b: i1) {
      affine.for %i = 0 to 4 step 2 {
        func.call @copy(%x, %y) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      }
      scf.forall (%i, %j) in (2, 3) {
        func.call @copy(%y, %x) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      }
      %c1 = arith.constant 1 : index
      %from = scf.index_switch %c1 -> memref<4x8xf32>
      case 1 {
        func.call @copy(%x, %y) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
        scf.yield %y : memref<4x8xf32>
      }
      default {
        scf.yield %x : memref<4x8xf32>
      }
      func.call @copy(%from, %x) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      return
    })mlir")
                                                     .str(),
                                                 options);
  ASSERT_TRUE(executable) << messages;
  ArrayRef<RecordedCall> calls = executable->getCalls();
  ASSERT_EQ(calls.size(), 2u + 6 + 2);
  EXPECT_EQ(calls.back().arguments[0], calls.front().arguments[1]);
}

TEST_F(ExecutableTest, HostCodeMayNotUseTheCore) {
  EXPECT_FALSE(prepare(R"mlir(
    func.func @main() {
      %tile = trn.alloc offset 0 : memref<4x8xf32, #trn.mem<sbuf>>
      return
    })mlir"));
  EXPECT_EQ(messages,
            "'trn.alloc' op stands in host code, but only functions with "
            "trn.kernel hold trn ops\n");
}

TEST_F(ExecutableTest, FunctionsWithoutBodyCannotRun) {
  EXPECT_FALSE(prepare(R"mlir(
    func.func private @missing()
    func.func @main() {
      call @missing() : () -> ()
      return
    })mlir"));
  EXPECT_EQ(messages,
            "'func.call' op calls @missing, which has no body to run\n"
            "note: declared here\n");
}

TEST_F(ExecutableTest, RecursionIsRefused) {
  EXPECT_FALSE(prepare(R"mlir(
    func.func private @even() {
      call @odd() : () -> ()
      return
    }
    func.func private @odd() {
      call @even() : () -> ()
      return
    }
    func.func @main() {
      call @even() : () -> ()
      return
    })mlir"));
  EXPECT_TRUE(StringRef(messages).contains(
      "calls itself, directly or through others, but host code does not "
      "recurse"))
      << messages;
}

TEST_F(ExecutableTest, EnormousBuffersOnTheHostAreRefused) {
  EXPECT_FALSE(prepare(R"mlir(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %one = arith.constant 1.0 : f32
      %empty = tensor.empty() : tensor<1000000x1000000x100xf32>
      %ones = linalg.fill ins(%one : f32)
          outs(%empty : tensor<1000000x1000000x100xf32>) -> tensor<1000000x1000000x100xf32>
      %some = tensor.extract_slice %ones[0, 0, 0] [1, 1, 4] [1, 1, 1]
          : tensor<1000000x1000000x100xf32> to tensor<4xf32>
      return %some : tensor<4xf32>
    })mlir"));
  EXPECT_TRUE(StringRef(messages).starts_with(
      "host code needs a buffer of type 'memref<1000000x1000000x100xf32>'"))
      << messages;
}

TEST_F(ExecutableTest, CodeThatIsNotCompiledIsAnError) {
  context.allowUnregisteredDialects();
  EXPECT_FALSE(prepare(R"mlir(
    func.func @main() {
      "unknown.op"() : () -> ()
      return
    })mlir"));
  EXPECT_TRUE(StringRef(messages).contains(
      "the host code around the kernels cannot be compiled"))
      << messages;
}

} // namespace
