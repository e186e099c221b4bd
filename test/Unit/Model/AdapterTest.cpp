//===- AdapterTest.cpp - Tests of adapters and of folders -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Adapter.h"
#include "trn/Model/FolderFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

TEST(Adapter, ReadsWhatWasWritten) {
  llvm::SmallString<0> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("trn-adapter", folder));
  ModelConfig config;
  config.hidden = 2;
  config.intermediate = 3;
  config.layers = config.heads = config.kvHeads = 1;
  config.headDim = config.vocabulary = 2;
  config.tiedHead = true;
  const std::string module = "model.layers.0.mlp.up_proj";
  // B = (1 2 3), A = (10 20), scale 4 / 1.
  AdapterUpdate update{module, 3, 2, {10, 20}, {1, 2, 3}};
  llvm::cantFail(writeAdapter(folder, update, 1, 4, "model"));
  Adapter adapter = llvm::cantFail(Adapter::open(folder, config));
  EXPECT_EQ(adapter.modules(), std::vector<std::string>{module});
  std::vector<float> weight(6, 1), rows(2, 1);
  llvm::cantFail(adapter.add(module, 0, weight));
  EXPECT_EQ(weight, (std::vector<float>{41, 81, 81, 161, 121, 241}));
  llvm::cantFail(adapter.add(module, 1, rows));
  EXPECT_EQ(rows, (std::vector<float>{81, 161}));
  llvm::cantFail(adapter.add("model.layers.0.mlp.gate_proj", 0, rows));
  EXPECT_EQ(rows, (std::vector<float>{81, 161}));
  llvm::sys::fs::remove_directories(folder);
}

TEST(FolderFiles, TellsWhatADiskNeeds) {
  llvm::SmallString<0> folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  folder += "/of/no/folder";
  llvm::cantFail(checkDiskSpace(folder, 1));
  std::string message =
      llvm::toString(checkDiskSpace(folder, uint64_t(1) << 62));
  EXPECT_NE(message.find("needs 4,611,686,018,427,387,904 bytes, but its disk "
                         "has only"),
            std::string::npos)
      << message;
}
