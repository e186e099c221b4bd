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
  /// What it shows: of several, the kind of the longest.
  int32_t kind;
  int32_t count;
  /// The part of [start, end) that is covered; overlaps count once.
  int64_t covered;
  int64_t longest;
};

/// The events of one engine, or the uses of one buffer, as they come. When they
/// become too many, neighbours that fit into `resolution()` together become
/// one, and the resolution doubles until few enough are left.
class Track {
public:
  explicit Track(size_t limit) : limit(limit) {}

  void add(int64_t start, int64_t end, int32_t kind = 0);

  llvm::ArrayRef<TrackEvent> get() const { return events; }
  /// Picoseconds; 0: nothing was coalesced.
  int64_t resolution() const { return width; }

  /// Compact bytes, the same on every host. Each event: start minus the
  /// latest end before it (SLEB128), length and kind (ULEB128); if something
  /// was coalesced, count and covered time too.
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
