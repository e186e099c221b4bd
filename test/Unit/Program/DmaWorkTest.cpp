//===- DmaWorkTest.cpp - Tests of the work of transfers -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/DmaWork.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

Work loadWork(AccessDims hbm, AccessDims sbuf,
              ElementType type = ElementType::BF16) {
  return dmaWork({hbm, Space::Hbm, type}, {sbuf, Space::Sbuf, type});
}

TEST(DmaWork, ARowOfATileIsOneDescriptor) {
  // 128 rows of 512 columns out of a matrix with 2048 columns.
  Work work = loadWork({{128, 2048}, {512, 1}}, {{128, 1}, {512, 1}});
  EXPECT_EQ(work.bytes, 128 * 512 * 2);
  EXPECT_EQ(work.descriptors, 128);
}

TEST(DmaWork, PartitionsStayApartEvenIfHbmIsContiguous) {
  Work work = loadWork({{128, 512}, {512, 1}}, {{128, 1}, {512, 1}});
  EXPECT_EQ(work.descriptors, 128);
}

TEST(DmaWork, FoldedPartitionsMakeARowForEachTile) {
  // [128, 4, 512] of a 512 x 512 block in a matrix with 2048 columns.
  Work work = loadWork({{128, 2048}, {4, 128 * 2048}, {512, 1}},
                       {{128, 1}, {4, 512}, {512, 1}});
  EXPECT_EQ(work.descriptors, 128 * 4);
}

TEST(DmaWork, FreeDimsMergeWhereBothSidesAreContiguous) {
  Work work = loadWork({{128, 2048}, {4, 512}, {512, 1}},
                       {{128, 1}, {4, 512}, {512, 1}});
  EXPECT_EQ(work.descriptors, 128);
}

TEST(DmaWork, StridedElementsAreOneDescriptorEach) {
  Work work = loadWork({{128, 1}, {512, 2048}}, {{128, 1}, {512, 1}});
  EXPECT_EQ(work.descriptors, 128 * 512);
}

TEST(DmaWork, ContiguousHbmToHbmIsOneDescriptor) {
  AccessDims dims = {{64, 512}, {512, 1}};
  Work work = dmaWork({dims, Space::Hbm, ElementType::F32},
                      {dims, Space::Hbm, ElementType::F32});
  EXPECT_EQ(work.descriptors, 1);
}

TEST(DmaWork, AConvertingTransferCountsTheWiderSide) {
  AccessDims dims = {{8, 16}, {16, 1}};
  Work work = dmaWork({dims, Space::Hbm, ElementType::F32},
                      {dims, Space::Sbuf, ElementType::BF16});
  EXPECT_EQ(work.bytes, 8 * 16 * 4);
}

TEST(DmaWork, NothingToMoveIsNoDescriptor) {
  Work work = loadWork({{128, 64}, {0, 1}}, {{128, 1}, {0, 1}});
  EXPECT_EQ(work.bytes, 0);
  EXPECT_EQ(work.descriptors, 0);
}

TEST(MergeDims, DropsUnitDimsButThePartition) {
  AccessDims hbm = {{1, 77}, {1, 5}, {6, 1}}, sbuf = {{1, 1}, {1, 6}, {6, 1}};
  mergeDims({&hbm, &sbuf}, /*keepFirst=*/true);
  ASSERT_EQ(hbm.size(), 2u);
  EXPECT_EQ(hbm[1].size, 6);
  mergeDims({&hbm, &sbuf}, /*keepFirst=*/false);
  EXPECT_EQ(sbuf.size(), 1u);
}

} // namespace
