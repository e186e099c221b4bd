//===- TrackTest.cpp - Tests of tracks ------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Page/Track.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

constexpr int64_t us = 1000 * 1000; // in picoseconds

TEST(Track, FewEventsStayAsTheyAre) {
  Track track(10);
  track.add(5, 7, 3);
  track.add(7, 9, 4);
  EXPECT_EQ(track.resolution(), 0);
  ASSERT_EQ(track.get().size(), 2u);
  EXPECT_EQ(track.get()[1].start, 7);
  EXPECT_EQ(track.get()[1].kind, 4);
}

TEST(Track, NeighboursBecomeOneWhenThereAreTooMany) {
  Track track(10);
  // Half of each 100 ns is covered; ten fit into the first resolution.
  for (int64_t i = 0; i < 40; ++i)
    track.add(i * us / 10, i * us / 10 + us / 20, i % 2);
  EXPECT_EQ(track.resolution(), us);
  EXPECT_LE(track.get().size(), 10u);
  int64_t count = 0, covered = 0;
  for (const TrackEvent &event : track.get()) {
    EXPECT_LE(event.end - event.start, us);
    count += event.count;
    covered += event.covered;
  }
  EXPECT_EQ(count, 40);
  EXPECT_EQ(covered, 40 * us / 20);
}

TEST(Track, MemoryIsBoundedHoweverFarEventsAreApart) {
  Track track(10);
  for (int64_t i = 0; i < 1000; ++i)
    track.add(i * 1000 * us, i * 1000 * us + 1);
  EXPECT_LE(track.get().size(), 10u);
}

TEST(Track, SeveralShowTheKindOfTheLongest) {
  Track track(2);
  track.add(0, 1, 7);
  track.add(1, 9, 8);
  track.add(9, 12, 9);
  ASSERT_EQ(track.get().size(), 1u);
  EXPECT_EQ(track.get()[0].kind, 8);
}

TEST(Track, OverlapsAreCoveredOnce) {
  Track track(2);
  track.add(0, 10);
  track.add(4, 8);
  track.add(6, 12);
  ASSERT_EQ(track.get().size(), 1u);
  EXPECT_EQ(track.get()[0].covered, 12);
}

TEST(Track, EventsAreEncodedFromTheEndBefore) {
  Track track(10);
  track.add(100, 300, 2); // 100 is 0xe4 0x00 as SLEB128, 200 is 0xc8 0x01
  track.add(299, 301, 0); // one before the end: 0x7f
  EXPECT_EQ(track.encode(), std::string("\xe4\x00\xc8\x01\x02\x7f\x02\x00", 8));
}

} // namespace
