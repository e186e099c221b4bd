//===- Workers.cpp - Work on several threads ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Workers.h"

#include "llvm/Support/ThreadPool.h"
#include <atomic>

// OpenBLAS has these; other libraries may not.
extern "C" {
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int openblas_get_num_threads();
}

using namespace mlir::trn;

namespace {
/// While it lives, products run on the thread that asks for them: the order of
/// their sums does not depend on how many there are.
class SingleThreadedBlas {
public:
  SingleThreadedBlas() {
    if (openblas_set_num_threads && openblas_get_num_threads) {
      before = openblas_get_num_threads();
      openblas_set_num_threads(1);
    }
  }
  ~SingleThreadedBlas() {
    if (before)
      openblas_set_num_threads(before);
  }

private:
  int before = 0;
};
} // namespace

void mlir::trn::forEachOnThreads(size_t count, unsigned threads,
                                 llvm::function_ref<void(size_t)> body) {
  SingleThreadedBlas blas;
  llvm::ThreadPoolStrategy strategy = llvm::hardware_concurrency(threads);
  unsigned workers = std::min<size_t>(strategy.compute_thread_count(), count);
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < count; i = next++)
      body(i);
  };
  if (workers < 2)
    return work();
  llvm::DefaultThreadPool pool(strategy);
  for (unsigned i = 0; i < workers; ++i)
    pool.async(work);
  pool.wait();
}
