//===- ElementwiseOps.h - What surrounds products ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_ELEMENTWISEOPS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_ELEMENTWISEOPS_H

#include "trn/Machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// What computes with `products` element by element, also of slices of them.
SmallVector<Operation *> findConsumers(ArrayRef<linalg::LinalgOp> products);

/// The same, and what computes their operands so.
SmallVector<Operation *> findElementwise(ArrayRef<linalg::LinalgOp> products);

/// Lets elementwise generics among `ops` write into new tensors, rather than
/// over what they read, which would then have another reader.
void freeOutputs(ArrayRef<Operation *> ops);

/// What widens tensors of 8 bits, and multiplies that.
SmallVector<Operation *> findWidenings(func::FuncOp func);

/// Ops of `func` that compute floats element by element, and what reshapes and
/// repeats between them, if no product or reduction is computed of the same
/// values or computes some.
SmallVector<Operation *> findLoneElementwise(func::FuncOp func);

/// Whether a product computes `value`, with what is added or rounded behind it.
bool isOfProduct(Value value);

/// Whether `value` follows from what no op of linalg computes by elementwise
/// generics alone, and by one at least.
bool followsFromInputs(Value value);

/// Lets generics among these run over as few dimensions as they can, with rows
/// for all partitions of `machine`.
void flattenElements(func::FuncOp func, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_ELEMENTWISEOPS_H
