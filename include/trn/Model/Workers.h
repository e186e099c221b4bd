//===- Workers.h - Work on several threads ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_WORKERS_H
#define TRN_MODEL_WORKERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"

namespace mlir::trn {

/// While alive, products run on the calling thread. OpenBLAS's number of
/// threads would change how it splits them, and so the order of sums.
class SingleThreadedBlas {
public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas &) = delete;
  SingleThreadedBlas &operator=(const SingleThreadedBlas &) = delete;

private:
  int before = 0;
};

/// Threads for many short pieces of work. Pieces are independent, so results do
/// not depend on the number of threads.
class Workers {
public:
  /// 0 threads means one per core. The calling thread is one of them.
  explicit Workers(unsigned threads);

  /// Calls `body` for 0 to `count` - 1, in no order. `body` may call it, too.
  void forEach(size_t count, llvm::function_ref<void(size_t)> body);

private:
  SingleThreadedBlas blas;
  unsigned threads;
  std::unique_ptr<llvm::DefaultThreadPool> others; // null if there are none
};

/// The same with threads of its own.
void forEachOnThreads(size_t count, unsigned threads,
                      llvm::function_ref<void(size_t)> body);

} // namespace mlir::trn

#endif // TRN_MODEL_WORKERS_H
