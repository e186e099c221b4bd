//===- Throttle.h - A tensor engine that has to warm up ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SIMULATOR_THROTTLE_H
#define TRN_LIB_SIMULATOR_THROTTLE_H

#include <algorithm>
#include <cstdint>
#include <deque>

namespace mlir::trn {

/// trn2's tensor engine begins at half rate. After a window's time of work it
/// has its full rate, until less than half of a window was used
/// (SDK:tools/neuron-explorer/overview-summary-page.rst).
class Throttle {
public:
  /// Never throttles if `window` is 0.
  explicit Throttle(int64_t window) : window(window), slow(window) {}

  /// The engine works from `start` on, not before it was done with what came
  /// before, for `work` at its full rate: how much longer it takes.
  int64_t run(int64_t start, int64_t work) {
    if (window == 0)
      return 0;
    if (start > used.back().end)
      resume(start);
    // Half rate does in `slow` what the full one does in half of it.
    int64_t lost = std::min(work, slow / 2);
    slow -= 2 * lost;
    used.back().end = start + work + lost;
    return lost;
  }

  /// Writes down how long it takes from now on.
  template <typename Writer>
  void describe(Writer &writer) const {
    if (window == 0)
      return;
    writer.add(slow);
    for (const Interval &interval : used) {
      if (interval.end + window < writer.oldest)
        continue;
      writer.addExact(std::max(interval.begin, writer.oldest - window));
      writer.addExact(interval.end);
    }
  }

private:
  struct Interval {
    int64_t begin, end;
  };

  /// Work goes on behind a gap. Without one the use of the latest window does
  /// not sink, so only here it may have become too little.
  void resume(int64_t start) {
    int64_t begin = start - window, time = 0;
    while (used.size() > 1 && used.front().end <= begin)
      used.pop_front();
    for (const Interval &interval : used)
      time +=
          std::max<int64_t>(interval.end - std::max(interval.begin, begin), 0);
    if (2 * time < window)
      slow = window;
    used.push_back({start, start});
  }

  int64_t window;
  /// How much work is still to be done at half rate, in time.
  int64_t slow;
  /// What may lie in the latest window, with gaps in between.
  std::deque<Interval> used = {{INT64_MIN / 4, INT64_MIN / 4}};
};

} // namespace mlir::trn

#endif // TRN_LIB_SIMULATOR_THROTTLE_H
