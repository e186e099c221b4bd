//===- LivesTest.cpp - Tests of the lives of buffers ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Placement/Lives.h"
#include "gtest/gtest.h"

using namespace mlir::trn::placement;

static constexpr bool isTransfer = true, isOnTensor = true;

TEST(LivesTest, a_use_in_a_loop_lasts_until_it_ends) {
  LifeRecorder recorder;
  recorder.allocate({/*size=*/4}, /*isDecided=*/false); // step 0
  recorder.beginLoop(3);                                // 1
  recorder.execute(0, !isTransfer, !isOnTensor);        // 2
  recorder.endLoop();                                   // 3
  recorder.execute({}, !isTransfer, !isOnTensor);       // 4
  Lives lives = recorder.take();
  EXPECT_EQ(lives[0].lastUse, 3);
  EXPECT_EQ(lives[0].range.begin, 0);
  EXPECT_EQ(lives[0].range.end, 4);
  EXPECT_EQ(recorder.numSteps(), 5);
}

/// Two loops around a buffer that a DMA fills and the tensor engine reads in
/// the first of two instructions.
static Life inTwoLoops(int64_t trips) {
  LifeRecorder recorder;
  recorder.beginLoop(trips);                            // 0
  recorder.beginLoop(trips);                            // 1
  recorder.allocate({/*size=*/4}, /*isDecided=*/false); // 2
  recorder.execute(0, isTransfer, !isOnTensor);         // 3
  recorder.execute(0, !isTransfer, isOnTensor);         // 4
  recorder.execute({}, !isTransfer, isOnTensor);        // 5
  recorder.endLoop();                                   // 6
  recorder.endLoop();                                   // 7
  return recorder.take().front();
}

TEST(LivesTest, several_slots_live_in_the_whole_loop) {
  Life life = inTwoLoops(3);
  EXPECT_EQ(life.describe(1).begin, 2);
  EXPECT_EQ(life.describe(1).end, 5);
  EXPECT_EQ(life.describe(2).begin, 1);
  EXPECT_EQ(life.describe(2).end, 7);
  EXPECT_EQ(life.describe(1, /*keptLoops=*/9).end, 8);
}

TEST(LivesTest, what_never_executes_is_live_with_nothing) {
  LifeRecorder recorder;
  recorder.allocate({/*size=*/4}, /*isDecided=*/false);
  recorder.beginLoop(0);
  recorder.allocate({/*size=*/4}, /*isDecided=*/false);
  recorder.allocate({/*size=*/4}, /*isDecided=*/false);
  recorder.execute({0, 1, 2}, !isTransfer, !isOnTensor);
  recorder.endLoop();
  Lives lives = recorder.take();
  for (int64_t slots : {1, 2})
    for (int32_t other : {0, 2})
      EXPECT_FALSE(
          lives[1].describe(slots).isLiveWith(lives[other].describe()));
  Problem problem = describe(lives, /*capacity=*/4);
  EXPECT_TRUE(place(lives, problem));
}

TEST(LivesTest, executions_multiply_and_saturate) {
  EXPECT_EQ(inTwoLoops(3).executions, 9);
  EXPECT_EQ(inTwoLoops(int64_t(1) << 40).executions,
            std::numeric_limits<int32_t>::max());
}

TEST(LivesTest, half_of_the_tensor_work_is_beside_it) {
  Life life = inTwoLoops(3);
  EXPECT_TRUE(life.isTransferred);
  EXPECT_EQ(life.restShare, 0.5);
}

TEST(LivesTest, undecided_buffers_share_what_is_left) {
  LifeRecorder recorder;
  recorder.allocate({/*size=*/1, /*slots=*/2}, /*isDecided=*/true);
  recorder.beginLoop(100);
  for (int32_t buffer : {1, 2}) {
    recorder.allocate({/*size=*/1}, /*isDecided=*/false);
    recorder.execute(buffer, !isTransfer, isOnTensor);
  }
  recorder.execute({0, 1}, !isTransfer, !isOnTensor);
  recorder.endLoop();
  Lives lives = recorder.take();
  Problem problem = describe(lives, /*capacity=*/8);
  spreadEvenly(lives, problem);
  EXPECT_EQ(problem.buffers[0].slots, 2);
  EXPECT_EQ(problem.buffers[1].slots, 3);
  EXPECT_EQ(problem.buffers[2].slots, 3);
  EXPECT_TRUE(place(lives, problem));
}

TEST(LivesTest, what_is_loaded_keeps_its_place_if_there_is_room) {
  Lives lives(1, inTwoLoops(3));
  Problem problem = describe(lives, /*capacity=*/4);
  ASSERT_TRUE(place(lives, problem));
  EXPECT_EQ(problem.buffers.front().begin, 1);
  EXPECT_EQ(problem.buffers.front().end, 7);
  Problem small = describe(lives, /*capacity=*/3);
  EXPECT_FALSE(place(lives, small));
}
