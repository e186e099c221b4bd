//===- AssociateChain.h - The order of a chain's products -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_ASSOCIATECHAIN_H
#define TRN_LIB_TRANSFORMS_ASSOCIATECHAIN_H

#include "ChainMatcher.h"
#include "trn/Machine/Machine.h"

#include "mlir/IR/Builders.h"

namespace mlir::trn {

/// Emits `chain` in the order of its products that keeps the tensor engine busy
/// for the least time, if that is another one than in the source, and returns
/// its parts: weights that are multiplied first are chains of their own, each
/// before those that read its result, and cost the launch of a kernel. Another
/// order rounds other matrices: without `allowRounding` it returns `chain`, and
/// a remark says what is lost. A chain of more than 64 products stays as it is.
SmallVector<Chain, 1> associate(const Chain &chain, const Machine &machine,
                                bool allowRounding, OpBuilder &builder);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_ASSOCIATECHAIN_H
