//===- TensorMemory.h - The memories that tensors live in -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_TENSORMEMORY_H
#define TRN_LIB_TRANSFORMS_TENSORMEMORY_H

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/IR/Builders.h"

namespace mlir::trn {

/// Creates an uninitialised tensor in `space`.
Value allocateTensor(OpBuilder &builder, Location loc, RankedTensorType type,
                     MemorySpace space);

/// Copies `source` into a new tensor in `space`.
Value copyTensor(OpBuilder &builder, Location loc, Value source,
                 MemorySpace space);

/// Follows slices, loops and destinations back to the tensor that `tensor` is a
/// part or an update of.
Value getOrigin(Value tensor);

/// The memory that `tensor` was allocated in; none if it has no buffer yet.
std::optional<MemorySpace> getMemory(Value tensor);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_TENSORMEMORY_H
