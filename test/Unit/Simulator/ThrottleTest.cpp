//===- ThrottleTest.cpp - Tests of an engine that has to warm up ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Simulator/Throttle.h"
#include "RoundMachine.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir::trn;

namespace {

constexpr int64_t window = 3000;

TEST(Throttle, TheFirstWindowOfWorkRunsAtHalfRate) {
  Throttle throttle(window);
  EXPECT_EQ(throttle.run(0, 1000), 1000);   // until 2000
  EXPECT_EQ(throttle.run(2000, 1000), 500); // until 3500; 3000 were slow
  EXPECT_EQ(throttle.run(3500, 1000), 0);
}

TEST(Throttle, LowUseBringsItBack) {
  Throttle throttle(window);
  EXPECT_EQ(throttle.run(0, 9000), 1500); // until 10500
  // 1500 of the latest 3000 were used: still enough.
  EXPECT_EQ(throttle.run(12000, 3000), 0); // until 15000
  EXPECT_EQ(throttle.run(16501, 100), 100);
}

TEST(Throttle, UseIsThatOfTheWholeWindow) {
  Throttle throttle(window);
  throttle.run(0, 9000); // until 10500
  // 600 of 1000, again and again: more than half of every window.
  for (int64_t start = 10900; start < 50000; start += 1000)
    EXPECT_EQ(throttle.run(start, 600), 0) << start;
}

TEST(Throttle, AnEngineOfLowUseStaysSlow) {
  Throttle throttle(window);
  for (int64_t start = 0; start < 50000; start += 1000)
    EXPECT_EQ(throttle.run(start, 200), 200) << start;
}

TEST(Throttle, WithoutAWindowItNeverThrottles) {
  Throttle throttle(0);
  EXPECT_EQ(throttle.run(0, 1000), 0);
}

/// The rule, nanosecond by nanosecond: each of work that comes after a time in
/// which less than half of a window was used begins a slow window.
class Stepwise {
public:
  explicit Stepwise(int64_t window) : window(window), slow(window) {}

  int64_t run(int64_t start, int64_t work) {
    int64_t now = start, left = 2 * work; // in half steps
    for (; left > 0; ++now) {
      used.resize(now + 1, false);
      int64_t time = 0;
      for (int64_t t = std::max<int64_t>(now - window, 0); t < now; ++t)
        time += used[t];
      if (2 * time < window && !(now > 0 && used[now - 1]))
        slow = window;
      left -= slow > 0 ? 1 : 2;
      slow -= slow > 0;
      used[now] = true;
    }
    return now - start - work;
  }

private:
  int64_t window, slow;
  std::vector<bool> used;
};

TEST(Throttle, AgreesWithTheRuleStepByStep) {
  std::mt19937 random(8);
  for (int i = 0; i < 10; ++i) {
    Throttle throttle(300);
    Stepwise oracle(300);
    int64_t now = 0;
    for (int j = 0; j < 100; ++j) {
      now += random() % 3 ? random() % 20 : random() % 250;
      int64_t work = 2 * (1 + random() % 40);
      int64_t lost = throttle.run(now, work);
      ASSERT_NEAR(lost, oracle.run(now, work), 1) << i << ", " << j;
      now += work + lost;
    }
  }
}

TEST(Throttle, TheSimulatorTellsWhatItCosts) {
  TileBuilder b;
  int32_t w = b.sbuf(ElementType::BF16, 128, 128, 0);
  int32_t x = b.sbuf(ElementType::BF16, 128, 512, 1024);
  int32_t y = b.psum(ElementType::F32, 128, 512, 0);
  b.matmul(y, w, x, 512).work.cycles = 512; // 256 ns at the full rate
  Machine machine = roundMachine();
  machine.tensorThrottleNs = 3000;
  Recorder recorder;
  SimulationOptions options;
  options.timeline = &recorder;
  options.criticalPath = true;
  SimulationResult result = simulate(b.program(), machine, options);
  EXPECT_EQ(recorder.events[0].lost, ns(256));
  EXPECT_EQ(recorder.events[0].end, ns(512));
  EXPECT_EQ(recorder.events[0].done, ns(512 + 150));
  EXPECT_EQ(result.throttled, ns(256));
  const auto &times = result.criticalPath->instructions[0];
  EXPECT_EQ(times[int(PathReason::Throttle)], ns(256));
  EXPECT_EQ(times[int(PathReason::Busy)], ns(256));
  EXPECT_EQ(times[int(PathReason::ResultLatency)], ns(150));
}

} // namespace
