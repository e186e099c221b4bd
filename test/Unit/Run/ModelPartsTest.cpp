//===- ModelPartsTest.cpp - What of a model takes time --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test/Tools/trn-llm-time-numbers.py splits the time of whole models.
//
//===----------------------------------------------------------------------===//

#include "trn/Run/ModelParts.h"

#include "trn/InitAll.h"
#include "trn/Run/CompiledModule.h"
#include "trn/Run/RunModule.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace mlir;
using namespace mlir::trn;

namespace {
class ModelParts : public testing::Test {
protected:
  ModelParts() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerRunDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Compiles and times the only function of a module, and splits its time.
  TimeSplit split(StringRef source) {
    FailureOr<CompiledModule> compiled =
        CompiledModule::create(parseSourceString<ModuleOp>(source, &context));
    if (failed(compiled))
      return {};
    FailureOr<Report> timed = compiled->time();
    if (failed(timed))
      return {};
    report = std::move(*timed);
    TimeSplit times = splitTime(*compiled->findFunction(""), report);
    EXPECT_EQ(std::accumulate(times.begin(), times.end(), int64_t(0)),
              report.total.sum.latency);
    return times;
  }

  static int64_t of(const TimeSplit &times, ModelPart part) {
    return times[size_t(part)];
  }
  /// What kernels take beside starting.
  int64_t working() const {
    return report.total.sum.latency -
           report.total.launches *
               std::llround(1e3 * report.machine.kernelOverheadNs);
  }

  /// A function of x [4, 128] and weights, with `body` and results of a type.
  std::string makeModule(StringRef weights, StringRef body) {
    return ("func.func @main(%x: tensor<4x128xbf16>, " + weights + ") -> " +
            body)
        .str();
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  Report report;
};
} // namespace

TEST_F(ModelParts, WeightsSayWhatTheyAreOf) {
  EXPECT_EQ(partOf("model.layers.3.mlp.gate_v_proj.weight"), ModelPart::Mlp);
  EXPECT_EQ(partOf("model.layers.0.self_attn.o_proj.weight"),
            ModelPart::Projections);
  EXPECT_EQ(partOf("lm_head.weight"), ModelPart::LmHead);
  EXPECT_EQ(partOf("model.embed_tokens.weight"), ModelPart::LmHead);
  EXPECT_EQ(partOf("model.norm.weight"), ModelPart::Unknown);
  EXPECT_EQ(partOf("model.layers.0.self_attn.q_norm.weight"),
            ModelPart::Unknown);
}

TEST_F(ModelParts, AKernelIsOfItsWeightEvenIfTheHostTransposesIt) {
  TimeSplit times = split(makeModule(
      R"(%w: tensor<256x128xbf16> {trn.param = "model.layers.0.mlp.up_proj.weight"})",
      R"(tensor<4x256xf32> {
    %z = arith.constant dense<0.0> : tensor<4x256xf32>
    %o = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %w : tensor<4x128xbf16>, tensor<256x128xbf16>) outs(%z : tensor<4x256xf32>) -> tensor<4x256xf32>
    return %o : tensor<4x256xf32>
  })"));
  EXPECT_GT(working(), 0);
  EXPECT_EQ(of(times, ModelPart::Mlp), working());
  EXPECT_EQ(report.loadOps.size(), 1u) << "the weight is used as it is";
}

TEST_F(ModelParts, TheBytesOfWeightsSplitTheTimeOfTheirKernel) {
  TimeSplit times = split(makeModule(
      R"(%u: tensor<128x384xbf16> {trn.param = "model.layers.0.mlp.down_proj.weight"},
         %v: tensor<128x128xbf16> {trn.param = "model.layers.1.self_attn.q_proj.weight"})",
      R"((tensor<4x384xf32>, tensor<4x128xf32>) {
    %z = arith.constant dense<0.0> : tensor<4x384xf32>
    %y = arith.constant dense<0.0> : tensor<4x128xf32>
    %o = linalg.matmul ins(%x, %u : tensor<4x128xbf16>, tensor<128x384xbf16>) outs(%z : tensor<4x384xf32>) -> tensor<4x384xf32>
    %p = linalg.matmul ins(%x, %v : tensor<4x128xbf16>, tensor<128x128xbf16>) outs(%y : tensor<4x128xf32>) -> tensor<4x128xf32>
    return %o, %p : tensor<4x384xf32>, tensor<4x128xf32>
  })"));
  ASSERT_EQ(report.calls.size(), 1u);
  EXPECT_EQ(of(times, ModelPart::Mlp), working() * 3 / 4);
  EXPECT_EQ(of(times, ModelPart::Mlp) + of(times, ModelPart::Projections),
            working());
}

static constexpr const char product[] = R"(tensor<4x128xf32> {
    %z = arith.constant dense<0.0> : tensor<4x128xf32>
    %o = linalg.matmul ins(%x, %w : tensor<4x128xbf16>, tensor<128x128xbf16>) outs(%z : tensor<4x128xf32>) -> tensor<4x128xf32>
    return %o : tensor<4x128xf32>
  })";

TEST_F(ModelParts, ProductsWithoutWeightsAreAttention) {
  TimeSplit times = split(makeModule("%w: tensor<128x128xbf16>", product));
  EXPECT_EQ(of(times, ModelPart::Attention), working());
}

TEST_F(ModelParts, WeightsOfOtherNamesAreUnknown) {
  TimeSplit times = split(
      makeModule(R"(%w: tensor<128x128xbf16> {trn.param = "other"})", product));
  EXPECT_EQ(of(times, ModelPart::Unknown), working());
}

TEST_F(ModelParts, ProductsWithConstantsAndGainsAreNormsAndRotaryPositions) {
  TimeSplit times = split(
      makeModule(R"(%g: tensor<128xbf16> {trn.param = "model.norm.weight"})",
                 R"(tensor<4x128xbf16> {
    %w = arith.constant dense<1.0> : tensor<128x128xbf16>
    %z = arith.constant dense<0.0> : tensor<4x128xf32>
    %o = linalg.matmul ins(%x, %w : tensor<4x128xbf16>, tensor<128x128xbf16>) outs(%z : tensor<4x128xf32>) -> tensor<4x128xf32>
    %e = tensor.empty() : tensor<4x128xbf16>
    %n = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%o, %g : tensor<4x128xf32>, tensor<128xbf16>) outs(%e : tensor<4x128xbf16>) {
      ^bb0(%a: f32, %b: bf16, %c: bf16):
        %t = arith.truncf %a : f32 to bf16
        %s = arith.mulf %t, %b : bf16
        linalg.yield %s : bf16
    } -> tensor<4x128xbf16>
    return %n : tensor<4x128xbf16>
  })"));
  EXPECT_GT(working(), 0);
  EXPECT_EQ(of(times, ModelPart::NormsRope), working());
}

TEST_F(ModelParts, CallsElsewhereAreNotFollowed) {
  TimeSplit times = split(R"(
  func.func private @half(%x: tensor<4x128xbf16>, %w: tensor<128x128xbf16>) -> )" +
                          std::string(product) + R"(
  func.func @main(%x: tensor<4x128xbf16>, %w: tensor<128x128xbf16> {trn.param = "lm_head.weight"}) -> tensor<4x128xf32> {
    %o = call @half(%x, %w) : (tensor<4x128xbf16>, tensor<128x128xbf16>) -> tensor<4x128xf32>
    return %o : tensor<4x128xf32>
  })");
  EXPECT_GT(working(), 0);
  EXPECT_EQ(of(times, ModelPart::Unknown), working());
}
