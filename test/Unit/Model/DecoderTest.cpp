//===- DecoderTest.cpp - Tests of models with kept keys and values --------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomModel.h"

#include "trn/Model/Decoder.h"
#include "trn/Model/HostModel.h"
#include "trn/Model/Product.h"
#include "trn/Model/Stream.h"

using namespace mlir::trn;

namespace {

std::vector<int32_t> makeTokens(const ModelConfig &config, int64_t count) {
  std::vector<int32_t> tokens;
  for (int64_t i = 0; i < count; ++i)
    tokens.push_back((7 * i * i + 3 * i + 1) % config.vocabulary);
  return tokens;
}

/// Logits of all tokens, [tokens, vocabulary].
std::vector<float> runHostModel(const Checkpoint &checkpoint,
                                const std::vector<int32_t> &tokens) {
  const ModelConfig &config = checkpoint.config();
  Stream stream = llvm::cantFail(
      HostModel(checkpoint, 1)
          .computeOutputs(HostModel::Tokens(tokens), [](size_t, size_t) {}));
  std::vector<float> head = llvm::cantFail(checkpoint.load(
      config.tiedHead ? "model.embed_tokens.weight" : "lm_head.weight"));
  std::vector<float> logits(tokens.size() * config.vocabulary);
  multiply(tokens.size(), config.vocabulary, config.hidden,
           {stream.values.data(), config.hidden},
           transposed(head.data(), config.hidden), logits.data(),
           config.vocabulary);
  return logits;
}

/// Feeds a prompt of `prompt` tokens, then the others one by one.
void expectAgreement(const Checkpoint &checkpoint, int64_t count,
                     int64_t prompt) {
  const ModelConfig &config = checkpoint.config();
  std::vector<int32_t> tokens = makeTokens(config, count);
  std::vector<float> wanted = runHostModel(checkpoint, tokens);
  auto decoder = llvm::cantFail(Decoder::create(checkpoint, count, 1));
  for (int64_t at = 0; at < count;) {
    const int64_t more = at ? 1 : prompt;
    llvm::ArrayRef<float> logits =
        llvm::cantFail(decoder->feed(llvm::ArrayRef(tokens).slice(at, more)));
    at += more;
    EXPECT_EQ(decoder->length(), at);
    const float *own = wanted.data() + (at - 1) * config.vocabulary;
    float most = 0, error = 0;
    for (int64_t i = 0; i < config.vocabulary; ++i) {
      most = std::max(most, std::abs(own[i]));
      error = std::max(error, std::abs(own[i] - logits[i]));
    }
    ASSERT_LT(error, 1e-5 * most) << "after token " << at - 1;
  }
}

using DecoderModel = RandomModel;

TEST_F(DecoderModel, Llama) { expectAgreement(make(makeSmallConfig()), 20, 5); }

TEST_F(DecoderModel, Llama3WithItsOwnHead) {
  ModelConfig config = makeSmallConfig();
  config.tiedHead = false;
  config.ropeScaling = RopeScaling{8, 1, 4, 16};
  config.ropeBase = 500000;
  expectAgreement(make(config), 20, 1);
}

TEST_F(DecoderModel, WindowsShorterThanWhatThereIs) {
  ModelConfig config = makeSmallConfig(); // Mistral, and Qwen 2 in one layer
  config.windows = {5, 5};
  expectAgreement(make(config), 20, 9);
  config.qkvBias = true;
  config.windows = {std::nullopt, 7};
  expectAgreement(make(config), 20, 3);
}

TEST_F(DecoderModel, BiasesOfQwen2) {
  ModelConfig config = makeSmallConfig();
  config.qkvBias = true;
  expectAgreement(make(config), 20, 5);
}

TEST_F(DecoderModel, NormsOfHeadsOfQwen3) {
  ModelConfig config = makeSmallConfig();
  config.headNorms = true;
  config.headDim = 6;
  expectAgreement(make(config), 20, 5);
}

TEST_F(DecoderModel, Factors) {
  ModelConfig config = makeSmallConfig();
  for (const char *module : {"0.mlp.gate_proj", "1.mlp.down_proj",
                             "1.self_attn.q_proj", "0.self_attn.o_proj"})
    config.ranks[std::string("model.layers.") + module] = 8;
  config.qkvBias = true;
  expectAgreement(make(config), 20, 5);
}

TEST_F(DecoderModel, NarrowTypes) {
  for (ElementType type : {ElementType::BF16, ElementType::F16})
    expectAgreement(make(makeSmallConfig(), type), 20, 5);
}

TEST_F(DecoderModel, PromptInSeveralBlocks) {
  ModelConfig config = makeSmallConfig();
  config.maxPositions = 600;
  expectAgreement(make(config), 600, 590);
}

TEST_F(DecoderModel, ThreadsChangeNoValue) {
  ModelConfig config = makeSmallConfig();
  config.vocabulary = 40000; // several parts
  Checkpoint checkpoint = make(config);
  std::vector<int32_t> tokens = makeTokens(config, 4);
  auto one = llvm::cantFail(Decoder::create(checkpoint, 5, 1));
  auto three = llvm::cantFail(Decoder::create(checkpoint, 5, 3));
  for (const std::vector<int32_t> &part : {tokens, {17}})
    EXPECT_EQ(llvm::cantFail(one->feed(part)),
              llvm::cantFail(three->feed(part)));
}

std::string refusalOf(Decoder &decoder, llvm::ArrayRef<int32_t> tokens) {
  return llvm::toString(decoder.feed(tokens).takeError());
}

TEST_F(DecoderModel, TokensThatItDoesNotTake) {
  Checkpoint checkpoint = make(makeSmallConfig());
  auto decoder = llvm::cantFail(Decoder::create(checkpoint, 3, 1));
  EXPECT_EQ(refusalOf(*decoder, {}), "there is no token");
  EXPECT_EQ(refusalOf(*decoder, {1, 50}),
            "token 50 is outside of the vocabulary of 50");
  EXPECT_EQ(refusalOf(*decoder, {-1}),
            "token -1 is outside of the vocabulary of 50");
  (void)llvm::cantFail(decoder->feed({1, 2}));
  EXPECT_EQ(refusalOf(*decoder, {1, 2}),
            "there is room for 3 tokens, but 4 are needed");
}

TEST_F(DecoderModel, ValuesThatAreNotFinite) {
  auto makeLarge = [&](llvm::StringRef large) {
    return make(makeSmallConfig(), ElementType::F32,
                [&](llvm::StringRef name, std::vector<float> &values) {
                  if (name == large)
                    values.assign(values.size(), 3e38f);
                });
  };
  Checkpoint inLayer = makeLarge("model.layers.1.mlp.up_proj.weight");
  auto decoder = llvm::cantFail(Decoder::create(inLayer, 8, 1));
  EXPECT_EQ(refusalOf(*decoder, {1, 2}),
            "layer 1 makes a value that is not finite of one of the tokens 0 "
            "to 1");
  Checkpoint atEnd = makeLarge("model.norm.weight");
  decoder = llvm::cantFail(Decoder::create(atEnd, 8, 1));
  EXPECT_EQ(refusalOf(*decoder, {1, 2}), "a logit after token 1 is not finite");
}

TEST_F(DecoderModel, MoreMemoryThanThereIs) {
  Checkpoint checkpoint = make(makeSmallConfig());
  std::string refusal = llvm::toString(
      Decoder::create(checkpoint, int64_t(1) << 40, 1).takeError());
  EXPECT_EQ(refusal.rfind("the weights and the keys and values of "
                          "1099511627776 tokens need 211,106,232,5",
                          0),
            0u)
      << refusal;
  EXPECT_NE(refusal.find(" are available"), std::string::npos) << refusal;
}

} // namespace
