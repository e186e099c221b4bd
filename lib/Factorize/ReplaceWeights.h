//===- ReplaceWeights.h - Factors instead of weights ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_FACTORIZE_REPLACEWEIGHTS_H
#define TRN_LIB_FACTORIZE_REPLACEWEIGHTS_H

#include "WeightGroups.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::trn {

/// What there is for both factors of a weight; the one that products of inputs
/// sum over comes first.
template <typename T>
using OfFactors = std::pair<T, T>;

/// A group whose weights become factors.
struct FactoredGroup {
  const WeightGroup *group;
  /// The elements of the dimensions that the first product sums over, and of
  /// the others.
  int64_t in = 1, out = 1;
  int64_t rank = 0;
  /// The factors of each constant.
  llvm::MapVector<Value, OfFactors<ElementsAttr>> constants = {};

  explicit FactoredGroup(const WeightGroup &group);
  OfFactors<RankedTensorType> types() const;
};

/// `a.gate_proj.weight` becomes `a.gate_v_proj.weight`, which comes first, and
/// `a.gate_u_proj.weight`; `b.weight` becomes `b_v_proj.weight` and so on.
OfFactors<std::string> nameFactors(StringRef name);

/// Gives all constants, arguments, calls and products of `groups` the factors.
void replaceWeights(ModuleOp module, ArrayRef<FactoredGroup> groups);

} // namespace mlir::trn

#endif // TRN_LIB_FACTORIZE_REPLACEWEIGHTS_H
