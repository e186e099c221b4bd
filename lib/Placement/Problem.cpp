//===- Problem.cpp - Buffers that share one memory ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Placement/Problem.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn::placement;

/// What is wrong with one buffer at this offset, whatever the others do.
static std::string checkAlone(const Buffer &buffer, int64_t offset,
                              int64_t capacity) {
  if (offset < 0)
    return llvm::formatv("offset {0} is negative", offset);
  if (offset % buffer.alignment != 0)
    return llvm::formatv("offset {0} is not a multiple of {1}", offset,
                         buffer.alignment);
  if (buffer.fixed && offset != *buffer.fixed)
    return llvm::formatv("offset {0} differs from the fixed offset {1}", offset,
                         *buffer.fixed);
  if (offset + buffer.footprint() > capacity)
    return llvm::formatv("[{0}, {1}) exceeds the capacity {2}", offset,
                         offset + buffer.footprint(), capacity);
  return {};
}

/// Whether any two buffers of a placement conflict: in the order in which they
/// begin to live, each is compared with those that do then.
static bool haveConflict(llvm::ArrayRef<Buffer> buffers,
                         llvm::ArrayRef<int64_t> offsets) {
  auto order = llvm::to_vector(llvm::seq<size_t>(0, buffers.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return buffers[a].begin < buffers[b].begin;
  });
  llvm::SmallVector<size_t> live;
  for (size_t index : order) {
    const Buffer &buffer = buffers[index];
    llvm::erase_if(
        live, [&](size_t other) { return buffers[other].end <= buffer.begin; });
    for (size_t other : live)
      if (buffer.isLiveWith(buffers[other]) &&
          offsets[index] < offsets[other] + buffers[other].footprint() &&
          offsets[other] < offsets[index] + buffer.footprint())
        return true;
    live.push_back(index);
  }
  return false;
}

std::optional<Conflict> Problem::check(llvm::ArrayRef<int64_t> offsets) const {
  if (offsets.size() != buffers.size())
    return Conflict{0, 0,
                    llvm::formatv("{0} offsets for {1} buffers", offsets.size(),
                                  buffers.size())};
  // Which are the first that conflict is asked only if some do.
  const bool comparesAll = haveConflict(buffers, offsets);
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    std::string fault = checkAlone(buffer, offsets[i], capacity);
    if (!fault.empty())
      return Conflict{i, i, std::move(fault)};
    for (size_t j = 0; comparesAll && j < i; ++j) {
      const Buffer &other = buffers[j];
      if (!buffer.isLiveWith(other) ||
          offsets[i] >= offsets[j] + other.footprint() ||
          offsets[j] >= offsets[i] + buffer.footprint())
        continue;
      return Conflict{
          j, i,
          llvm::formatv("[{0}, {1}) and [{2}, {3}) overlap and are both live "
                        "at point {4}",
                        offsets[j], offsets[j] + other.footprint(), offsets[i],
                        offsets[i] + buffer.footprint(),
                        std::max(buffer.begin, other.begin))};
    }
  }
  return std::nullopt;
}

int64_t Problem::highWater(llvm::ArrayRef<int64_t> offsets) const {
  int64_t top = 0;
  for (auto [buffer, offset] : llvm::zip_equal(buffers, offsets))
    top = std::max(top, offset + buffer.footprint());
  return top;
}

Peak Problem::peak() const {
  auto isLiveAt = [](const Buffer &buffer, int64_t point) {
    return buffer.begin <= point && point < buffer.end;
  };
  // What begins, and what ends, at each point.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 64> changes;
  for (const Buffer &buffer : buffers)
    if (buffer.begin < buffer.end) {
      changes.emplace_back(buffer.begin, buffer.footprint());
      changes.emplace_back(buffer.end, -buffer.footprint());
    }
  llvm::sort(changes);
  Peak peak;
  llvm::SmallVector<int64_t, 4> points; // with the largest sum
  int64_t live = 0;
  for (auto [i, change] : llvm::enumerate(changes)) {
    live += change.second;
    bool isLast =
        i + 1 == changes.size() || changes[i + 1].first > change.first;
    if (!isLast || live < std::max<int64_t>(peak.size, 1))
      continue;
    if (live > peak.size)
      points.clear();
    peak.size = live;
    points.push_back(change.first);
  }
  // A sum grows only where a buffer begins: the first of these counts.
  for (const Buffer &candidate : llvm::reverse(buffers))
    if (llvm::is_contained(points, candidate.begin))
      peak.point = candidate.begin;
  for (auto [i, buffer] : llvm::enumerate(buffers))
    if (isLiveAt(buffer, peak.point))
      peak.live.push_back(i);
  llvm::sort(peak.live, [&](size_t a, size_t b) {
    return std::make_pair(-buffers[a].footprint(), a) <
           std::make_pair(-buffers[b].footprint(), b);
  });
  return peak;
}
