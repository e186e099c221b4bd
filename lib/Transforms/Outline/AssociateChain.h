//===- AssociateChain.h - In which order products are computed --*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_ASSOCIATECHAIN_H
#define TRN_LIB_TRANSFORMS_OUTLINE_ASSOCIATECHAIN_H

#include "trn/Machine/Machine.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

namespace mlir::trn {

/// Emits each chain of `products` in the order of its products that keeps the
/// tensor engine busy for the least time, if that is another one than in the
/// source, with a remark: weights that are multiplied first are chains of their
/// own, and cost the launch of a kernel. Another order rounds other matrices:
/// without `allowRounding` chains stay as they are, and a remark says what is
/// lost. A chain of more than 64 products stays as it is.
void associateChains(Products &products, const Machine &machine,
                     bool allowRounding);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_ASSOCIATECHAIN_H
