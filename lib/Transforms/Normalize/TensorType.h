//===- TensorType.h - The type of a tensor ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_TENSORTYPE_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_TENSORTYPE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::trn {

/// Of a tensor that has a rank.
inline RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_TENSORTYPE_H
