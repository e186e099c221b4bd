//===- ForEachChunk.h - Work on parts of a long range -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_FOREACHCHUNK_H
#define TRN_SUPPORT_FOREACHCHUNK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace mlir::trn {

/// Calls `body(begin, end)` on chunks of [0, count), in parallel and in no
/// order. Threads end with the call. Those of a lasting pool, such as
/// `llvm::parallelFor`'s, do not survive a fork, and the child would wait for
/// ever.
void forEachChunk(int64_t count,
                  llvm::function_ref<void(int64_t, int64_t)> body);

} // namespace mlir::trn

#endif // TRN_SUPPORT_FOREACHCHUNK_H
