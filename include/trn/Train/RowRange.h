//===- RowRange.h - Ranges of rows ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRAIN_ROWRANGE_H
#define TRN_TRAIN_ROWRANGE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace mlir::trn {

/// `count` rows from `first` on.
struct RowRange {
  int64_t first = 0, count = 0;
};

/// Calls `body` for pieces of `rows` rows, the same for any number of threads.
void forEachPiece(int64_t rows, unsigned threads,
                  llvm::function_ref<void(RowRange)> body);

} // namespace mlir::trn

#endif // TRN_TRAIN_ROWRANGE_H
