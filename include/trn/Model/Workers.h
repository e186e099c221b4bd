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
#include <cstddef>

namespace mlir::trn {

/// `body` for 0 to `count` - 1, in no order, on `threads` threads, or on as
/// many as there are cores if that is 0. BLAS uses no others meanwhile.
void forEachOnThreads(size_t count, unsigned threads,
                      llvm::function_ref<void(size_t)> body);

} // namespace mlir::trn

#endif // TRN_MODEL_WORKERS_H
