//===- Workers.cpp - Work on several threads ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Workers.h"

#include <atomic>

// OpenBLAS has these; other libraries may not.
extern "C" {
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int openblas_get_num_threads();
}

using namespace mlir::trn;

SingleThreadedBlas::SingleThreadedBlas() {
  if (openblas_set_num_threads && openblas_get_num_threads) {
    before = openblas_get_num_threads();
    openblas_set_num_threads(1);
  }
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (before)
    openblas_set_num_threads(before);
}

Workers::Workers(unsigned threads)
    : threads(llvm::hardware_concurrency(threads).compute_thread_count()) {
  if (this->threads > 1)
    others = std::make_unique<llvm::DefaultThreadPool>(
        llvm::hardware_concurrency(this->threads - 1));
}

void Workers::forEach(size_t count, llvm::function_ref<void(size_t)> body) {
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < count; i = next++)
      body(i);
  };
  if (!others || count < 2)
    return work();
  llvm::ThreadPoolTaskGroup group(*others);
  for (size_t i = 1; i < std::min<size_t>(threads, count); ++i)
    group.async(work);
  work();
  group.wait();
}

void mlir::trn::forEachOnThreads(size_t count, unsigned threads,
                                 llvm::function_ref<void(size_t)> body) {
  unsigned cores = llvm::hardware_concurrency(threads).compute_thread_count();
  Workers(std::max<size_t>(1, std::min<size_t>(cores, count)))
      .forEach(count, body);
}
