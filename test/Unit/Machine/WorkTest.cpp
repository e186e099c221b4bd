//===- WorkTest.cpp - Tests of the instruction costs ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/Work.h"

#include "trn/Machine/KnownMachines.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::trn;

namespace {
constexpr ElementType bf16 = ElementType::BF16;
constexpr ElementType f16 = ElementType::F16;
constexpr ElementType f32 = ElementType::F32;
constexpr OperandInfo sbufBF16{bf16};
constexpr OperandInfo sbufF16{f16};
constexpr OperandInfo sbufF32{f32};
constexpr OperandInfo psumF32{f32, /*inPsum=*/true};
constexpr OperandInfo psumBF16{bf16, /*inPsum=*/true};
constexpr OperandInfo stridedBF16{bf16, /*inPsum=*/false, /*contiguous=*/false};

struct Work : testing::Test {
  const Machine &trn1 = *findKnownMachine("trn1");
  const Machine &trn2 = *findKnownMachine("trn2");
};
} // namespace

TEST_F(Work, MatmulTakesItsMovingColumns) {
  EXPECT_EQ(matmulCycles(trn1, bf16, 512), 512);
  EXPECT_EQ(matmulCycles(trn1, f32, 512), 4 * 512);
}

TEST_F(Work, NarrowMatmulTakesSixtyFourColumns) {
  EXPECT_EQ(matmulCycles(trn1, bf16, 64), 64);
  EXPECT_EQ(matmulCycles(trn1, bf16, 1), 64);
  EXPECT_EQ(matmulCycles(trn1, f32, 1), 4 * 64);
}

TEST_F(Work, TransposeMovesAnIdentityOfThePartitions) {
  EXPECT_EQ(tensorTransposeCycles(trn1, bf16, 128), 128);
  EXPECT_EQ(tensorTransposeCycles(trn1, bf16, 16), 64);
  EXPECT_EQ(tensorTransposeCycles(trn1, f32, 128), 4 * 128);
  EXPECT_EQ(tensorTransposeCycles(trn2, f32, 128), 3 * 128);
}

TEST_F(Work, ActivationTakesOneCycleAnElement) {
  EXPECT_EQ(activationCycles(512), 512);
  EXPECT_EQ(activationCycles(1), 1);
  EXPECT_EQ(activationReduceCycles(trn1, 512), 512 + 64);
}

TEST_F(Work, CopyHasFasterModesOnTrn2) {
  EXPECT_EQ(tensorCopyCycles(trn1, sbufBF16, sbufBF16, 512), 512);
  EXPECT_EQ(tensorCopyCycles(trn2, sbufBF16, sbufF16, 512), 512 / 4);
  EXPECT_EQ(tensorCopyCycles(trn2, sbufBF16, stridedBF16, 512), 512 / 2);
  EXPECT_EQ(tensorCopyCycles(trn2, psumBF16, sbufBF16, 512), 512 / 2);
  EXPECT_EQ(tensorCopyCycles(trn2, psumF32, sbufBF16, 512), 512);
  EXPECT_EQ(tensorScalarCycles(trn2, sbufBF16, sbufBF16, 512), 512 / 4);
}

TEST_F(Work, TensorTensorTakesTwoCyclesAnElement) {
  auto add = ElementwiseOp::AddSubtractMultiply;
  EXPECT_EQ(tensorTensorCycles(trn1, add, sbufF32, sbufF32, sbufF32, 512),
            2 * 512);
  EXPECT_EQ(tensorTensorCycles(trn1, add, sbufF16, sbufF16, sbufF16, 512),
            2 * 512);
  EXPECT_EQ(tensorTensorCycles(trn1, add, sbufBF16, sbufBF16, stridedBF16, 512),
            2 * 512);
  EXPECT_EQ(tensorTensorCycles(trn1, ElementwiseOp::Other, sbufBF16, sbufBF16,
                               sbufBF16, 512),
            2 * 512);
  EXPECT_EQ(tensorTensorCycles(trn1, add, psumF32, psumF32, sbufF32, 512),
            2 * 512);
}

TEST_F(Work, TensorTensorTakesOneCycleWhenInputsDoNotCompete) {
  auto add = ElementwiseOp::AddSubtractMultiply;
  EXPECT_EQ(tensorTensorCycles(trn1, add, psumF32, sbufF32, sbufF32, 512), 512);
  EXPECT_EQ(tensorTensorCycles(trn1, add, sbufBF16, sbufBF16, sbufBF16, 512),
            512);
  EXPECT_EQ(tensorTensorCycles(trn2, ElementwiseOp::Other, sbufF16, sbufF16,
                               sbufF16, 512),
            256);
}

TEST_F(Work, TensorTensorOfTrn2FollowsItsModes) {
  auto cycles = [&](const OperandInfo &lhs, const OperandInfo &rhs,
                    const OperandInfo &target) {
    return tensorTensorCycles(trn2, ElementwiseOp::AddSubtractMultiply, lhs,
                              rhs, target, 512);
  };
  EXPECT_EQ(cycles(sbufF32, sbufF32, sbufF32), 512);
  EXPECT_EQ(cycles(sbufF32, sbufBF16, sbufF32), 512);
  EXPECT_EQ(cycles(sbufBF16, sbufBF16, sbufBF16), 256);
  EXPECT_EQ(cycles(psumF32, sbufF32, sbufF32), 512);
}

TEST_F(Work, CopiesOfTrn2FollowTheirForms) {
  EXPECT_EQ(tensorCopyCycles(trn2, sbufF32, sbufF32, 512), 256);
  EXPECT_EQ(tensorCopyCycles(trn2, sbufF32, sbufBF16, 512), 256);
  EXPECT_EQ(tensorCopyCycles(trn2, sbufBF16, sbufF32, 512), 395);
  EXPECT_EQ(memsetCycles(trn2, f32, 0, 512), 410);
}

TEST_F(Work, ReductionsAndScans) {
  EXPECT_EQ(tensorReduceCycles(ReduceOp::AddMax, bf16, bf16, 512), 256);
  EXPECT_EQ(tensorReduceCycles(ReduceOp::AddMax, f32, f32, 512), 512);
  EXPECT_EQ(tensorReduceCycles(ReduceOp::Other, bf16, bf16, 512), 512);
  EXPECT_EQ(tensorScalarReduceCycles(trn1, 512), 512 + 64);
  EXPECT_EQ(tensorTensorScanCycles(512), 2 * 512);
}

TEST_F(Work, ScalarTensorTensorIsFastForEvenBF16) {
  auto multiply = ElementwiseOp::AddSubtractMultiply;
  EXPECT_EQ(scalarTensorTensorCycles(trn1, multiply, bf16, bf16, 512), 512);
  EXPECT_EQ(scalarTensorTensorCycles(trn1, multiply, bf16, bf16, 511), 2 * 511);
  EXPECT_EQ(scalarTensorTensorCycles(trn1, multiply, f32, bf16, 512), 2 * 512);
}

TEST_F(Work, CopiesFromEightBits) {
  OperandInfo source{ElementType::I8}, target{bf16};
  EXPECT_EQ(tensorCopyCycles(trn1, source, target, 512), 512);
  EXPECT_EQ(tensorCopyCycles(trn2, source, target, 1000),
            std::ceil(trn2.vectorCopyByteCycles * 1000));
  // A machine that says nothing of them.
  Machine other = trn2;
  other.vectorCopyByteCycles = 0;
  EXPECT_EQ(tensorCopyCycles(other, source, target, 1000),
            std::ceil(trn2.vectorCopyWideningCycles * 1000));
}

TEST_F(Work, MemsetOfNarrowZerosIsFast) {
  EXPECT_EQ(memsetCycles(trn1, bf16, 0, 512), 256);
  EXPECT_EQ(memsetCycles(trn1, bf16, 1, 512), 512);
  EXPECT_EQ(memsetCycles(trn1, f32, 0, 512), 512);
}

TEST_F(Work, OtherInstructions) {
  EXPECT_EQ(reciprocalCycles(trn1, 512), trn1.reciprocalCyclesPerElement * 512);
  EXPECT_EQ(selectCycles(512), 512);
  EXPECT_EQ(bnStatsCycles(512), 512);
  EXPECT_EQ(bnAggregateCycles(300), 1300);
  EXPECT_EQ(vectorTransposeCycles(8), 8);
  EXPECT_EQ(iotaCycles(trn1, 512), 150 + 512);
  EXPECT_EQ(searchCycles(512), 512);
  EXPECT_EQ(shuffleCycles(512), 512);
  EXPECT_EQ(partitionReduceCycles(trn1, 128, 512), 150 + 7 * 512);
  EXPECT_EQ(partitionReduceCycles(trn1, 1, 512), 150 + 512);
}
