//===- HostMemory.cpp - The memory of host code ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostMemory.h"

#include "trn/Support/HostTensor.h"

#include <algorithm>
#include <cstdlib>

using namespace mlir::trn;

static constexpr size_t maxQuarantinedBytes = size_t(64) << 20;
static constexpr size_t maxQuarantined = 1 << 16;

/// In bf16 and, twice, in f32: exponent all ones, first bit of the fraction 0.
static constexpr uint16_t unwritten = 0x7fa5;
static constexpr uint32_t unwrittenPair = unwritten << 16 | unwritten;

void HostMemory::reset() {
  while (!quarantine.empty())
    discardOldest();
  for (auto &[begin, region] : regions)
    if (region.kind == Kind::Allocation && !region.freedBy)
      std::free(reinterpret_cast<void *>(begin));
  regions.clear();
  liveBytes = 0;
  limit = getAvailableMemory();
}

const HostMemory::Region *HostMemory::find(const void *pointer) const {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  auto it = regions.upper_bound(address);
  if (it == regions.begin())
    return nullptr;
  const Region &region = std::prev(it)->second;
  return address <= region.end ? &region : nullptr;
}

void HostMemory::lend(void *data, size_t bytes, Kind kind, bool mayWrite,
                      size_t origin) {
  auto begin = reinterpret_cast<uintptr_t>(data);
  regions[begin] = {begin, begin + bytes, kind, mayWrite, origin, {}};
}

void *HostMemory::allocate(size_t bytes, size_t origin) {
  while (!quarantine.empty() && bytes <= limit &&
         liveBytes + quarantinedBytes + bytes > limit)
    discardOldest();
  void *data = nullptr;
  // Regions of no bytes would share an address.
  size_t size = std::max<size_t>(bytes, 1);
  if (bytes > limit || liveBytes + bytes > limit ||
      posix_memalign(&data, alignment, size) != 0)
    return nullptr;
  fillUnwritten(data, bytes);
  auto begin = reinterpret_cast<uintptr_t>(data);
  // What was freed here before is forgotten.
  auto stale = regions.lower_bound(begin);
  if (stale != regions.begin() && std::prev(stale)->second.end > begin)
    --stale;
  while (stale != regions.end() && stale->first < begin + size)
    stale = regions.erase(stale);
  regions[begin] = {begin, begin + bytes, Kind::Allocation, true, origin, {}};
  liveBytes += bytes;
  return data;
}

bool HostMemory::release(void *pointer, size_t by) {
  auto it = regions.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == regions.end() || it->second.kind != Kind::Allocation ||
      it->second.freedBy)
    return false;
  it->second.freedBy = by;
  size_t bytes = it->second.end - it->second.begin;
  liveBytes -= bytes;
  quarantinedBytes += bytes;
  quarantine.push_back(it->first);
  while (quarantinedBytes > maxQuarantinedBytes ||
         quarantine.size() > maxQuarantined)
    discardOldest();
  return true;
}

void HostMemory::discardOldest() {
  const Region &region = regions.at(quarantine.front());
  quarantinedBytes -= region.end - region.begin;
  std::free(reinterpret_cast<void *>(region.begin));
  quarantine.pop_front();
}

void mlir::trn::fillUnwritten(void *data, size_t bytes) {
  auto *words = static_cast<uint32_t *>(data);
  std::fill_n(words, bytes / sizeof(uint32_t), unwrittenPair);
  if (bytes % sizeof(uint32_t) >= sizeof(uint16_t))
    *reinterpret_cast<uint16_t *>(words + bytes / sizeof(uint32_t)) = unwritten;
}

template <typename Word>
static std::unique_ptr<WrittenMap> findWords(const Word *words, size_t count,
                                             Word pattern) {
  std::unique_ptr<WrittenMap> map;
  // A few kilobytes at a time, so that the usual case is one fast loop.
  constexpr size_t chunk = 4096;
  for (size_t begin = 0; begin < count; begin += chunk) {
    size_t end = std::min(begin + chunk, count);
    unsigned found = 0;
    for (size_t i = begin; i < end; ++i)
      found |= words[i] == pattern;
    if (!found)
      continue;
    if (!map) {
      map = std::make_unique<WrittenMap>(1, count * sizeof(Word));
      map->set(0, 1, 0, count * sizeof(Word));
    }
    for (size_t i = begin; i < end; ++i)
      if (words[i] == pattern)
        map->clear(0, 1, i * sizeof(Word), (i + 1) * sizeof(Word));
  }
  return map;
}

std::unique_ptr<WrittenMap>
mlir::trn::findUnwritten(const void *data, size_t bytes, ElementType type) {
  // No byte stands for what was not written.
  if (isStorage(type))
    return nullptr;
  if (byteSize(type) == sizeof(uint32_t))
    return findWords(static_cast<const uint32_t *>(data),
                     bytes / sizeof(uint32_t), unwrittenPair);
  return findWords(static_cast<const uint16_t *>(data),
                   bytes / sizeof(uint16_t), unwritten);
}
