//===- ReferenceTest.cpp - Tests of the reference evaluation --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/Reference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::trn;

namespace {

/// Evaluates the first function of a module on random inputs of its types.
class Reference : public testing::Test {
protected:
  Reference() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect>();
  }

  /// Fills `inputs` and gives the first result, or nothing.
  std::vector<float> evaluate(StringRef source) {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << message;
    auto function = *module->getOps<func::FuncOp>().begin();
    SmallVector<HostTensor> tensors;
    for (Type type : function.getArgumentTypes()) {
      auto tensor = cast<RankedTensorType>(type);
      ElementType element = tensor.getElementType().isBF16() ? ElementType::BF16
                                                             : ElementType::F32;
      tensors.push_back(
          llvm::cantFail(HostTensor::create(element, tensor.getShape())));
      tensors.back().fillRandom(1, tensors.size(), 1);
      inputs.push_back(values(tensors.back()));
    }
    auto results = computeReference(function, tensors);
    return failed(results) ? std::vector<float>() : values(*results->front());
  }

  static std::vector<float> values(const HostTensor &tensor) {
    std::vector<float> result(tensor.numElements());
    tensor.loadF32(0, tensor.numElements(), result.data());
    return result;
  }

  static void expectNear(const std::vector<float> &actual,
                         const std::vector<float> &expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i)
      EXPECT_NEAR(actual[i], expected[i], 1e-5) << "element " << i;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<std::vector<float>> inputs;
  std::string message;
};

} // namespace

TEST_F(Reference, MultipliesInF32AndKeepsTheInitialValue) {
  auto actual = evaluate(R"(
    func.func @f(%a: tensor<5x7xbf16>, %b: tensor<7x3xbf16>,
                 %c: tensor<5x3xf32>) -> tensor<5x3xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<5x7xbf16>, tensor<7x3xbf16>)
                         outs(%c : tensor<5x3xf32>) -> tensor<5x3xf32>
      return %r : tensor<5x3xf32>
    })");
  std::vector<float> expected = inputs[2];
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 7; ++k)
        expected[3 * i + j] += inputs[0][7 * i + k] * inputs[1][3 * k + j];
  expectNear(actual, expected);
}

TEST_F(Reference, FollowsTheIndexingMapsOfAProduct) {
  // The first input gives the columns of the result, and both inputs and the
  // result hold the other index first.
  auto actual = evaluate(R"(
    #a = affine_map<(m, n, k) -> (k, m)>
    #b = affine_map<(m, n, k) -> (n, k)>
    #c = affine_map<(m, n, k) -> (n, m)>
    func.func @f(%a: tensor<7x5xf32>, %b: tensor<3x7xf32>) -> tensor<3x5xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<3x5xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>)
        -> tensor<3x5xf32>
      %r = linalg.generic {indexing_maps = [#a, #b, #c],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : tensor<7x5xf32>, tensor<3x7xf32>)
          outs(%z : tensor<3x5xf32>) {
      ^bb0(%x: f32, %y: f32, %s: f32):
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        linalg.yield %t : f32
      } -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    })");
  std::vector<float> expected(15);
  for (int n = 0; n < 3; ++n)
    for (int m = 0; m < 5; ++m)
      for (int k = 0; k < 7; ++k)
        expected[5 * n + m] += inputs[0][5 * k + m] * inputs[1][7 * n + k];
  expectNear(actual, expected);
}

TEST_F(Reference, RoundsWhereTheSourceRounds) {
  auto actual = evaluate(R"(
    #id = affine_map<(i) -> (i)>
    func.func @f(%a: tensor<300xf32>) -> tensor<300xbf16> {
      %e = tensor.empty() : tensor<300xbf16>
      %r = linalg.generic {indexing_maps = [#id, #id],
          iterator_types = ["parallel"]}
          ins(%a : tensor<300xf32>) outs(%e : tensor<300xbf16>) {
      ^bb0(%x: f32, %y: bf16):
        %t = arith.truncf %x : f32 to bf16
        linalg.yield %t : bf16
      } -> tensor<300xbf16>
      return %r : tensor<300xbf16>
    })");
  for (size_t i = 0; i < 300; ++i)
    EXPECT_EQ(actual[i], bf16ToFloat(floatToBF16(inputs[0][i])));
}

TEST_F(Reference, RoundsEachOpOfABodyAndSumsOnce) {
  auto actual = evaluate(R"(
    #row = affine_map<(i, j) -> (i, j)>
    #sum = affine_map<(i, j) -> (i)>
    func.func @f(%a: tensor<2x300xbf16>) -> tensor<2xbf16> {
      %e = tensor.empty() : tensor<2x300xbf16>
      %s = linalg.generic {indexing_maps = [#row, #row],
          iterator_types = ["parallel", "parallel"]}
          ins(%a : tensor<2x300xbf16>) outs(%e : tensor<2x300xbf16>) {
      ^bb0(%x: bf16, %y: bf16):
        %q = arith.mulf %x, %x : bf16
        %t = arith.addf %q, %x : bf16
        linalg.yield %t : bf16
      } -> tensor<2x300xbf16>
      %zero = arith.constant 0.0 : bf16
      %e1 = tensor.empty() : tensor<2xbf16>
      %z = linalg.fill ins(%zero : bf16) outs(%e1 : tensor<2xbf16>)
        -> tensor<2xbf16>
      %r = linalg.generic {indexing_maps = [#row, #sum],
          iterator_types = ["parallel", "reduction"]}
          ins(%s : tensor<2x300xbf16>) outs(%z : tensor<2xbf16>) {
      ^bb0(%x: bf16, %y: bf16):
        %t = arith.addf %x, %y : bf16
        linalg.yield %t : bf16
      } -> tensor<2xbf16>
      return %r : tensor<2xbf16>
    })");
  auto round = [](float x) { return bf16ToFloat(floatToBF16(x)); };
  for (int i = 0; i < 2; ++i) {
    float sum = 0;
    for (int j = 0; j < 300; ++j) {
      float x = inputs[0][300 * i + j];
      sum += round(round(x * x) + x);
    }
    EXPECT_EQ(actual[i], round(sum));
  }
}

TEST_F(Reference, RoundsAProductOnce) {
  auto actual = evaluate(R"(
    func.func @f(%a: tensor<1x300xbf16>, %b: tensor<300x1xbf16>,
                 %c: tensor<1x1xbf16>) -> tensor<1x1xbf16> {
      %r = linalg.matmul ins(%a, %b : tensor<1x300xbf16>, tensor<300x1xbf16>)
                         outs(%c : tensor<1x1xbf16>) -> tensor<1x1xbf16>
      return %r : tensor<1x1xbf16>
    })");
  float sum = inputs[2][0];
  for (int k = 0; k < 300; ++k)
    sum += inputs[0][k] * inputs[1][k];
  EXPECT_NEAR(actual[0], sum, std::abs(sum) / 128);
  EXPECT_EQ(actual[0], bf16ToFloat(floatToBF16(actual[0])));
}

TEST_F(Reference, EvaluatesElementwiseBodiesBroadcastsAndReductions) {
  // Row sums of silu(x) * g, with g repeated along rows.
  auto actual = evaluate(R"(
    #x = affine_map<(i, j) -> (i, j)>
    #g = affine_map<(i, j) -> (j)>
    #s = affine_map<(i, j) -> (i)>
    func.func @f(%a: tensor<4x600xf32>, %g: tensor<600xf32>) -> tensor<4xf32> {
      %one = arith.constant 1.0 : f32
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>)
        -> tensor<4xf32>
      %r = linalg.generic {indexing_maps = [#x, #g, #s],
          iterator_types = ["parallel", "reduction"]}
          ins(%a, %g : tensor<4x600xf32>, tensor<600xf32>)
          outs(%z : tensor<4xf32>) {
      ^bb0(%x: f32, %y: f32, %s: f32):
        %n = arith.negf %x : f32
        %p = math.exp %n : f32
        %q = arith.addf %p, %one : f32
        %t = arith.divf %x, %q : f32
        %u = arith.mulf %t, %y : f32
        %v = arith.addf %s, %u : f32
        linalg.yield %v : f32
      } -> tensor<4xf32>
      return %r : tensor<4xf32>
    })");
  std::vector<float> expected(4);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 600; ++j) {
      float x = inputs[0][600 * i + j];
      expected[i] += x / (std::exp(-x) + 1) * inputs[1][j];
    }
  expectNear(actual, expected);
}

TEST_F(Reference, GivesAReshapedResultItsShape) {
  evaluate(R"(
    func.func @f(%x: tensor<6x5xf32>) -> tensor<2x3x5xf32> {
      %y = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 5]
        : tensor<6x5xf32> into tensor<2x3x5xf32>
      return %y : tensor<2x3x5xf32>
    })");
  auto tensor = cantFail(HostTensor::create(ElementType::F32, {6, 5}));
  tensor.fillRandom(/*seed=*/1, /*stream=*/0, /*variance=*/1);
  auto results = computeReference(*module->getOps<func::FuncOp>().begin(),
                                  {std::move(tensor)});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(results->front()->getShape(), ArrayRef<int64_t>({2, 3, 5}));
}

TEST_F(Reference, TransposesSelectsAndReshapes) {
  auto actual = evaluate(R"(
    #id = affine_map<(i, j) -> (i, j)>
    func.func @f(%a: tensor<2x301xf32>) -> tensor<602xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<301x2xf32>
      %t = linalg.transpose ins(%a : tensor<2x301xf32>)
        outs(%e : tensor<301x2xf32>) permutation = [1, 0]
      %r = linalg.generic {indexing_maps = [#id, #id],
          iterator_types = ["parallel", "parallel"]}
          ins(%t : tensor<301x2xf32>) outs(%e : tensor<301x2xf32>) {
      ^bb0(%x: f32, %y: f32):
        %c = arith.cmpf ogt, %x, %zero : f32
        %s = arith.select %c, %x, %zero : f32
        linalg.yield %s : f32
      } -> tensor<301x2xf32>
      %f = tensor.collapse_shape %r [[0, 1]]
        : tensor<301x2xf32> into tensor<602xf32>
      return %f : tensor<602xf32>
    })");
  std::vector<float> expected;
  for (int j = 0; j < 301; ++j)
    for (int i = 0; i < 2; ++i)
      expected.push_back(std::max(inputs[0][301 * i + j], 0.0f));
  EXPECT_EQ(actual, expected);
}

TEST_F(Reference, CallsAndConstants) {
  auto actual = evaluate(R"(
    func.func @f() -> tensor<3xf32> {
      %c = arith.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf32>
      %r = call @g(%c) : (tensor<3xf32>) -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
    func.func private @g(%a: tensor<3xf32>) -> tensor<3xf32> {
      %e = tensor.empty() : tensor<3xf32>
      %r = linalg.add ins(%a, %a : tensor<3xf32>, tensor<3xf32>)
                      outs(%e : tensor<3xf32>) -> tensor<3xf32>
      return %r : tensor<3xf32>
    })");
  EXPECT_EQ(actual, (std::vector<float>{2, -4, 1}));
}

TEST_F(Reference, NamesWhatItDoesNotEvaluate) {
  EXPECT_TRUE(evaluate(R"(
    func.func @f(%a: tensor<3xf32>) -> tensor<1xf32> {
      %r = tensor.extract_slice %a[1] [1] [1]
        : tensor<3xf32> to tensor<1xf32>
      return %r : tensor<1xf32>
    })")
                  .empty());
  EXPECT_EQ(message, "cannot compute reference values: "
                     "'tensor.extract_slice' is not evaluated");
  EXPECT_TRUE(evaluate(R"(
    func.func @f() -> tensor<3xf32> {
      %r = call @f() : () -> tensor<3xf32>
      return %r : tensor<3xf32>
    })")
                  .empty());
  EXPECT_EQ(message, "cannot compute reference values: calls are nested more "
                     "than 64 deep");
}

TEST_F(Reference, RefusesTypesThatItDoesNotRoundTo) {
  EXPECT_TRUE(evaluate(R"(
    #id = affine_map<(i) -> (i)>
    func.func @f(%a: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.generic {indexing_maps = [#id, #id],
          iterator_types = ["parallel"]}
          ins(%a : tensor<3xf32>) outs(%a : tensor<3xf32>) {
      ^bb0(%x: f32, %y: f32):
        %t = arith.truncf %x : f32 to f8E4M3FN
        %u = arith.extf %t : f8E4M3FN to f32
        linalg.yield %u : f32
      } -> tensor<3xf32>
      return %r : tensor<3xf32>
    })")
                  .empty());
  EXPECT_EQ(message, "cannot compute reference values: type 'f8E4M3FN' is not "
                     "evaluated");
}

TEST(RelativeError, IsRelativeAndSeesBadValues) {
  auto make = [](std::vector<float> values) {
    auto tensor = llvm::cantFail(
        HostTensor::create(ElementType::F32, {int64_t(values.size())}));
    tensor.storeF32(0, values.size(), values.data());
    return tensor;
  };
  // |(0, 1)| / |(3, 4)|
  EXPECT_DOUBLE_EQ(relativeError(make({3, 5}), make({3, 4})), 0.2);
  EXPECT_EQ(relativeError(make({0}), make({0})), 0);
  EXPECT_EQ(relativeError(make({}), make({})), 0);
  EXPECT_TRUE(std::isinf(relativeError(make({1}), make({0}))));
  EXPECT_TRUE(std::isnan(relativeError(make({NAN}), make({1}))));
  EXPECT_DOUBLE_EQ(relativeError(make({INFINITY, 3}), make({INFINITY, 4})),
                   0.25);
  EXPECT_DOUBLE_EQ(relativeError(make({NAN, 3}), make({NAN, 4})), 0.25);
  EXPECT_TRUE(std::isnan(relativeError(make({-INFINITY}), make({INFINITY}))));
  EXPECT_TRUE(std::isnan(relativeError(make({1}), make({INFINITY}))));
}
