//===- Timeline.cpp - What a simulation tells while it runs ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Simulator/Timeline.h"

#include "trn/Simulator/CriticalPath.h"
#include <numeric>

using namespace mlir::trn;

TimelineSink::~TimelineSink() = default;

llvm::StringRef mlir::trn::stringify(WaitReason reason) {
  constexpr llvm::StringLiteral names[] = {
      "none", "data", "buffer", "bank", "semaphore", "port", "dma"};
  return names[static_cast<int>(reason)];
}

llvm::StringRef mlir::trn::stringify(PathReason reason) {
  constexpr llvm::StringLiteral names[] = {
      "busy",      "result_latency", "semaphore", "dma_latency",
      "dma_queue", "port",           "throttle",  "table_swap"};
  return names[static_cast<int>(reason)];
}

int64_t CriticalPath::total() const {
  int64_t sum = kernelOverhead + notFollowed;
  for (const auto &times : instructions)
    sum = std::accumulate(times.begin(), times.end(), sum);
  return sum;
}
