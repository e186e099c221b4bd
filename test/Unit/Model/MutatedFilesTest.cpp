//===- MutatedFilesTest.cpp - Open models and adapters that are damaged ---===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Files of a model with changed bytes, numbers and lengths, above all in their
// headers. They are refused with a word or can be read to their end; that this
// neither crashes nor takes long nor needs much memory is what is tested.
// TRN_MUTANTS says how many, of each kind of file.

#include "../Support/Mutator.h"
#include "trn/Model/HostModel.h"
#include "trn/Model/ModelWriter.h"
#include "trn/Support/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <chrono>
#include <sys/resource.h>

using namespace mlir::trn;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

class MutatedFiles : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("trn-mutants", root));
    config.hidden = 16;
    config.intermediate = 24;
    config.layers = 2;
    config.heads = config.kvHeads = 2;
    config.headDim = 8;
    config.vocabulary = 10;
    config.maxPositions = 32;
    config.tiedHead = true;
    config.ranks["model.layers.1.mlp.up_proj"] = 4;
    ModelWriter writer = llvm::cantFail(ModelWriter::create(
        pathOf("model"), config, ElementType::F32, /*maxShardBytes=*/8000));
    for (const TensorSpec &spec : listTensors(config))
      llvm::cantFail(writer.write(
          spec.name, std::vector<float>(*countElements(spec.shape), 0.5f)));
    llvm::cantFail(writer.finish());
    llvm::json::Value json = toJSON(config);
    llvm::cantFail(writeFile(pathOf("model/config.json"),
                             [&](llvm::raw_ostream &os) { os << json; }));
    AdapterUpdate update{"model.layers.1.mlp.up_v_proj", 4, 16, {}, {}};
    update.down.resize(2 * 16, 1);
    update.up.resize(4 * 2, 1);
    llvm::cantFail(writeAdapter(pathOf("adapter"), update, 2, 4, "model"));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }

  std::string pathOf(StringRef file) const {
    llvm::SmallString<0> path(root);
    llvm::sys::path::append(path, file);
    return path.str().str();
  }

  /// All that `model` holds, after it was changed by `adapter`, if any, and
  /// what it computes.
  static llvm::Error readAll(const std::string &model,
                             const std::string &adapter) {
    llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(model);
    if (!checkpoint)
      return checkpoint.takeError();
    if (!adapter.empty())
      if (llvm::Error error = checkpoint->adapt(adapter))
        return error;
    for (const TensorSpec &spec : listTensors(checkpoint->config()))
      if (auto values = checkpoint->load(spec.name); !values)
        return values.takeError();
    return HostModel(*checkpoint, /*threads=*/1)
        .computeLosses(HostModel::Tokens{1, 2, 3}, [](size_t, size_t) {})
        .takeError();
  }

  /// Damages `file` many times, and reads `model` and `adapter`.
  void run(StringRef file, size_t header, StringRef model, StringRef adapter) {
    std::string path = pathOf(file);
    const std::string whole =
        cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)))
            ->getBuffer()
            .str();
    const size_t count = countMutants(150);
    size_t refused = 0;
    for (size_t number = 0; number < count; ++number) {
      std::string bytes = Mutator(number).mutate(whole, header);
      llvm::cantFail(
          writeFile(path, [&](llvm::raw_ostream &os) { os << bytes; }));
      auto start = std::chrono::steady_clock::now();
      llvm::Error error =
          readAll(pathOf(model), adapter.empty() ? "" : pathOf(adapter));
      std::chrono::duration<double> taken =
          std::chrono::steady_clock::now() - start;
      ASSERT_LT(taken.count(), 10) << file.str() << ", mutant " << number;
      if (!error)
        continue;
      ++refused;
      ASSERT_FALSE(llvm::toString(std::move(error)).empty());
    }
    llvm::cantFail(
        writeFile(path, [&](llvm::raw_ostream &os) { os << whole; }));
    EXPECT_GT(refused, count / 4) << file.str();
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    EXPECT_LT(usage.ru_maxrss, 1 << 20) << file.str() << ": kilobytes";
  }

  ModelConfig config;
  llvm::SmallString<0> root;
};

TEST_F(MutatedFiles, Config) { run("model/config.json", -1, "model", ""); }

TEST_F(MutatedFiles, Index) {
  run("model/model.safetensors.index.json", -1, "model", "");
}

TEST_F(MutatedFiles, Safetensors) {
  run("model/model-00001-of-00003.safetensors", 600, "model", "");
}

TEST_F(MutatedFiles, Llama2c) {
  // Sizes as in the header: 10 words, attention and MLP of one layer, 4
  // positions.
  const int32_t header[] = {16, 24, 1, 2, 2, 10, 4};
  const size_t floats =
      10 * 16 + 16 + 4 * 16 * 16 + 16 + 3 * 16 * 24 + 16 + 4 * 8;
  llvm::cantFail(writeFile(pathOf("model.bin"), [&](llvm::raw_ostream &os) {
    os.write(reinterpret_cast<const char *>(header), sizeof header);
    os << std::string(floats * sizeof(float), '\0');
  }));
  llvm::cantFail(readAll(pathOf("model.bin"), ""));
  run("model.bin", sizeof header, "model.bin", "");
}

TEST_F(MutatedFiles, AdapterConfig) {
  llvm::cantFail(readAll(pathOf("model"), pathOf("adapter")));
  run("adapter/adapter_config.json", -1, "model", "adapter");
}

TEST_F(MutatedFiles, AdapterWeights) {
  run("adapter/adapter_model.safetensors", 300, "model", "adapter");
}
