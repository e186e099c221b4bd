//===- TransposesInPsum.h - Types of transposed tiles -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_TRANSPOSESINPSUM_H
#define TRN_LIB_TARGET_NKI_TRANSPOSESINPSUM_H

#include "KernelReading.h"

namespace mlir::trn::nki {

/// After the beta of NKI a transpose keeps the type of what it transposes, in
/// the dialect it may leave f32; the values are the same. This finds the tiles
/// in PSUM that transposes of one type alone write.
class TransposesInPsum {
public:
  TransposesInPsum(const KernelReading &kernel, func::FuncOp function);

  /// The elements of `tensor`, as NKI has to know them.
  Type typeOf(const Tensor &tensor) const {
    auto found = types.find(tensor.value);
    return found == types.end() ? tensor.type.getElementType() : found->second;
  }

private:
  llvm::DenseMap<Value, Type> types;
};

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_TRANSPOSESINPSUM_H
