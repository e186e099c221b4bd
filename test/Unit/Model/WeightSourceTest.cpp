//===- WeightSourceTest.cpp - Tests of tensors that programs take ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomModel.h"

#include "trn/Model/WeightSource.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <unistd.h>

using namespace mlir::trn;

namespace {

class WeightSources : public RandomModel {
protected:
  std::string place() const { return (folder + "/model").str(); }
};

constexpr llvm::StringLiteral query = "model.layers.0.self_attn.q_proj.weight";

TEST_F(WeightSources, BorrowWhatTheFileHas) {
  make(makeSmallConfig());
  WeightSource source = llvm::cantFail(WeightSource::open(place()));
  auto load = [&](ElementType type, bool mayWrite = false) {
    return llvm::cantFail(source.load(query, type, {24, 24}, mayWrite));
  };
  HostTensor first = load(ElementType::F32), second = load(ElementType::F32),
             own = load(ElementType::F32, /*mayWrite=*/true),
             narrow = load(ElementType::BF16);
  EXPECT_EQ(first.data(), second.data());
  EXPECT_NE(first.data(), own.data());
  // The file stays mapped for them.
  source = llvm::cantFail(WeightSource::open(place()));
  for (int64_t i = 0; i < first.numElements(); ++i) {
    float borrowed, copied, rounded;
    first.loadF32(i, 1, &borrowed);
    own.loadF32(i, 1, &copied);
    narrow.loadF32(i, 1, &rounded);
    EXPECT_EQ(borrowed, copied);
    EXPECT_NEAR(rounded, borrowed, 0.01 * std::abs(borrowed));
  }
  EXPECT_EQ(llvm::toString(
                source.load(query, ElementType::F32, {24, 48}).takeError()),
            "shape is 24x24, but 24x48 is needed");
}

TEST_F(WeightSources, BorrowNothingUnaligned) {
  alignas(4) const char bytes[9] = {};
  auto borrow = [&](HostType type, const char *data, bool columnMajor = false) {
    return HostTensor::borrow(type, {2}, {type, {2}, data, columnMajor},
                              std::make_shared<int>())
        .has_value();
  };
  EXPECT_TRUE(borrow(ElementType::F32, bytes));
  EXPECT_FALSE(borrow(ElementType::F32, bytes + 1));
  EXPECT_FALSE(borrow(ElementType::BF16, bytes + 1));
  EXPECT_TRUE(borrow(HostType::integer(8), bytes + 1));
  EXPECT_FALSE(borrow(ElementType::F32, bytes, /*columnMajor=*/true));
}

/// Memory of this process that is no page of a file.
int64_t countOwnBytes() {
  auto status = llvm::cantFail(llvm::errorOrToExpected(
      llvm::MemoryBuffer::getFileAsStream("/proc/self/status")));
  llvm::StringRef rest = status->getBuffer().split("RssAnon:").second.ltrim();
  int64_t kilobytes = -1;
  (void)rest.consumeInteger(10, kilobytes);
  return kilobytes << 10;
}

/// A file of `tensors` in bf16 that are all zeros and take no space.
void writeSparse(llvm::StringRef path, llvm::ArrayRef<TensorSpec> tensors) {
  llvm::json::Object header;
  int64_t end = 0;
  for (const TensorSpec &tensor : tensors) {
    int64_t begin = std::exchange(end, end + 2 * *countElements(tensor.shape));
    header[tensor.name] =
        llvm::json::Object{{"dtype", "BF16"},
                           {"shape", llvm::json::Array(tensor.shape)},
                           {"data_offsets", llvm::json::Array{begin, end}}};
  }
  std::string text = llvm::formatv("{0}", llvm::json::Value(std::move(header)));
  text.resize(llvm::alignTo(text.size(), 8), ' ');
  const uint64_t size = text.size();
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os.write(reinterpret_cast<const char *>(&size), sizeof(size));
  os << text;
  os.close();
  ASSERT_EQ(truncate(path.str().c_str(), sizeof(size) + size + end), 0);
}

// As Llama-3.1-8B: 16 GB in eight files.
TEST_F(WeightSources, LargeModelsTakeNoMemory) {
  ModelConfig config = makeSmallConfig();
  config.hidden = 4096;
  config.intermediate = 14336;
  config.layers = 32;
  config.heads = 32;
  config.kvHeads = 8;
  config.headDim = 128;
  config.vocabulary = 128256;
  config.tiedHead = false;
  std::vector<TensorSpec> tensors = listTensors(config);
  llvm::json::Object map;
  const size_t shards = 8, size = tensors.size() / shards + 1;
  for (size_t shard = 0; shard < shards; ++shard) {
    std::string name = llvm::formatv("model-{0}.safetensors", shard);
    auto some = llvm::ArrayRef(tensors).drop_front(shard * size);
    some = some.take_front(std::min(size, some.size()));
    writeSparse((folder + "/" + name).str(), some);
    for (const TensorSpec &tensor : some)
      map[tensor.name] = name;
  }
  std::error_code error;
  llvm::raw_fd_ostream((folder + "/model.safetensors.index.json").str(), error)
      << llvm::json::Value(llvm::json::Object{{"weight_map", std::move(map)}});

  const int64_t before = countOwnBytes();
  WeightSource source = llvm::cantFail(WeightSource::open(folder));
  std::vector<HostTensor> weights;
  int64_t bytes = 0;
  for (const TensorSpec &tensor : tensors) {
    weights.push_back(llvm::cantFail(
        source.load(tensor.name, ElementType::BF16, tensor.shape)));
    bytes += weights.back().numBytes();
  }
  EXPECT_GT(bytes, 16e9);
  EXPECT_GT(before, 0);
  EXPECT_LT(countOwnBytes() - before, int64_t(1) << 30);
  EXPECT_EQ(*static_cast<uint16_t *>(weights.back().data()), 0);
}

} // namespace
