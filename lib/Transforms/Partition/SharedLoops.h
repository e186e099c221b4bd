//===- SharedLoops.h - Dimensions that an op walks together -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PARTITION_SHAREDLOOPS_H
#define TRN_LIB_TRANSFORMS_PARTITION_SHAREDLOOPS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::trn {

/// The loops of a structured op, or of one that works element by element, and
/// those that walk along each dimension of its tensors.
struct SharedLoops {
  struct Loop {
    int64_t size = 0;
    bool isReduction = false;
    /// Cores can share its iterations.
    bool isSplittable = true;
  };
  /// For each dimension its loop, or -1 if all of it is needed at once.
  using OfTensor = SmallVector<int, 4>;

  SmallVector<Loop> loops;
  /// Empty for what is no tensor.
  SmallVector<OfTensor> operands, results;

  /// Nothing if it is not known what parts of its operands `op` needs.
  static std::optional<SharedLoops> read(Operation *op);
};

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PARTITION_SHAREDLOOPS_H
