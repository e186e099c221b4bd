//===- GroupsInPsum.h - Sums that begin as zeros ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_GROUPSINPSUM_H
#define TRN_LIB_TARGET_NKI_GROUPSINPSUM_H

#include "KernelReading.h"

namespace mlir::trn::nki {

/// In the beta of NKI no product overwrites sums: those are zeros where they
/// are declared, and every product is added. This finds which tiles in PSUM
/// hold such sums, and whether it comes to the same.
class GroupsInPsum {
public:
  GroupsInPsum(const KernelReading &kernel, func::FuncOp function);

  /// Whether products are added to `tensor`.
  bool accumulate(const Tensor &tensor) const {
    return sums.contains(tensor.value);
  }
  /// Why `matmul`, which overwrites in the dialect, cannot add instead.
  std::optional<std::string> whyNot(MatmulOp matmul) const;

private:
  const KernelReading &kernel;
  llvm::DenseSet<Value> sums;
  /// Tiles that not only products write.
  llvm::DenseSet<Value> others;
  /// Those that overwrite, at least once, by tile.
  llvm::DenseMap<Value, SmallVector<MatmulOp, 2>> first;
};

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_GROUPSINPSUM_H
