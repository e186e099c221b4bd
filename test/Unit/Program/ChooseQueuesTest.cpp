//===- ChooseQueuesTest.cpp - Tests of the queues of loads ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/ChooseQueues.h"
#include "trn/Program/ProgramBuilder.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

/// Rows of 64 elements in HBM, and a tile of one such row.
class RowBuilder : public ProgramBuilder {
public:
  RowBuilder() : ProgramBuilder("kernel") {}

  void store(LinearExpr row) {
    execute(Engine::Store, Semantics::Copy, {tile(own, 1, 0, 64)},
            hbm(result, row * 64, {{64, 1}}));
  }
  void load(LinearExpr row, int64_t rows = 1) { loadFrom(result, row, rows); }
  void loadFrom(int32_t buffer, LinearExpr row, int64_t rows = 1) {
    execute(Engine::Load, Semantics::Copy,
            {hbm(buffer, row * 64, {{rows, 64}, {64, 1}})},
            tile(own, rows, 0, 64));
  }
  /// Of all transfers, in order: L for loads, S for stores.
  std::string choose() {
    Program program = take();
    chooseQueues(program);
    std::string queues;
    for (const Instruction &instruction : program.instructions)
      queues += instruction.engine == Engine::Load ? 'L' : 'S';
    return queues;
  }

  int32_t weight = argument(ElementType::F32, 1024);
  int32_t result = argument(ElementType::F32, 1024, /*isResult=*/true);
  int32_t own = sbuf(ElementType::F32, 16, 64, 0);
};

TEST(ChooseQueues, StoresAreReadBackInTheirQueue) {
  RowBuilder b;
  b.loadFrom(b.weight, 0);
  b.store(3);
  b.load(3);
  b.load(0, /*rows=*/8);
  b.loadFrom(b.weight, 3);
  EXPECT_EQ(b.choose(), "LSSSL");
}

TEST(ChooseQueues, WhatNothingWasStoredToIsLoaded) {
  RowBuilder b;
  b.load(3);
  b.store(3);
  EXPECT_EQ(b.choose(), "LS");
}

/// Before the last store is there, strips that are complete can be read.
TEST(ChooseQueues, OtherRowsThanTheLastOnesNeedNotWait) {
  RowBuilder b;
  b.store(2);
  b.store(3);
  b.load(2);
  EXPECT_EQ(b.choose(), "SSL");
}

TEST(ChooseQueues, PiecesWaitTogether) {
  RowBuilder b;
  b.store(2);
  b.store(3);
  b.load(2);
  b.load(3);
  EXPECT_EQ(b.choose(), "SSSS");
}

TEST(ChooseQueues, OnlyPiecesBeforeTheNextStoreCount) {
  RowBuilder b;
  b.store(2);
  b.store(3);
  b.load(2);
  b.store(4);
  b.load(3);
  EXPECT_EQ(b.choose(), "SSLSL");
}

/// The last of eight stores wrote row 7.
TEST(ChooseQueues, TheLastIterationIsTheLastStore) {
  for (int64_t row : {0, 7}) {
    RowBuilder b;
    int32_t loop = b.beginLoop(8);
    b.store(LinearExpr::counter(loop));
    b.endLoop();
    b.load(row);
    EXPECT_EQ(b.choose(), row == 7 ? "SS" : "SL");
  }
}

TEST(ChooseQueues, LoadsInLoopsStay) {
  RowBuilder b;
  b.store(3);
  b.beginLoop(2);
  b.load(3);
  b.endLoop();
  b.load(3);
  EXPECT_EQ(b.choose(), "SLS");
}

} // namespace
