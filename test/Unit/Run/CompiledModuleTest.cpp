//===- CompiledModuleTest.cpp ---------------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/CompiledModule.h"

#include "trn/InitAll.h"
#include "trn/Run/RunModule.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;
using testing::HasSubstr;

static constexpr const char source[] = R"mlir(
  func.func @product(%x: tensor<4x8xbf16>, %w: tensor<8x16xbf16>) -> tensor<4x16xf32> {
    %z = arith.constant dense<0.0> : tensor<4x16xf32>
    %o = linalg.matmul ins(%x, %w : tensor<4x8xbf16>, tensor<8x16xbf16>)
                       outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
    return %o : tensor<4x16xf32>
  }
  func.func @sum(%x: tensor<2xi32>) -> tensor<2xi32> {
    %y = arith.addi %x, %x : tensor<2xi32>
    return %y : tensor<2xi32>
  }
)mlir";

namespace {
class CompiledModules : public testing::Test {
protected:
  CompiledModules() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerRunDialects(registry);
    context.appendDialectRegistry(registry);
    FailureOr<CompiledModule> made = CompiledModule::create(
        parseSourceString<ModuleOp>(source, &context), "machine=trn2");
    if (succeeded(made))
      compiled.emplace(std::move(*made));
  }

  void SetUp() override { ASSERT_TRUE(compiled); }

  /// `count` values of a type.
  template <typename T>
  ArrayView view(HostType type, ArrayRef<int64_t> shape,
                 const std::vector<T> &values) {
    ArrayView view;
    view.type = type;
    view.shape.assign(shape.begin(), shape.end());
    view.data = reinterpret_cast<const char *>(values.data());
    return view;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::string said;
  ScopedDiagnosticHandler handler{&context, [&](Diagnostic &diagnostic) {
                                    said += diagnostic.str() + "\n";
                                    return success();
                                  }};
  std::optional<CompiledModule> compiled;
  std::vector<float> ones = std::vector<float>(128, 1);
};
} // namespace

TEST_F(CompiledModules, RunTheirFunctionsManyTimes) {
  EXPECT_EQ(compiled->getFunctions().size(), 2u);
  EXPECT_EQ(compiled->getMachine().name, "trn2");
  for (float factor : {1.0f, 3.0f}) {
    std::vector<float> values(32, factor);
    SmallVector<HostTensor> inputs;
    inputs.push_back(
        *compiled->bind("product", 0, view(ElementType::F32, {4, 8}, values)));
    inputs.push_back(
        *compiled->bind("product", 1, view(ElementType::F32, {8, 16}, ones)));
    auto results = compiled->run("product", inputs);
    ASSERT_TRUE(succeeded(results)) << said;
    EXPECT_EQ(static_cast<float *>(results->front().data())[63], 8 * factor);
  }
  std::vector<int32_t> numbers = {20, 21};
  SmallVector<HostTensor> inputs;
  inputs.push_back(
      *compiled->bind("sum", 0, view(HostType::integer(32), {2}, numbers)));
  auto results = compiled->run("sum", inputs);
  ASSERT_TRUE(succeeded(results)) << said;
  EXPECT_EQ(static_cast<int32_t *>(results->front().data())[1], 42);
  EXPECT_EQ(said, "");
}

TEST_F(CompiledModules, AreTimedWithoutValues) {
  FailureOr<Report> report = compiled->time("product");
  ASSERT_TRUE(succeeded(report));
  EXPECT_GT(report->total.sum.latency, 0);
  report = compiled->time("sum");
  ASSERT_TRUE(succeeded(report));
  EXPECT_EQ(report->total.sum.latency, 0);
}

TEST_F(CompiledModules, AreHeldToTheirBudgets) {
  EXPECT_TRUE(succeeded(compiled->checkBudget("product")));
  Builder builder(&context);
  FailureOr<func::FuncOp> product = compiled->findFunction("product");
  ASSERT_TRUE(succeeded(product));
  (*product)->setAttr("trn.budget",
                      builder.getDictionaryAttr(builder.getNamedAttr(
                          "latency_ms", builder.getF64FloatAttr(1e-6))));
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(compiled->checkBudget("product")));
  EXPECT_THAT(message, HasSubstr("latency_ms of @product is "));
  EXPECT_THAT(message, HasSubstr("its budget allows at most "));
}

TEST_F(CompiledModules, SayWhichFunctionsThereAre) {
  EXPECT_TRUE(failed(compiled->findFunction("")));
  EXPECT_THAT(said, HasSubstr("the module has 2 functions that can be run; "
                              "choose one: @product, @sum"));
  EXPECT_TRUE(failed(compiled->time("other")));
  EXPECT_THAT(said, HasSubstr("no function @other can be run: @product, @sum"));
}

TEST_F(CompiledModules, RefuseInputsThatDoNotFit) {
  EXPECT_TRUE(failed(
      compiled->bind("product", 2, view(ElementType::F32, {4, 8}, ones))));
  EXPECT_THAT(said, HasSubstr("@product has 2 inputs, but one is given for "
                              "input 2"));
  EXPECT_TRUE(failed(
      compiled->bind("product", 0, view(ElementType::F32, {8, 4}, ones))));
  EXPECT_THAT(said, HasSubstr("cannot bind input 0 of @product: shape is 8x4, "
                              "but 4x8 is needed"));
  SmallVector<HostTensor> inputs;
  EXPECT_TRUE(failed(compiled->run("product", inputs)));
  EXPECT_THAT(said, HasSubstr("@product has 2 inputs, but 0 are given"));
  inputs.push_back(cantFail(HostTensor::create(ElementType::F32, {4, 8})));
  inputs.push_back(cantFail(HostTensor::create(ElementType::F32, {8, 16})));
  EXPECT_TRUE(failed(compiled->run("product", inputs)));
  EXPECT_THAT(said, HasSubstr("input 0 of @product is 4x8 of bf16, but 4x8 of "
                              "f32 is given"));
}

TEST_F(CompiledModules, LoadOtherWeights) {
  FailureOr<CompiledModule> transposed =
      CompiledModule::create(parseSourceString<ModuleOp>(R"mlir(
        func.func @main(%x: tensor<4x8xf32>,
                        %w: tensor<16x8xf32> {trn.param = "w"})
            -> tensor<4x16xf32> {
          %e = tensor.empty() : tensor<8x16xf32>
          %t = linalg.transpose ins(%w : tensor<16x8xf32>)
              outs(%e : tensor<8x16xf32>) permutation = [1, 0]
          %z = arith.constant dense<0.0> : tensor<4x16xf32>
          %o = linalg.matmul ins(%x, %t : tensor<4x8xf32>, tensor<8x16xf32>)
              outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
          return %o : tensor<4x16xf32>
        })mlir",
                                                         &context));
  ASSERT_TRUE(succeeded(transposed)) << said;
  for (float weight : {1.0f, 1.0f, 3.0f}) {
    std::vector<float> values(128, weight);
    SmallVector<HostTensor> inputs;
    inputs.push_back(
        *transposed->bind("", 0, view(ElementType::F32, {4, 8}, ones)));
    inputs.push_back(
        *transposed->bind("", 1, view(ElementType::F32, {16, 8}, values)));
    auto results = transposed->run("", inputs);
    ASSERT_TRUE(succeeded(results)) << said;
    EXPECT_EQ(static_cast<float *>(results->front().data())[63], 8 * weight);
  }
}
