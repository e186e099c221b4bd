//===- BusyIntervals.h - When a shared resource is taken --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SIMULATOR_BUSYINTERVALS_H
#define TRN_LIB_SIMULATOR_BUSYINTERVALS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlir::trn {

/// The times at which one in-order user holds a resource that it shares with
/// another one. Sorted and disjoint; kept in a ring of bounded size.
class BusyIntervals {
public:
  struct Interval {
    int64_t begin;
    int64_t end;
  };

  /// `begin` must not be before the end of the latest interval.
  void add(int64_t begin, int64_t end) {
    if (begin >= end)
      return;
    if (last > first && at(last - 1).end == begin) {
      at(last - 1).end = end;
      return;
    }
    if (last - first == ring.size() && ring.size() < capacity)
      grow();
    // Forgetting gaps only delays the other user: it starts behind them.
    if (last - first == ring.size())
      floor = at(first++).end;
    at(last++) = {begin, end};
  }

  /// The other user is past `time` for good.
  void forgetUntil(int64_t time) {
    while (first < last && at(first).end <= time)
      ++first;
  }

  /// The earliest begin >= `ready` of `duration` without an interruption.
  int64_t fit(int64_t ready, int64_t duration) const {
    int64_t begin = std::max(ready, floor);
    for (size_t i = firstBehind(begin); i < last; ++i) {
      if (at(i).begin >= begin + duration)
        break;
      begin = std::max(begin, at(i).end);
    }
    return begin;
  }

  /// Calls `piece(begin, end)` for the free stretches from `ready` on until
  /// they add up to `duration`.
  template <typename Piece>
  void fill(int64_t ready, int64_t duration, Piece piece) const {
    int64_t begin = std::max(ready, floor);
    for (size_t i = firstBehind(begin); i < last && duration > 0; ++i) {
      int64_t gap = std::min(at(i).begin - begin, duration);
      if (gap > 0) {
        piece(begin, begin + gap);
        duration -= gap;
      }
      begin = std::max(begin, at(i).end);
    }
    if (duration > 0)
      piece(begin, begin + duration);
  }

  /// Writes down what it does to the other user from now on.
  template <typename Writer>
  void describe(Writer &writer) const {
    writer.add(int64_t(last - first)); // decides what is forgotten next
    writer.addTime(floor);
    for (size_t i = firstBehind(writer.oldest); i < last; ++i) {
      writer.addTime(at(i).begin);
      writer.addTime(at(i).end);
    }
  }

private:
  static constexpr size_t capacity = 1024; // a power of two, as all sizes are

  Interval &at(size_t index) { return ring[index & (ring.size() - 1)]; }
  const Interval &at(size_t index) const {
    return ring[index & (ring.size() - 1)];
  }

  void grow() {
    std::vector<Interval> larger(2 * ring.size());
    for (size_t i = first; i < last; ++i)
      larger[i & (larger.size() - 1)] = at(i);
    ring = std::move(larger);
  }

  /// The first interval that ends behind `time`.
  size_t firstBehind(int64_t time) const {
    size_t low = first, high = last;
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      if (at(middle).end <= time)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  std::vector<Interval> ring = std::vector<Interval>(8);
  /// Positions count up for ever; the ring holds [first, last).
  size_t first = 0, last = 0;
  int64_t floor = 0;
};

} // namespace mlir::trn

#endif // TRN_LIB_SIMULATOR_BUSYINTERVALS_H
