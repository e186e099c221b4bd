//===- WrittenMapTest.cpp - Tests of the map of written bytes -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Interpreter/WrittenMap.h"

#include "gtest/gtest.h"
#include <random>

using namespace mlir::trn;

TEST(WrittenMap, FindsTheFirstHole) {
  WrittenMap map(/*partitions=*/4, /*bytes=*/1024);
  map.set(0, 4, 100, 600);
  EXPECT_FALSE(map.findHole(0, 4, 100, 600));
  std::optional<WrittenMap::Position> hole = map.findHole(1, 3, 98, 600);
  ASSERT_TRUE(hole);
  EXPECT_EQ(hole->partition, 1);
  EXPECT_EQ(hole->byte, 98);
}

TEST(WrittenMap, AgreesWithAPlainMapOnRandomOperations) {
  constexpr int64_t partitions = 5, elements = 300;
  WrittenMap map(partitions, elements * 2);
  bool plain[partitions][elements] = {};
  std::mt19937 random(7);
  auto interval = [&](int64_t size) {
    int64_t a = random() % (size + 1), b = random() % (size + 1);
    return std::make_pair(std::min(a, b), std::max(a, b));
  };
  for (int i = 0; i < 2000; ++i) {
    auto [p0, p1] = interval(partitions);
    auto [lo, hi] = interval(elements);
    bool isWritten = random() % 2;
    if (isWritten)
      map.set(p0, p1, lo * 2, hi * 2);
    else
      map.clear(p0, p1, lo * 2, hi * 2);
    for (int64_t p = p0; p < p1; ++p)
      std::fill(plain[p] + lo, plain[p] + hi, isWritten);
    std::tie(p0, p1) = interval(partitions);
    std::tie(lo, hi) = interval(elements);
    bool anyHole = false;
    for (int64_t p = p0; p < p1; ++p)
      anyHole |=
          std::find(plain[p] + lo, plain[p] + hi, false) != plain[p] + hi;
    std::optional<WrittenMap::Position> hole =
        map.findHole(p0, p1, lo * 2, hi * 2);
    ASSERT_EQ(hole.has_value(), anyHole);
    if (hole)
      EXPECT_FALSE(plain[hole->partition][hole->byte / 2]);
  }
}
