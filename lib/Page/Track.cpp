//===- Track.cpp - A track of a timeline, in bounded memory ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Page/Track.h"

#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mlir::trn;

/// The first resolution, in picoseconds.
static constexpr int64_t firstWidth = 1000 * 1000;

void Track::add(int64_t start, int64_t end, int32_t kind) {
  int64_t covered = std::max<int64_t>(end - std::max(start, latestEnd), 0);
  latestEnd = std::max(latestEnd, end);
  append({start, end, kind, 1, covered, end - start});
  // Leaving half the room keeps the cost of coalescing linear.
  if (events.size() <= limit)
    return;
  while (events.size() > 1 && events.size() > limit / 2) {
    width = width ? 2 * width : firstWidth;
    std::vector<TrackEvent> all = std::move(events);
    events.clear();
    for (const TrackEvent &event : all)
      append(event);
  }
}

void Track::append(const TrackEvent &next) {
  if (!events.empty()) {
    TrackEvent &last = events.back();
    int64_t start = std::min(last.start, next.start);
    int64_t end = std::max(last.end, next.end);
    if (end - start <= width) {
      if (next.longest > last.longest)
        last.kind = next.kind;
      last = {start,
              end,
              last.kind,
              last.count + next.count,
              last.covered + next.covered,
              std::max(last.longest, next.longest)};
      return;
    }
  }
  events.push_back(next);
}

std::string Track::encode() const {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  int64_t latest = 0;
  for (const TrackEvent &event : events) {
    llvm::encodeSLEB128(event.start - latest, os);
    llvm::encodeULEB128(event.end - event.start, os);
    llvm::encodeULEB128(event.kind, os);
    if (width) {
      llvm::encodeULEB128(event.count, os);
      llvm::encodeULEB128(event.covered, os);
    }
    latest = std::max(latest, event.end);
  }
  return bytes;
}
