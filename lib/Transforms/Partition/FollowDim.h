//===- FollowDim.h - Where a dimension of a weight leads --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PARTITION_FOLLOWDIM_H
#define TRN_LIB_TRANSFORMS_PARTITION_FOLLOWDIM_H

#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::trn {

struct FollowedDim {
  /// Whether the first product that has it sums over it; nothing if none has.
  std::optional<bool> isSummed;
  /// Into how many parts the first reshape that splits it does: heads.
  std::optional<int64_t> parts;
};

/// Follows dimension `dim` of `value`, a tensor, through what is computed of
/// it.
FollowedDim followDim(Value value, unsigned dim);

/// The dimension of a weight, a tensor, that holds its inputs or its outputs.
unsigned findWeightDim(Value weight, bool ofInputs);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PARTITION_FOLLOWDIM_H
