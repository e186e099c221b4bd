//===- LlamaTest.cpp - Modules of language models -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Generate/Llama.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

static LlamaSpec makeSpec() {
  LlamaSpec spec;
  spec.config.hidden = 8;
  spec.config.intermediate = 12;
  spec.config.layers = 2;
  spec.config.heads = 4;
  spec.config.kvHeads = 2;
  spec.config.headDim = 6;
  spec.config.vocabulary = 20;
  spec.config.maxPositions = 64;
  spec.config.qkvBias = spec.config.headNorms = true;
  spec.config.windows = {std::nullopt, 3};
  spec.config.ranks = {{"model.layers.1.self_attn.q_proj", 2}};
  return spec;
}

TEST(Llama, ParametersAreTheTensorsOfTheModel) {
  LlamaSpec spec = makeSpec();
  spec.rows = 5;
  spec.context = 7;
  MLIRContext context;
  auto module = generateLlama(&context, spec);
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  EXPECT_TRUE(succeeded(verify(**module)));
  for (StringRef name : {"prefill", "decode"}) {
    auto function = (*module)->lookupSymbol<func::FuncOp>(name);
    ASSERT_TRUE(function);
    std::vector<TensorSpec> wanted = listTensors(spec.config);
    unsigned first = function.getNumArguments() - wanted.size();
    for (auto [i, tensor] : llvm::enumerate(wanted)) {
      auto param =
          function.getArgAttrOfType<StringAttr>(first + i, "trn.param");
      ASSERT_TRUE(param);
      EXPECT_EQ(param.getValue(), tensor.name);
      auto type =
          cast<RankedTensorType>(function.getArgumentTypes()[first + i]);
      EXPECT_EQ(type.getShape(), ArrayRef<int64_t>(tensor.shape));
    }
  }
}

TEST(Llama, NeedsAFunction) {
  MLIRContext context;
  auto module = generateLlama(&context, makeSpec());
  ASSERT_FALSE(bool(module));
  EXPECT_EQ(toString(module.takeError()),
            "neither rows nor a context is given");
}

TEST(Llama, NeedsAModel) {
  LlamaSpec spec = makeSpec();
  spec.rows = 5;
  spec.config.kvHeads = 3;
  MLIRContext context;
  auto module = generateLlama(&context, spec);
  ASSERT_FALSE(bool(module));
  EXPECT_EQ(toString(module.takeError()),
            "4 heads cannot share 3 kv heads evenly");
}
