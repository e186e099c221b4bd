//===- RandomModel.h - Folders with random weights --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_MODEL_RANDOMMODEL_H
#define TRN_TEST_UNIT_MODEL_RANDOMMODEL_H

#include "trn/Model/ModelWriter.h"
#include "trn/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

namespace mlir::trn {

inline ModelConfig makeSmallConfig() {
  ModelConfig config;
  config.hidden = 24;
  config.intermediate = 40;
  config.layers = 2;
  config.heads = 6;
  config.kvHeads = 3;
  config.headDim = 4;
  config.vocabulary = 50;
  config.maxPositions = 64;
  config.tiedHead = true;
  return config;
}

class RandomModel : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("trn-model", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  /// A folder with weights that are the same each time. `edit` may change a
  /// tensor before it is written.
  Checkpoint make(
      const ModelConfig &config, ElementType type = ElementType::F32,
      llvm::function_ref<void(llvm::StringRef, std::vector<float> &)> edit =
          [](llvm::StringRef, std::vector<float> &) {}) {
    std::string path = (folder + "/model").str();
    llvm::sys::fs::remove_directories(path);
    ModelWriter writer =
        llvm::cantFail(ModelWriter::create(path, config, type, 1 << 30));
    std::mt19937 random(1);
    for (const TensorSpec &tensor : listTensors(config)) {
      std::vector<float> values(*countElements(tensor.shape));
      const bool isGain = tensor.name.find("norm") != std::string::npos;
      const float scale = std::sqrt(12 / float(tensor.shape.back()));
      for (float &value : values) {
        float centred = float(random() % 4096) / 4096 - 0.5f;
        value = isGain ? 1 + centred / 4 : centred * scale;
      }
      edit(tensor.name, values);
      llvm::cantFail(writer.write(tensor.name, values));
    }
    llvm::cantFail(writer.finish());
    llvm::cantFail(writeFile(path + "/config.json", [&](llvm::raw_ostream &os) {
      os << llvm::json::Value(toJSON(config));
    }));
    Checkpoint checkpoint = llvm::cantFail(Checkpoint::open(path));
    EXPECT_EQ(checkpoint.config().windows, config.windows);
    return checkpoint;
  }

  llvm::SmallString<128> folder;
};

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_MODEL_RANDOMMODEL_H
