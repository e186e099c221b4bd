//===- ForEachChunk.cpp - Work on parts of a long range -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/ForEachChunk.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <atomic>

// Elements that are converted or filled in some ten microseconds.
static constexpr int64_t chunk = 1 << 16;

void mlir::trn::forEachChunk(int64_t count,
                             llvm::function_ref<void(int64_t, int64_t)> body) {
  std::atomic<int64_t> next = 0;
  auto work = [&] {
    for (int64_t begin; (begin = next.fetch_add(chunk)) < count;)
      body(begin, std::min(begin + chunk, count));
  };
  int64_t chunks = llvm::divideCeil(count, chunk);
  int64_t threads = std::min<int64_t>(
      chunks, llvm::hardware_concurrency().compute_thread_count());
  if (threads <= 1)
    return work();
  llvm::DefaultThreadPool others(llvm::hardware_concurrency(threads - 1));
  for (int64_t i = 1; i < threads; ++i)
    others.async(work);
  work();
  others.wait();
}
