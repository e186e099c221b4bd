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

/// While it lives, products run on the thread that asks for them: how OpenBLAS
/// shares them out, and so the order of sums, depends on how many there are.
class SingleThreadedBlas {
public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas &) = delete;
  SingleThreadedBlas &operator=(const SingleThreadedBlas &) = delete;

private:
  int before = 0;
};

/// Threads that stay for many short pieces of work. What one thread makes of a
/// piece depends on nothing else, so that results do not depend on how many
/// there are.
class Workers {
public:
  /// As many as there are cores if `threads` is 0, and the calling thread is
  /// one of them.
  explicit Workers(unsigned threads);

  /// `body` for 0 to `count` - 1, in no order. It may ask for the same.
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
