//===- VendorLoops.h - Products as the vendor's tutorial does ---*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_VENDORLOOPS_H
#define TRN_LIB_TRANSFORMS_OUTLINE_VENDORLOOPS_H

#include "trn/Transforms/Normalize/ProductMatcher.h"

namespace mlir::trn {
struct Machine;

/// Sets those of `products` apart, that have no batches, whose weights have
/// `part` in their names (`trn.param`); all if it is empty.
void setApart(Products &products, StringRef part);

/// Gives `kernel`, which computes one product, the plan of `blockedPlan`; a
/// remark at `op` says why if it has none.
void planVendorLoops(func::FuncOp kernel, Operation *op,
                     const Machine &machine);

/// Whether both kernels came with the same plan, or with none.
bool haveEqualPlans(func::FuncOp kernel, func::FuncOp other);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_VENDORLOOPS_H
