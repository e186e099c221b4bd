//===- Track.h - A track of a timeline, in bounded memory -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PAGE_TRACK_H
#define TRN_PAGE_TRACK_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::trn {

/// A stretch of time in picoseconds, or several short ones seen as one.
struct TrackEvent {
  int64_t start;
  int64_t end;
  /// The kind to show; of several events, that of the longest.
  int32_t kind;
  int32_t count;
  /// The part of [start, end) that is covered; overlaps count once.
  int64_t covered;
  int64_t longest;
};

/// Events of one engine, or uses of one buffer, in bounded number. If there are
/// too many, neighbours within `resolution()` are merged, and the resolution
/// doubles until few enough are left.
class Track {
public:
  explicit Track(size_t limit) : limit(limit) {}

  void add(int64_t start, int64_t end, int32_t kind = 0);

  llvm::ArrayRef<TrackEvent> get() const { return events; }
  /// Picoseconds; 0: nothing was merged.
  int64_t resolution() const { return width; }

  /// Compact bytes, the same on every host. Each event: start minus the latest
  /// end before it (SLEB128), length and kind (ULEB128); after merging also
  /// count and covered time.
  std::string encode() const;

private:
  void append(const TrackEvent &event);

  size_t limit;
  int64_t width = 0;
  int64_t latestEnd = 0;
  std::vector<TrackEvent> events;
};

} // namespace mlir::trn

#endif // TRN_PAGE_TRACK_H
