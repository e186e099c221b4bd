//===- FactorProduct.h - Two products instead of one ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_FACTORIZE_FACTORPRODUCT_H
#define TRN_LIB_FACTORIZE_FACTORPRODUCT_H

#include "WeightUses.h"

namespace mlir::trn {

/// The dimensions of the factor of a weight that has those which are `kept` in
/// `dims`: they stay in order, and the rank, for which there is none, takes the
/// place of the first of the others.
SmallVector<std::optional<unsigned>> layOutFactor(ArrayRef<bool> dims,
                                                  bool kept);

/// Replaces the product of `use` by two: with `inner`, the factor that has the
/// dimensions of the weight that the product sums over, and of that with
/// `outer`. What is between them is summed in f32 at least, and has the type of
/// what the weight is multiplied with. What only made the operand is erased.
void replaceByFactors(const WeightUse &use, Value inner, Value outer);

} // namespace mlir::trn

#endif // TRN_LIB_FACTORIZE_FACTORPRODUCT_H
