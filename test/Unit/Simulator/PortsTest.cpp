//===- PortsTest.cpp - Tests of shared ports ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Simulator/BusyIntervals.h"
#include "RoundMachine.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

constexpr ElementType bf16 = ElementType::BF16, f32 = ElementType::F32;
constexpr int64_t occupied512 = ns(572), visible512 = ns(672);

/// Start of the second of two independent copies on two engines.
int64_t secondStart(Engine first, Engine second, Space from, bool locks) {
  TileBuilder b;
  int32_t in[2], out[2];
  for (int64_t i = 0; i < 2; ++i) {
    in[i] = from == Space::Psum ? b.psum(f32, 128, 512, i)
                                : b.sbuf(bf16, 128, 512, i * 1024);
    out[i] = b.sbuf(bf16, 128, 512, 4096 + i * 1024);
  }
  b.copy(first, out[0], in[0], 512);
  b.copy(second, out[1], in[1], 512);
  Machine machine = roundMachine();
  machine.portLocks = locks;
  Recorder recorder;
  run(b.program(), machine, recorder);
  return recorder.events[1].start;
}

TEST(Ports, VectorAndGpSimdTakeTurnsInSbuf) {
  EXPECT_EQ(secondStart(Engine::Vector, Engine::GpSimd, Space::Sbuf, true),
            occupied512);
  EXPECT_EQ(secondStart(Engine::Vector, Engine::GpSimd, Space::Sbuf, false), 0);
}

TEST(Ports, VectorAndScalarTakeTurnsInPsumOnly) {
  EXPECT_EQ(secondStart(Engine::Scalar, Engine::Vector, Space::Psum, true),
            occupied512);
  EXPECT_EQ(secondStart(Engine::Scalar, Engine::Vector, Space::Sbuf, true), 0);
}

TEST(Ports, LaterInstructionsUseTheTimeBefore) {
  TileBuilder b;
  int32_t tiles[4];
  for (int64_t i = 0; i < 4; ++i)
    tiles[i] = b.sbuf(bf16, 128, 512, i * 1024);
  b.fill(Engine::Scalar, tiles[0], 512);
  b.copy(Engine::Vector, tiles[1], tiles[0], 512); // starts at 672 + 200
  b.fill(Engine::GpSimd, tiles[2], 512);           // fits before it
  b.fill(Engine::GpSimd, tiles[3], 512);           // does not
  Machine machine = roundMachine();
  machine.portLocks = true;
  Recorder recorder;
  SimulationResult result = run(b.program(), machine, recorder);
  int64_t copied = visible512 + ns(200) + occupied512;
  EXPECT_EQ(recorder.events[2].start, 0);
  EXPECT_EQ(recorder.events[3].start, copied);
  EXPECT_EQ(recorder.events[3].reason, WaitReason::Port);
  EXPECT_EQ(result.waits[int(Engine::GpSimd)][int(WaitReason::Port)],
            copied - occupied512);
}

TEST(BusyIntervals, FitSkipsGapsThatAreTooShort) {
  BusyIntervals busy;
  busy.add(10, 20);
  busy.add(25, 40);
  busy.add(60, 70);
  EXPECT_EQ(busy.fit(0, 10), 0);
  EXPECT_EQ(busy.fit(0, 11), 40);
  EXPECT_EQ(busy.fit(15, 5), 20);
  EXPECT_EQ(busy.fit(15, 6), 40);
  EXPECT_EQ(busy.fit(65, 100), 70);
}

TEST(BusyIntervals, FillUsesEveryGap) {
  BusyIntervals busy;
  busy.add(10, 20);
  busy.add(25, 40);
  std::vector<std::pair<int64_t, int64_t>> pieces;
  busy.fill(5, 15, [&](int64_t begin, int64_t end) {
    pieces.emplace_back(begin, end);
  });
  std::vector<std::pair<int64_t, int64_t>> expected = {
      {5, 10}, {20, 25}, {40, 45}};
  EXPECT_EQ(pieces, expected);
}

TEST(BusyIntervals, ForgottenGapsAreTaken) {
  BusyIntervals busy;
  for (int64_t i = 0; i < 5000; ++i)
    busy.add(10 * i, 10 * i + 5);
  // The gap [5, 10) is long forgotten; the last ones are known.
  EXPECT_GT(busy.fit(5, 5), 10);
  EXPECT_EQ(busy.fit(10 * 4998 + 5, 5), 10 * 4998 + 5);
}

} // namespace
