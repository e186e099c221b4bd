//===- LoadTest.cpp - Tests of work on weights alone ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run after the weights have changed tells what it computes of them and what
// it has kept: nobody loaded them again.
//
//===----------------------------------------------------------------------===//

#include "RunsModules.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

class Loads : public RunsModules {
protected:
  /// Of the first input x [4, 4], and weights w whose elements are `weight`
  /// times their position.
  std::vector<float> runWith(Executable &executable, float weight,
                             bool loads = false) {
    SmallVector<HostTensor> inputs = *bindInputs(entry, {}, "");
    for (auto [index, input] : llvm::enumerate(inputs))
      for (int64_t i = 0; i < input.numElements(); ++i) {
        float value = index == 0 ? 100 * i : weight * i;
        input.storeF32(i, 1, &value);
      }
    SmallVector<HostTensor> results = *allocateResults(entry);
    if (loads)
      EXPECT_TRUE(succeeded(executable.load(inputs))) << messages;
    EXPECT_TRUE(succeeded(executable.run(inputs, results))) << messages;
    std::vector<float> values(results[0].numElements());
    results[0].loadF32(0, values.size(), values.data());
    return values;
  }

  /// x + times wᵀ
  static std::vector<float> sum(float times) {
    std::vector<float> values;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        values.push_back(100 * (4 * i + j) + times * (4 * j + i));
    return values;
  }
};

constexpr const char transposeOnce[] = R"mlir(
  func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32> {trn.param = "w"})
      -> tensor<4x4xf32> {
    %e = tensor.empty() : tensor<4x4xf32>
    %t = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>)
        permutation = [1, 0]
    %y = arith.addf %x, %t : tensor<4x4xf32>
    return %y : tensor<4x4xf32>
  })mlir";

TEST_F(Loads, WeightsAreTransposedOnce) {
  std::optional<Executable> executable = prepare(transposeOnce);
  ASSERT_TRUE(executable) << messages;
  EXPECT_TRUE(executable->hasLoad());
  EXPECT_EQ(runWith(*executable, 1), sum(1));
  // Nobody said that these are others.
  EXPECT_EQ(runWith(*executable, 2), sum(1));
  EXPECT_EQ(runWith(*executable, 2, /*loads=*/true), sum(2));
  EXPECT_EQ(runWith(*executable, 3), sum(2));
}

TEST_F(Loads, InputsAreTransposedAtEachCall) {
  std::string source = transposeOnce;
  source.erase(source.find(" {trn.param"), strlen(" {trn.param = \"w\"}"));
  std::optional<Executable> executable = prepare(source);
  ASSERT_TRUE(executable) << messages;
  EXPECT_FALSE(executable->hasLoad());
  EXPECT_EQ(runWith(*executable, 1), sum(1));
  EXPECT_EQ(runWith(*executable, 2), sum(2));
}

// Through functions that are called, out of loops, and of what was loaded.
TEST_F(Loads, CallersLoadForFunctions) {
  std::optional<Executable> executable = prepare(R"mlir(
    func.func private @transpose(%w: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %e = tensor.empty() : tensor<4x4xf32>
      %t = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>)
          permutation = [1, 0]
      return %t : tensor<4x4xf32>
    }
    func.func private @layer(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>)
        -> tensor<4x4xf32> {
      %two = arith.constant dense<2.0> : tensor<4x4xf32>
      %double = arith.mulf %w, %two : tensor<4x4xf32>
      %t = call @transpose(%double) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %y = arith.addf %x, %t : tensor<4x4xf32>
      return %y : tensor<4x4xf32>
    }
    func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32> {trn.param = "w"})
        -> tensor<4x4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%z = %x)
          -> tensor<4x4xf32> {
        %next = func.call @layer(%z, %w)
            : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
        scf.yield %next : tensor<4x4xf32>
      }
      return %y : tensor<4x4xf32>
    })mlir");
  ASSERT_TRUE(executable) << messages;
  EXPECT_EQ(runWith(*executable, 1), sum(6));
  EXPECT_EQ(runWith(*executable, 2), sum(6));
  EXPECT_EQ(runWith(*executable, 2, /*loads=*/true), sum(12));
}

TEST_F(Loads, CountersOfLoopsAreNoWeights) {
  std::optional<Executable> executable = prepare(R"mlir(
    func.func @main(%x: tensor<4x4xf32>,
                    %stack: tensor<1x4x4xf32> {trn.param = "s"})
        -> tensor<4x4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = tensor.empty() : tensor<4x4xf32>
      %y = scf.for %i = %c0 to %c1 step %c1 iter_args(%z = %x)
          -> tensor<4x4xf32> {
        %w = tensor.extract_slice %stack[%i, 0, 0] [1, 4, 4] [1, 1, 1]
            : tensor<1x4x4xf32> to tensor<4x4xf32>
        %t = linalg.transpose ins(%w : tensor<4x4xf32>)
            outs(%e : tensor<4x4xf32>) permutation = [1, 0]
        %next = arith.addf %z, %t : tensor<4x4xf32>
        scf.yield %next : tensor<4x4xf32>
      }
      return %y : tensor<4x4xf32>
    })mlir");
  ASSERT_TRUE(executable) << messages;
  EXPECT_FALSE(executable->hasLoad());
  EXPECT_EQ(runWith(*executable, 1), sum(1));
  EXPECT_EQ(runWith(*executable, 2), sum(2));
}

TEST_F(Loads, WhatIsLoadedKeepsItsValues) {
  // The sum would go into the memory of %t.
  std::optional<Executable> executable = prepare(R"mlir(
    func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32> {trn.param = "w"})
        -> tensor<4x4xf32> {
      %e = tensor.empty() : tensor<4x4xf32>
      %t = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>)
          permutation = [1, 0]
      %y = linalg.add ins(%x, %t : tensor<4x4xf32>, tensor<4x4xf32>)
          outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %y : tensor<4x4xf32>
    })mlir");
  ASSERT_TRUE(executable) << messages;
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(runWith(*executable, 1), sum(1));
}

TEST_F(Loads, KernelsReadNothingThatNoLoadWrote) {
  std::optional<Executable> executable = prepare((copyKernel + R"mlir(
    func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32> {trn.param = "w"})
        -> tensor<4x8xf32> {
      %e = tensor.empty() : tensor<4x8xf32>
      %half = tensor.insert_slice %w into %e[0, 0] [4, 4] [1, 1]
          : tensor<4x4xf32> into tensor<4x8xf32>
      %in = bufferization.to_buffer %half read_only
          : tensor<4x8xf32> to memref<4x8xf32>
      %out = memref.alloc() : memref<4x8xf32>
      call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      %y = bufferization.to_tensor %out restrict
          : memref<4x8xf32> to tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    })mlir")
                                                     .str());
  ASSERT_TRUE(executable) << messages;
  EXPECT_TRUE(executable->hasLoad());
  SmallVector<HostTensor> inputs = *bindInputs(entry, {}, "");
  SmallVector<HostTensor> results = *allocateResults(entry);
  EXPECT_TRUE(failed(executable->run(inputs, results)));
  EXPECT_NE(messages.find("host code wrote no element 4 of argument #0"),
            std::string::npos)
      << messages;
}

} // namespace
