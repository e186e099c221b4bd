//===- TinyModel.h - A random model in a folder -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_TRAIN_TINYMODEL_H
#define TRN_TEST_UNIT_TRAIN_TINYMODEL_H

#include "Differences.h"

#include "trn/Model/Layer.h"
#include "trn/Model/ModelWriter.h"
#include "trn/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::trn {

/// Of two layers; the MLPs are factored, and a part of the attention.
inline ModelConfig makeTinyConfig() {
  ModelConfig config;
  config.hidden = 8;
  config.intermediate = 12;
  config.layers = 2;
  config.heads = 2;
  config.kvHeads = 1;
  config.headDim = 4;
  config.vocabulary = 20;
  config.maxPositions = 16;
  config.tiedHead = true;
  for (const char *module :
       {"0.mlp.gate", "0.mlp.up", "0.mlp.down", "1.mlp.gate", "1.mlp.up",
        "1.mlp.down", "1.self_attn.q", "1.self_attn.o"})
    config.ranks[llvm::formatv("model.layers.{0}_proj", module)] = 3;
  return config;
}

/// A folder with random weights.
class TinyModel : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("trn-train", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  /// The same weights for the same config.
  Checkpoint make(const ModelConfig &config) {
    std::string path = (folder + "/model").str();
    llvm::sys::fs::remove_directories(path);
    ModelWriter writer = llvm::cantFail(
        ModelWriter::create(path, config, ElementType::F32, 1 << 30));
    unsigned seed = 0;
    for (const TensorSpec &tensor : listTensors(config)) {
      std::vector<float> values =
          drawValues(*countElements(tensor.shape), ++seed);
      if (tensor.shape.size() == 1)
        for (float &value : values)
          value = 1 + value / 4;
      llvm::cantFail(writer.write(tensor.name, values));
    }
    llvm::cantFail(writer.finish());
    llvm::cantFail(writeFile(path + "/config.json", [&](llvm::raw_ostream &os) {
      os << llvm::json::Value(toJSON(config));
    }));
    return llvm::cantFail(Checkpoint::open(path));
  }
  static std::vector<Layer> loadLayers(const Checkpoint &checkpoint) {
    std::vector<Layer> layers;
    for (int64_t i = 0; i < checkpoint.config().layers; ++i)
      layers.push_back(llvm::cantFail(Layer::load(checkpoint, i)));
    return layers;
  }

  llvm::SmallString<128> folder;
};

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_TRAIN_TINYMODEL_H
