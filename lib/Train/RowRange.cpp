//===- RowRange.cpp - Rows, piece by piece --------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/RowRange.h"

#include "trn/Model/Workers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;

void mlir::trn::forEachPiece(int64_t rows, unsigned threads,
                             llvm::function_ref<void(RowRange)> body) {
  // Long enough that products seldom pack the same weights again, and as many
  // for each of a few threads.
  const int64_t most = 256;
  const int64_t pieces = llvm::alignTo<4>(llvm::divideCeil(rows, most)),
                each = llvm::divideCeil(rows, pieces);
  forEachOnThreads(llvm::divideCeil(rows, each), threads, [&](size_t i) {
    const int64_t first = i * each;
    body({first, std::min(each, rows - first)});
  });
}
