//===- TrainFactorsTest.cpp - Tests of training factors -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyModel.h"

#include "trn/Train/TrainFactors.h"

using namespace mlir::trn;

namespace {

/// The dense model is one with other factors in the same places.
class TrainFactorsTest : public TinyModel {
protected:
  TrainFactorsTest() : dense(std::nullopt) {
    std::mt19937 random(1);
    for (int story = 0; story < 12; ++story) {
      stories.push_back({1});
      for (unsigned i = 0; i < 3 + unsigned(story) % 7; ++i)
        stories.back().push_back(int32_t(random() % 20));
    }
    options.steps = 60;
    options.storiesPerStep = 4;
    options.rate = 0.05;
  }
  void SetUp() override {
    TinyModel::SetUp();
    dense.emplace(make(makeTinyConfig()));
    layers = loadLayers(*dense);
    for (Layer &layer : layers)
      for (Linear *linear : {&layer.gate, &layer.up, &layer.down})
        for (float &value : linear->second)
          value *= 0.5f;
  }
  TrainResult train() {
    return llvm::cantFail(
        trainFactors(*dense, layers, stories, options, [](size_t, size_t) {}));
  }
  /// Of some steps in the beginning or end.
  static double mean(llvm::ArrayRef<double> losses) {
    double sum = 0;
    for (double loss : losses)
      sum += loss;
    return sum / double(losses.size());
  }

  std::optional<Checkpoint> dense;
  std::vector<Layer> layers;
  std::vector<HostModel::Tokens> stories;
  TrainOptions options;
};

TEST_F(TrainFactorsTest, ComesNearTheDenseModel) {
  TrainResult result = train();
  ASSERT_EQ(result.losses.size(), 60u);
  llvm::ArrayRef<double> losses = result.losses;
  EXPECT_LT(mean(losses.take_back(6)), 0.1 * mean(losses.take_front(6)));
  EXPECT_TRUE(result.updates.empty());
}

TEST_F(TrainFactorsTest, LearnsTheText) {
  options.objective = Objective::Text;
  TrainResult result = train();
  llvm::ArrayRef<double> losses = result.losses;
  EXPECT_LT(mean(losses.take_back(6)), 0.8 * mean(losses.take_front(6)));
}

TEST_F(TrainFactorsTest, IsTheSameOnAllThreads) {
  options.steps = 3;
  std::vector<Layer> before = layers;
  options.threads = 1;
  TrainResult one = train();
  std::vector<Layer> alone = std::exchange(layers, before);
  options.threads = 3;
  TrainResult three = train();
  EXPECT_EQ(one.losses, three.losses);
  EXPECT_EQ(alone[0].gate.weight, layers[0].gate.weight);
  EXPECT_EQ(alone[1].output.second, layers[1].output.second);
  EXPECT_NE(before[0].gate.weight, layers[0].gate.weight);
}

TEST_F(TrainFactorsTest, AdaptersAreMerged) {
  options.adapterRank = 2;
  options.rate = 0.02;
  std::vector<Layer> before = layers;
  TrainResult result = train();
  llvm::ArrayRef<double> losses = result.losses;
  EXPECT_LT(mean(losses.take_back(6)), 0.8 * mean(losses.take_front(6)));
  ASSERT_EQ(result.updates.size(), 2 * dense->config().ranks.size());
  const AdapterUpdate &update = result.updates[1];
  EXPECT_EQ(update.module, "model.layers.0.mlp.gate_u_proj");
  EXPECT_EQ(update.out, 12);
  EXPECT_EQ(update.in, 3);
  for (int64_t row = 0; row < update.out; ++row)
    for (int64_t column = 0; column < update.in; ++column) {
      float wanted = before[0].gate.second[row * update.in + column];
      for (int64_t i = 0; i < options.adapterRank; ++i)
        wanted += update.up[row * 2 + i] * update.down[i * update.in + column];
      EXPECT_NEAR(layers[0].gate.second[row * update.in + column], wanted,
                  1e-6);
    }
}

TEST_F(TrainFactorsTest, WholeAndFrozenWeightsStay) {
  std::vector<Layer> before = layers;
  options.steps = 2;
  options.frozen = {"model.layers.1.mlp.up_proj"};
  train();
  EXPECT_EQ(before[1].up.weight, layers[1].up.weight);
  EXPECT_EQ(before[1].up.second, layers[1].up.second);
  EXPECT_NE(before[0].up.second, layers[0].up.second);
  EXPECT_EQ(before[0].query.weight, layers[0].query.weight);
  EXPECT_EQ(before[1].value.weight, layers[1].value.weight);
}

TEST_F(TrainFactorsTest, RefusesWhatGrows) {
  options.rate = 1e30;
  auto result =
      trainFactors(*dense, layers, stories, options, [](size_t, size_t) {});
  EXPECT_NE(llvm::toString(result.takeError())
                .find("is not finite; train with smaller steps"),
            std::string::npos);
}

} // namespace
