//===- HostMemoryTest.cpp - Tests of the memory of host code --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Runtime/HostMemory.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::trn;

namespace {

TEST(HostMemoryTest, RegionsAreFoundFromTheirFirstByteToTheirEnd) {
  HostMemory memory;
  auto *data = static_cast<char *>(memory.allocate(100, /*origin=*/7));
  ASSERT_TRUE(data);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0u);
  for (size_t offset : {0, 50, 100}) {
    const HostMemory::Region *region = memory.find(data + offset);
    ASSERT_TRUE(region);
    EXPECT_EQ(region->origin, 7u);
  }
  EXPECT_EQ(memory.find(data - 1), nullptr);
  EXPECT_EQ(memory.find(data + 101), nullptr);
}

TEST(HostMemoryTest, FreedRegionsAreKnownUntilTheyAreGivenAway) {
  HostMemory memory;
  void *data = memory.allocate(64, 0);
  EXPECT_TRUE(memory.release(data, /*by=*/3));
  EXPECT_FALSE(memory.release(data, 4));
  EXPECT_EQ(memory.find(data)->freedBy, 3u);
  EXPECT_NE(memory.allocate(64, 1), data);
}

TEST(HostMemoryTest, MemoryThatIsFreedComesBack) {
  HostMemory memory;
  for (int i = 0; i < 200000; ++i)
    ASSERT_TRUE(memory.release(memory.allocate(1 << 10, 0), 0));
}

TEST(HostMemoryTest, LentMemoryIsNotFreed) {
  HostMemory memory;
  float value;
  memory.lend(&value, sizeof(value), HostMemory::Kind::Input, false, 0);
  EXPECT_FALSE(memory.release(&value, 0));
  EXPECT_FALSE(memory.find(&value)->mayWrite);
}

TEST(HostMemoryTest, UnwrittenElementsAreNoNumbers) {
  uint32_t word;
  fillUnwritten(&word, sizeof(word));
  float f32, bf16, f16;
  loadFloats(ElementType::F32, &word, &f32, 1);
  loadFloats(ElementType::BF16, &word, &bf16, 1);
  loadFloats(ElementType::F16, &word, &f16, 1);
  EXPECT_TRUE(std::isnan(f32) && std::isnan(bf16) && std::isnan(f16));
}

TEST(HostMemoryTest, UnwrittenElementsAreFoundExactly) {
  std::vector<float> values(10000);
  EXPECT_EQ(findUnwritten(values.data(), 40000, ElementType::F32), nullptr);
  fillUnwritten(&values[5000], 8);
  values[7000] = NAN;
  std::unique_ptr<WrittenMap> written =
      findUnwritten(values.data(), 40000, ElementType::F32);
  ASSERT_TRUE(written);
  EXPECT_EQ(written->findHole(0, 1, 0, 40000)->byte, 20000);
  EXPECT_FALSE(written->findHole(0, 1, 20008, 40000));
}

} // namespace
