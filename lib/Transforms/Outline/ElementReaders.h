//===- ElementReaders.h - What reads elements of a product ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_ELEMENTREADERS_H
#define TRN_LIB_TRANSFORMS_OUTLINE_ELEMENTREADERS_H

#include "trn/Transforms/Normalize/ProductMatcher.h"

namespace mlir::trn {

/// Whether `op` runs over all elements of what it reads.
bool isRowOp(Operation *op);

/// What `value` is a view of.
Value findSource(Value value);

/// Whether the host computes `value` of what kernels do, whose ops `isOfKernel`
/// names: what follows from arguments alone comes before all of them.
bool isBetween(Value value, function_ref<bool(Operation *)> isOfKernel);

/// What reads `value`, or views of it.
SmallVector<Operation *> readersOfViews(Value value);

/// Whether a reduction reads what `op` computes, or what is computed of that.
bool isReduced(Operation *op);

/// Whether `op` reduces, or computes element by element of slices of one
/// tensor, as what has been a reduction of a few slices: that is worth a kernel
/// of its own.
bool beginsRegion(Operation *op);

/// Whether elements of the product meet those of its lhs, as where heads are
/// rotated: in one kernel, columns and what is summed over would be one dim.
bool meetsLhs(const Product &product);

/// Whether the largest of each row of what it computes are taken: scores of an
/// attention, which the product with values shall follow.
bool hasMaxima(const Product &product);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_ELEMENTREADERS_H
