//===- HostTensorTest.cpp - Tests of tensors in host memory ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/HostTensor.h"

#include "gtest/gtest.h"
#include <vector>

using namespace mlir::trn;

static HostTensor make(HostType type, llvm::ArrayRef<int64_t> shape) {
  return llvm::cantFail(HostTensor::create(type, shape));
}

static std::vector<float> values(const HostTensor &tensor) {
  std::vector<float> result(tensor.numElements());
  tensor.loadF32(0, tensor.numElements(), result.data());
  return result;
}

static std::string message(llvm::Error error) {
  return llvm::toString(std::move(error));
}

TEST(HostTensor, AssignRoundsF32ToNearestEven) {
  float source[] = {1.0f + 0x1p-8f, -3.0f};
  HostTensor tensor = make(ElementType::BF16, {2});
  ArrayView view{ElementType::F32, {2}, reinterpret_cast<char *>(source)};
  EXPECT_FALSE(tensor.assign(view));
  EXPECT_EQ(values(tensor), (std::vector<float>{1.0f, -3.0f}));
}

TEST(HostTensor, AssignReadsUnalignedValues) {
  alignas(float) char bytes[9] = {};
  float source[] = {2.5f, 7.0f};
  std::memcpy(bytes + 1, source, sizeof source);
  HostTensor tensor = make(ElementType::F16, {2});
  EXPECT_FALSE(tensor.assign({ElementType::F32, {2}, bytes + 1}));
  EXPECT_EQ(values(tensor), (std::vector<float>{2.5f, 7.0f}));
}

TEST(HostTensor, AssignTakesIntegersThatFit) {
  int64_t source[] = {-128, 1, 127, 128};
  auto view = [&](int64_t begin, int64_t count) {
    return ArrayView{HostType::integer(64),
                     {count},
                     reinterpret_cast<char *>(source + begin)};
  };
  HostTensor bytes = make(HostType::integer(8), {3});
  EXPECT_FALSE(bytes.assign(view(0, 3)));
  EXPECT_EQ(values(bytes), (std::vector<float>{-128, 1, 127}));
  EXPECT_EQ(message(bytes.assign(view(1, 3))),
            "a value of type i64 does not fit i8");
  EXPECT_EQ(message(make(HostType::integer(1), {1}).assign(view(0, 1))),
            "a value of type i64 does not fit i1");
  float number = 1;
  EXPECT_EQ(message(make(HostType::integer(32), {1})
                        .assign({ElementType::F32,
                                 {1},
                                 reinterpret_cast<char *>(&number)})),
            "element type is f32, but i32 or another integer is needed");
}

TEST(HostTensor, RandomIntegersAreZeroOrOne) {
  HostTensor tensor = make(HostType::integer(16), {1000});
  tensor.fillRandom(1, 2, 1);
  int ones = 0;
  for (float value : values(tensor)) {
    ASSERT_TRUE(value == 0 || value == 1);
    ones += value == 1;
  }
  // Half of them, within six standard deviations of 16.
  EXPECT_NEAR(ones, 500, 96);
}

TEST(HostTensor, AssignRoundsAndWidensFloats) {
  // 1 + 2^-10, and 0x3EAB0000.
  const uint16_t half = 0x3C01, third = 0x3EAB;
  HostTensor rounded = make(ElementType::BF16, {1});
  EXPECT_FALSE(rounded.assign(
      {ElementType::F16, {1}, reinterpret_cast<const char *>(&half)}));
  EXPECT_EQ(values(rounded), std::vector<float>{1});
  HostTensor widened = make(ElementType::F32, {1});
  EXPECT_FALSE(widened.assign(
      {ElementType::BF16, {1}, reinterpret_cast<const char *>(&third)}));
  EXPECT_EQ(values(widened), std::vector<float>{0.333984375f});
}

TEST(HostTensor, AssignTurnsColumnMajorIntoRowMajor) {
  // Element (i, j, k) of a 2x3x2 tensor is 100 i + 10 j + k.
  std::vector<float> source, expected;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        source.push_back(100 * i + 10 * j + k);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 2; ++k)
        expected.push_back(100 * i + 10 * j + k);
  HostTensor tensor = make(ElementType::F32, {2, 3, 2});
  ArrayView view{ElementType::F32,
                 {2, 3, 2},
                 reinterpret_cast<char *>(source.data()),
                 /*columnMajor=*/true};
  EXPECT_FALSE(tensor.assign(view));
  EXPECT_EQ(values(tensor), expected);
}

TEST(HostTensor, AssignRefusesOtherShapesAndTypes) {
  HostTensor tensor = make(ElementType::BF16, {2, 3});
  EXPECT_EQ(message(tensor.assign({ElementType::F32, {3, 2}, nullptr})),
            "shape is 3x2, but 2x3 is needed");
  EXPECT_EQ(message(tensor.assign({HostType::integer(8), {2, 3}, nullptr})),
            "element type is i8, but bf16 or another float is needed");
  HostTensor wide = make(ElementType::F32, {});
  EXPECT_EQ(message(wide.assign({ElementType::F32, {1}, nullptr})),
            "shape is 1, but scalar is needed");
}

TEST(HostTensor, CreateRefusesMoreThanTheHostHas) {
  auto tensor = HostTensor::create(ElementType::BF16, {1 << 30, 1 << 30});
  ASSERT_FALSE(bool(tensor));
  EXPECT_NE(message(tensor.takeError())
                .find("tensor 1073741824x1073741824xbf16 does not fit"),
            std::string::npos);
}

TEST(HostTensor, RandomValuesHaveTheVarianceAskedFor) {
  HostTensor tensor = make(ElementType::F32, {1000, 1000});
  tensor.fillRandom(/*seed=*/7, /*stream=*/0, /*variance=*/0.25);
  double sum = 0, squares = 0;
  for (float value : values(tensor)) {
    sum += value;
    squares += double(value) * value;
  }
  // Standard errors with 1e6 samples: 5e-4 and about 2.2e-4.
  EXPECT_NEAR(sum / 1e6, 0, 2.5e-3);
  EXPECT_NEAR(squares / 1e6, 0.25, 1.5e-3);
}

TEST(HostTensor, RandomValuesDependOnSeedStreamAndIndexOnly) {
  // The longer tensor is filled by more tasks, but starts the same.
  HostTensor small = make(ElementType::F32, {100});
  HostTensor large = make(ElementType::F32, {300000});
  small.fillRandom(1, 2, 1);
  large.fillRandom(1, 2, 1);
  std::vector<float> head = values(large);
  head.resize(100);
  EXPECT_EQ(values(small), head);
  large.fillRandom(1, 3, 1);
  EXPECT_NE(values(large)[0], head[0]);
  large.fillRandom(2, 2, 1);
  EXPECT_NE(values(large)[0], head[0]);
}

TEST(HostTensor, CountElementsSeesOverflow) {
  EXPECT_EQ(countElements({}), 1);
  EXPECT_EQ(countElements({5, 0, int64_t(1) << 62}), 0);
  EXPECT_EQ(countElements({int64_t(1) << 40, int64_t(1) << 40}), std::nullopt);
  EXPECT_EQ(countElements({4, -1}), std::nullopt);
}
