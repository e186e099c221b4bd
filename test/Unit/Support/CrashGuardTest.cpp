//===- CrashGuardTest.cpp - Tests for guarded code ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/CrashGuard.h"

#include "gtest/gtest.h"
#include <csignal>
#include <thread>

using namespace mlir::trn;

TEST(CrashGuard, TellsTheSignal) {
  EXPECT_EQ(runGuarded([] {}), std::nullopt);
  EXPECT_EQ(runGuarded([] { std::raise(SIGFPE); }), "Floating point exception");
  EXPECT_EQ(runGuarded([] { leaveGuarded(); }), std::nullopt);
}

/// Takes all of the stack.
static int recurse(volatile int *depth) {
  volatile char frame[1024];
  frame[0] = char(*depth);
  *depth = *depth + 1;
  return *depth < 0 ? 0 : recurse(depth) + frame[0];
}

TEST(CrashGuard, ThreadsSurviveAFullStack) {
  std::optional<llvm::StringRef> signal;
  std::thread([&] {
    volatile int depth = 0;
    signal = runGuarded([&] { recurse(&depth); });
  }).join();
  EXPECT_EQ(signal, "Segmentation fault");
}

TEST(CrashGuard, GuardsAroundWhatIsUnguarded) {
  std::optional<llvm::StringRef> signal = runGuarded([] {
    {
      Unguarded unguarded;
    }
    std::raise(SIGFPE);
  });
  EXPECT_EQ(signal, "Floating point exception");
}

TEST(CrashGuardDeathTest, EndsWhatIsUnguarded) {
  // How it dies is another matter with sanitizers.
  EXPECT_DEATH(runGuarded([] {
                 Unguarded unguarded;
                 std::raise(SIGFPE);
               }),
               "");
}
