//===- TimeChainTest.cpp - Modelled times of products ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test/Compress/modelled-time.py compares the times with those of trn-run.
//
//===----------------------------------------------------------------------===//

#include "trn/Run/TimeChain.h"
#include "trn/Machine/KnownMachines.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

static ChainSpec chainOf(int64_t rows, int64_t in, std::optional<int64_t> rank,
                         int64_t out) {
  ChainSpec spec;
  spec.m = rows;
  spec.k = in;
  spec.rank = rank;
  spec.n = out;
  return spec;
}

TEST(TimeChain, SmallerFactorsAreFaster) {
  ChainTimer timer(*findKnownMachine("trn1"));
  // 33.6 MB at about 240 GB/s, and 2.6 MB; both after 15 us of overhead.
  EXPECT_NEAR(llvm::cantFail(timer.time(chainOf(1, 2048, {}, 8192))), 0.155,
              0.02);
  EXPECT_NEAR(llvm::cantFail(timer.time(chainOf(1, 2048, 128, 8192))), 0.03,
              0.01);
}

TEST(TimeChain, TheMachineAndTheTypeCount) {
  ChainSpec spec = chainOf(512, 256, 128, 256);
  ChainTimer first(*findKnownMachine("trn1")),
      second(*findKnownMachine("trn2"));
  double narrow = llvm::cantFail(first.time(spec));
  EXPECT_NE(narrow, llvm::cantFail(second.time(spec)));
  spec.type = ElementType::F32;
  EXPECT_LT(narrow, llvm::cantFail(first.time(spec)));
}

TEST(TimeChain, OddSizesAreTimed) {
  ChainTimer timer(*findKnownMachine("trn1"));
  EXPECT_GT(llvm::cantFail(timer.time(chainOf(3, 24, 5, 40))), 0.015);
}

TEST(TimeChain, ImpossibleSizesAreRefused) {
  ChainTimer timer(*findKnownMachine("trn1"));
  EXPECT_EQ(llvm::toString(timer.time(chainOf(0, 24, {}, 40)).takeError()),
            "size m is 0, but at least 1 is needed");
}
