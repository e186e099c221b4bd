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

/// Calls `body(begin, end)` on chunks of [0, count), in no order and in
/// parallel. The threads end with the call: those of a pool that stays, such as
/// the one of `llvm::parallelFor`, are missing after a fork, and are waited for
/// without end.
void forEachChunk(int64_t count,
                  llvm::function_ref<void(int64_t, int64_t)> body);

} // namespace mlir::trn

#endif // TRN_SUPPORT_FOREACHCHUNK_H
