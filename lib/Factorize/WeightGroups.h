//===- WeightGroups.h - Weights that become factors together ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_FACTORIZE_WEIGHTGROUPS_H
#define TRN_LIB_FACTORIZE_WEIGHTGROUPS_H

#include "WeightUses.h"

#include "mlir/IR/BuiltinOps.h"
#include <set>
#include <string>

namespace mlir::trn {

/// Weights that the same code reads: constants, arguments that are parameters,
/// and arguments of functions that are called with them. If one has factors,
/// all have.
struct WeightGroup {
  SmallVector<Value> values;
  /// Of each value; empty for what is no parameter and no constant.
  SmallVector<std::string, 1> names;
  /// In the order of the code; at least one.
  SmallVector<WeightUse> products;
  /// Why they have to stay; empty if they have not.
  std::string obstacle;

  RankedTensorType type() const {
    return cast<RankedTensorType>(values.front().getType());
  }
  /// For each dimension, whether the first product sums over it.
  ArrayRef<bool> inputDims() const { return products.front().isSummed; }
};

struct ModuleWeights {
  std::vector<WeightGroup> groups;
  /// Parameters that are in no group.
  std::set<std::string> otherParameters;
};

/// The weights that products in functions of `module` read. A parameter has
/// the name that `trn.param` gives it, a resource that of its data, and another
/// constant is called after its function and its number among the constants of
/// that which products and calls read: `main.0`.
ModuleWeights findWeightGroups(ModuleOp module);

/// What `trn.param` says of `value`; empty if it is no such argument.
StringRef getParameterName(Value value);

} // namespace mlir::trn

#endif // TRN_LIB_FACTORIZE_WEIGHTGROUPS_H
