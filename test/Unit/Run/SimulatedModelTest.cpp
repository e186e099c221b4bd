//===- SimulatedModelTest.cpp - Tests of models on the core ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Model/RandomModel.h"

#include "trn/Machine/KnownMachines.h"
#include "trn/Model/Decoder.h"
#include "trn/Run/SimulatedModel.h"

using namespace mlir::trn;

namespace {

class SimulatedModels : public RandomModel {
protected:
  llvm::Expected<std::unique_ptr<SimulatedModel>>
  simulate(const ModelConfig &config, int64_t rows,
           std::optional<int64_t> context,
           ElementType type = ElementType::F32) {
    LlamaSpec spec;
    spec.config = config;
    spec.type = type;
    spec.rows = rows;
    spec.context = context;
    spec.allLogits = !context;
    SimulatedModel::Options options;
    options.machine = *findKnownMachine("trn1");
    options.threads = 1;
    options.effort = 1;
    return SimulatedModel::create(
        spec, llvm::cantFail(WeightSource::open((folder + "/model").str())),
        options);
  }

  /// That a model and the host agree on a prompt and some tokens after it.
  void expectAgreement(const ModelConfig &config,
                       ElementType type = ElementType::F32,
                       double tolerance = 1e-5) {
    constexpr int64_t prompt = 5, context = 8;
    Checkpoint checkpoint = make(config);
    auto decoder = llvm::cantFail(Decoder::create(checkpoint, context, 1));
    auto model = llvm::cantFail(simulate(config, prompt, context, type));
    // After the last token that there is room for a text may begin again.
    for (int64_t round : {0, 1}) {
      model->reset();
      if (round)
        decoder = llvm::cantFail(Decoder::create(checkpoint, context, 1));
      for (int64_t at = 0; at < context; at += at ? 1 : prompt) {
        std::vector<int32_t> tokens;
        for (int64_t i = 0; i < (at ? 1 : prompt); ++i)
          tokens.push_back((7 * (at + i + round) + 1) % config.vocabulary);
        llvm::ArrayRef<float> wanted = llvm::cantFail(decoder->feed(tokens)),
                              found = llvm::cantFail(model->feed(tokens));
        ASSERT_EQ(found.size(), wanted.size());
        float most = 0, error = 0;
        for (size_t i = 0; i < wanted.size(); ++i) {
          most = std::max(most, std::abs(wanted[i]));
          error = std::max(error, std::abs(wanted[i] - found[i]));
        }
        EXPECT_LT(error, tolerance * most) << "after token " << at;
      }
    }
    auto times = model->time();
    ASSERT_EQ(times.size(), 2u);
    EXPECT_EQ(times[0].first, "prefill");
    EXPECT_EQ(times[1].first, "decode");
    for (auto &[name, report] : times)
      EXPECT_GT(report.total.sum.latency, 0) << name;
    for (auto &[name, seconds] : model->getHostSeconds())
      EXPECT_GT(seconds, 0) << name;
  }
};

TEST_F(SimulatedModels, LlamaWithFactors) {
  ModelConfig config = makeSmallConfig();
  config.ranks["model.layers.0.mlp.gate_proj"] = 8;
  config.ranks["model.layers.1.mlp.down_proj"] = 8;
  expectAgreement(config);
}

TEST_F(SimulatedModels, MistralWithWindow) {
  ModelConfig config = makeSmallConfig();
  config.layers = 1;
  config.windows = {4};
  expectAgreement(config);
}

TEST_F(SimulatedModels, BiasesOfQwen2) {
  ModelConfig config = makeSmallConfig();
  config.layers = 1;
  config.qkvBias = true;
  expectAgreement(config);
}

TEST_F(SimulatedModels, NormsOfHeadsOfQwen3) {
  ModelConfig config = makeSmallConfig();
  config.layers = 1;
  config.headNorms = true;
  config.headDim = 6;
  expectAgreement(config);
}

TEST_F(SimulatedModels, NarrowTypes) {
  ModelConfig config = makeSmallConfig();
  config.layers = 1;
  expectAgreement(config, ElementType::BF16, 0.03);
}

TEST_F(SimulatedModels, LogitsOfAllRows) {
  ModelConfig config = makeSmallConfig();
  config.layers = 1;
  Checkpoint checkpoint = make(config);
  auto model = llvm::cantFail(simulate(config, 6, std::nullopt));
  for (const std::vector<int32_t> &tokens :
       {std::vector<int32_t>{1, 17, 4, 9, 30, 2}, {5, 6, 7}}) {
    model->reset();
    llvm::ArrayRef<float> found = llvm::cantFail(model->feed(tokens));
    ASSERT_EQ(int64_t(found.size()),
              int64_t(tokens.size()) * config.vocabulary);
    auto decoder = llvm::cantFail(Decoder::create(checkpoint, 6, 1));
    for (int32_t token : tokens) {
      llvm::ArrayRef<float> wanted = llvm::cantFail(decoder->feed(token));
      for (int64_t i = 0; i < config.vocabulary; ++i)
        EXPECT_NEAR(found[i], wanted[i], 1e-4);
      found = found.drop_front(config.vocabulary);
    }
  }
}

std::string refusalOf(SimulatedModel &model, llvm::ArrayRef<int32_t> tokens) {
  return llvm::toString(model.feed(tokens).takeError());
}

TEST_F(SimulatedModels, TokensThatTheyDoNotTake) {
  ModelConfig config = makeSmallConfig();
  config.layers = 1;
  Checkpoint checkpoint = make(config);
  auto model = llvm::cantFail(simulate(config, 3, 4));
  EXPECT_EQ(refusalOf(*model, {}), "there is no token");
  EXPECT_EQ(refusalOf(*model, {1, 2, 50}),
            "token 50 is outside of the vocabulary of 50");
  EXPECT_EQ(refusalOf(*model, {1, 2}),
            "the model is compiled for 3 first tokens, but 2 are given");
  (void)llvm::cantFail(model->feed({1, 2, 3}));
  EXPECT_EQ(refusalOf(*model, {1, 2}),
            "there is room for 4 tokens, but 5 are needed");
  model->reset();
  auto longer = llvm::cantFail(simulate(config, 1, 4));
  (void)llvm::cantFail(longer->feed({1}));
  EXPECT_EQ(refusalOf(*longer, {1, 2}),
            "tokens after the first ones come one by one, but 2 are given");
  auto all = llvm::cantFail(simulate(config, 3, std::nullopt));
  EXPECT_EQ(refusalOf(*all, {1, 2, 3, 4}),
            "the model is compiled for at most 3 first tokens, but 4 are "
            "given");
}

TEST_F(SimulatedModels, ValuesThatAreNotFinite) {
  ModelConfig config = makeSmallConfig();
  config.layers = 1;
  Checkpoint checkpoint =
      make(config, ElementType::F32,
           [](llvm::StringRef name, std::vector<float> &values) {
             if (name == "model.norm.weight")
               values.assign(values.size(), 3e38f);
           });
  auto model = llvm::cantFail(simulate(config, 2, std::nullopt));
  EXPECT_EQ(refusalOf(*model, {1, 2}), "a logit after token 0 is not finite");
}

TEST_F(SimulatedModels, WeightsOfAnotherModel) {
  ModelConfig config = makeSmallConfig();
  config.layers = 1;
  Checkpoint checkpoint = make(config);
  config.intermediate = 48;
  EXPECT_EQ(llvm::toString(simulate(config, 1, std::nullopt).takeError()),
            "tensor 'model.layers.0.mlp.gate_proj.weight': shape is 40x24, but "
            "48x24 is needed");
}

} // namespace
