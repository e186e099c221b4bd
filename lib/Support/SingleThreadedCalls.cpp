//===- SingleThreadedCalls.cpp - oneDNN on the calling thread -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/SingleThreadedCalls.h"

#include <dlfcn.h>

using namespace mlir::trn;

// Debian builds oneDNN with OpenMP, whose thread count belongs to the calling
// thread. Looking the functions up spares us a second OpenMP runtime.
template <typename Function>
static Function findOpenMP(const char *name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

static void setThreads(int threads) {
  static const auto set = findOpenMP<void (*)(int)>("omp_set_num_threads");
  if (set)
    set(threads);
}

SingleThreadedCalls::SingleThreadedCalls() {
  static const auto get = findOpenMP<int (*)()>("omp_get_max_threads");
  if (get)
    before = get();
  setThreads(1);
}

SingleThreadedCalls::~SingleThreadedCalls() {
  if (before)
    setThreads(before);
}
