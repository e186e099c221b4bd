//===- Subscripts.h - Accesses as indices and slices ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_SUBSCRIPTS_H
#define TRN_LIB_TARGET_NKI_SUBSCRIPTS_H

#include "trn/Program/Instruction.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::trn::nki {

/// What an access takes along one dimension of a tensor: `size` indices from
/// `start` on, `step` apart, and that once more for each of `groups`, which are
/// `groupStep` apart.
struct Subscript {
  LinearExpr start;
  int64_t size = 1, step = 1, groups = 1;
  /// The dims of the access that run through the indices and the groups; none
  /// if there is but one.
  std::optional<unsigned> dim = {}, groupDim = {};
  int64_t groupStep = 0;

  int64_t last() const { return (groups - 1) * groupStep + (size - 1) * step; }
  /// Whether nothing lies between the groups.
  bool areNeighbours() const { return step == 1 && groupStep == size; }
};
using Subscripts = llvm::SmallVector<Subscript, 4>;

/// `access` as subscripts of a contiguous tensor of `shape`; nothing if it is
/// none, because it walks over dimensions that the tensor does not have. On
/// chip the first dimension is the partition.
std::optional<Subscripts>
findSubscripts(const Access &access, llvm::ArrayRef<int64_t> shape, bool onChip,
               llvm::function_ref<Interval(const LinearExpr &)> rangeOf);

/// Whether `access` takes all of a tensor of `shape`, from its first element to
/// its last.
bool isWhole(const Access &access, llvm::ArrayRef<int64_t> shape, bool onChip);

/// Whether `subscripts` leave nothing out of a tensor of `shape`.
bool isAll(const Subscripts &subscripts, llvm::ArrayRef<int64_t> shape);

/// The elements between neighbours along each dimension of a contiguous tensor.
llvm::SmallVector<int64_t, 4> stridesOf(llvm::ArrayRef<int64_t> shape);

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_SUBSCRIPTS_H
