//===- StoredTensors.h - What of a kernel becomes a matrix ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_LOWER_STOREDTENSORS_H
#define TRN_LIB_TRANSFORMS_LOWER_STOREDTENSORS_H

#include "trn/Planning/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::trn {

/// Whether `op`, of a kernel on tensors, is a product of matrices, or of
/// batches of them.
bool isKernelProduct(Operation *op);

/// Whether a tensor or buffer of `type` may be a matrix: static, of elements
/// that matrices have.
bool isMatrixType(Type type);

/// What `slice`, which is `matrix` of `graph`, takes of an argument of a
/// kernel; none if that is no window, or if batches have parts of the argument.
std::optional<planning::Window> windowOf(tensor::ExtractSliceOp slice,
                                         const planning::Graph &graph,
                                         const planning::Matrix &matrix);

/// The tensors of `kernel` that have to become matrices: what is multiplied,
/// stored or repeated, and what several of these are computed from. All others
/// are parts of one expression each.
DenseSet<Value> findStored(func::FuncOp kernel);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_LOWER_STOREDTENSORS_H
