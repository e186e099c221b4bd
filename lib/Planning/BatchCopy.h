//===- BatchCopy.h - What each of several batches makes of one --*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_BATCHCOPY_H
#define TRN_LIB_PLANNING_BATCHCOPY_H

#include "StackLayout.h"
#include "StoreAtOnce.h"

namespace mlir::trn::planning {

/// What one batch, a group or all of them makes of what was recorded.
struct BatchCopy {
  using Buffers = llvm::DenseMap<int32_t, int32_t>;

  const StackLayout &layout;
  const StoreAtOnce &storeAtOnce;
  LinearExpr outer, index;
  int64_t number; // in its stack, of the first one
  int64_t place;  // among those of the outer index
  For whom;
  llvm::SmallVector<Buffers *, 4> buffers; // its own, those of what it is in
  int32_t *nextBuffer;
  /// By event: how many batches of the outer index have come to it, if all
  /// store at once.
  llvm::DenseMap<size_t, int64_t> *stored;

  BlockView operator()(BlockView view) const;
  /// `view`, whose columns belong to those of `to`: as far apart as these.
  BlockView operator()(const BlockView &view, const BlockView &to) const;
  Argument operator()(Argument argument) const;
  /// What all batches of the outer index have side by side.
  BlockView ofAll(BlockView view) const;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_BATCHCOPY_H
