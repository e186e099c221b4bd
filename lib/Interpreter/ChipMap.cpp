//===- ChipMap.cpp - A map of SBUF or PSUM --------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChipMap.h"

#include <mutex>

using namespace mlir::trn;

namespace {
class LeftMaps {
public:
  /// Null if there is none of this size.
  std::unique_ptr<WrittenMap> take(int64_t partitions, int64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = std::find_if(maps.begin(), maps.end(), [&](const Left &left) {
      return left.partitions == partitions && left.bytes == bytes;
    });
    if (found == maps.end())
      return nullptr;
    std::unique_ptr<WrittenMap> map = std::move(found->map);
    maps.erase(found);
    return map;
  }

  void leave(int64_t partitions, int64_t bytes,
             std::unique_ptr<WrittenMap> map) {
    std::lock_guard<std::mutex> lock(mutex);
    if (maps.size() == maxMaps)
      maps.erase(maps.begin());
    maps.push_back({partitions, bytes, std::move(map)});
  }

private:
  /// SBUF, PSUM and SBUF in f32 of two runs at a time.
  static constexpr size_t maxMaps = 6;

  struct Left {
    int64_t partitions, bytes;
    std::unique_ptr<WrittenMap> map;
  };
  std::mutex mutex;
  std::vector<Left> maps; // the oldest first
};
} // namespace

static LeftMaps &leftMaps() {
  static LeftMaps maps;
  return maps;
}

ChipMap::ChipMap(int64_t partitions, int64_t bytes)
    : partitions(partitions), bytes(bytes),
      map(leftMaps().take(partitions, bytes)) {
  if (!map)
    map = std::make_unique<WrittenMap>(partitions, bytes);
}

ChipMap::~ChipMap() {
  if (map)
    leftMaps().leave(partitions, bytes, std::move(map));
}
