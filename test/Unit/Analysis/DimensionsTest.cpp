//===- DimensionsTest.cpp - Tests of which dimensions are equal -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/Dimensions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

class DimensionsTest : public ::testing::Test {
protected:
  DimensionsTest() {
    context.allowUnregisteredDialects();
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, tensor::TensorDialect>();
  }

  /// Looks at all functions of a module, or at the first `count` of them.
  Dimensions analyze(StringRef text, size_t count = 10) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    functions = llvm::to_vector(module->getOps<func::FuncOp>());
    return Dimensions(ArrayRef(functions).take_front(count));
  }

  Value argument(unsigned index, unsigned function = 0) {
    return functions[function].getArgument(index);
  }
  Value returned(unsigned index = 0, unsigned function = 0) {
    return functions[function].front().getTerminator()->getOperand(index);
  }
  /// The op before the return.
  Operation *last() {
    return functions[0].front().getTerminator()->getPrevNode();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  SmallVector<func::FuncOp> functions;
};

// All of them are 4: what is equal by chance must not be tied.
TEST_F(DimensionsTest, ProductsTieWhatTheirLoopsIndex) {
  Dimensions dimensions = analyze(R"mlir(
    func.func @f(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %y = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %y : tensor<4x4xf32>
    })mlir");
  Value x = argument(0), w = argument(1), y = returned();
  EXPECT_TRUE(dimensions.areTied({x, 0}, {y, 0}));
  EXPECT_TRUE(dimensions.areTied({x, 1}, {w, 0}));
  EXPECT_TRUE(dimensions.areTied({w, 1}, {y, 1}));
  EXPECT_FALSE(dimensions.areTied({x, 0}, {x, 1}));
  EXPECT_FALSE(dimensions.areTied({y, 0}, {y, 1}));
  EXPECT_FALSE(dimensions.isSummed({x, 0}));
  EXPECT_TRUE(dimensions.isSummed({x, 1}));
  EXPECT_TRUE(dimensions.isSummed({w, 0}));
}

TEST_F(DimensionsTest, AllOperandsOfAProductHaveItsBatches) {
  Dimensions dimensions = analyze(R"mlir(
    func.func @f(%x: tensor<4x4x4xf32>, %w: tensor<4x4x4xf32>, %z: tensor<4x4x4xf32>) -> tensor<4x4x4xf32> {
      %y = linalg.batch_matmul ins(%x, %w : tensor<4x4x4xf32>, tensor<4x4x4xf32>) outs(%z : tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
      return %y : tensor<4x4x4xf32>
    })mlir");
  EXPECT_TRUE(dimensions.isBatch({argument(0), 0}));
  EXPECT_TRUE(dimensions.isBatch({returned(), 0}));
  EXPECT_FALSE(dimensions.isBatch({argument(0), 1}));
  EXPECT_FALSE(dimensions.isBatch({argument(1), 2}));
}

TEST_F(DimensionsTest, ElementwiseOpsTieAll) {
  Dimensions dimensions = analyze(R"mlir(
    func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %c = arith.addf %a, %b : tensor<4x4xf32>
      return %c : tensor<4x4xf32>
    })mlir");
  EXPECT_TRUE(dimensions.areTied({argument(0), 0}, {argument(1), 0}));
  EXPECT_TRUE(dimensions.areTied({argument(0), 1}, {returned(), 1}));
  EXPECT_FALSE(dimensions.areTied({argument(0), 0}, {argument(1), 1}));
}

TEST_F(DimensionsTest, ReshapesTieWhatTheyNeitherSplitNorMerge) {
  Dimensions dimensions = analyze(R"mlir(
    func.func @f(%a: tensor<1x4x2x3xf32>) -> tensor<4x6xf32> {
      %b = tensor.collapse_shape %a [[0, 1], [2, 3]] : tensor<1x4x2x3xf32> into tensor<4x6xf32>
      return %b : tensor<4x6xf32>
    })mlir");
  EXPECT_TRUE(dimensions.areTied({argument(0), 1}, {returned(), 0}));
  EXPECT_FALSE(dimensions.areTied({argument(0), 0}, {returned(), 0}));
  EXPECT_FALSE(dimensions.areTied({argument(0), 2}, {returned(), 1}));
  EXPECT_FALSE(dimensions.areTied({argument(0), 3}, {returned(), 1}));
}

TEST_F(DimensionsTest, IndicesOfMoreThanOneLoopAreMixed) {
  Dimensions dimensions = analyze(R"mlir(
    func.func @f(%x: tensor<6xf32>, %k: tensor<3xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
      %y = linalg.conv_1d ins(%x, %k : tensor<6xf32>, tensor<3xf32>) outs(%z : tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    })mlir");
  for (unsigned operand : {0, 1, 2})
    EXPECT_TRUE(dimensions.isMixed(last(), {argument(operand), 0})) << operand;
  EXPECT_FALSE(dimensions.areTied({argument(0), 0}, {returned(), 0}));
  EXPECT_FALSE(dimensions.isMixed(functions[0], {argument(0), 0}));
}

constexpr StringLiteral calls = R"mlir(
  func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %y = func.call @g(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %y : tensor<4x4xf32>
  }
  func.func @g(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %e = tensor.empty() : tensor<4x4xf32>
    %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
    return %t : tensor<4x4xf32>
  })mlir";

TEST_F(DimensionsTest, CallsTieThroughTheBodyOfTheCallee) {
  Dimensions dimensions = analyze(calls);
  EXPECT_TRUE(dimensions.areTied({argument(0), 0}, {argument(0, 1), 0}));
  EXPECT_TRUE(dimensions.areTied({argument(0), 0}, {returned(), 1}));
  EXPECT_FALSE(dimensions.areTied({argument(0), 0}, {returned(), 0}));
  EXPECT_FALSE(dimensions.isOpaque(last()));
}

TEST_F(DimensionsTest, CallsOfOtherFunctionsAreOpaque) {
  Dimensions dimensions = analyze(calls, /*count=*/1);
  EXPECT_TRUE(dimensions.isOpaque(last()));
  EXPECT_FALSE(dimensions.areTied({argument(0), 0}, {returned(), 1}));
}

TEST_F(DimensionsTest, ReturnsOfOneFunctionAreTied) {
  Dimensions dimensions = analyze(R"mlir(
    func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
      "test.branch"()[^one, ^two] : () -> ()
    ^one:
      return %a : tensor<4xf32>
    ^two:
      return %b : tensor<4xf32>
    })mlir");
  EXPECT_TRUE(dimensions.areTied({argument(0), 0}, {argument(1), 0}));
}

TEST_F(DimensionsTest, NothingIsKnownAboutOtherOps) {
  Dimensions dimensions = analyze(R"mlir(
    func.func @f(%a: tensor<4xf32>) -> tensor<2xf32> {
      %b = tensor.extract_slice %a[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
      return %b : tensor<2xf32>
    })mlir");
  EXPECT_TRUE(dimensions.isOpaque(last()));
  EXPECT_FALSE(dimensions.areTied({argument(0), 0}, {returned(), 0}));
}

} // namespace
