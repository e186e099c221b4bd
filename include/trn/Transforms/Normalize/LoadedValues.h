//===- LoadedValues.h - Values that follow from weights ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_LOADEDVALUES_H
#define TRN_TRANSFORMS_NORMALIZE_LOADEDVALUES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::trn {

/// Whether a function has a weight (`trn.param`) there.
bool isWeightArgument(BlockArgument argument);
/// Whether the results of `op` are known if its operands are, and what its
/// regions use.
bool followsFromOperands(Operation *op);

/// Answers `isKnownAtLoad` for many values of IR that stays as it is: it looks
/// at each op once.
class LoadedValues {
public:
  bool contains(Value value);

private:
  /// Nothing as long as that depends on others, of which one is pushed.
  std::optional<bool> decide(Value value, SmallVectorImpl<Value> &pending);

  llvm::DenseMap<Value, bool> known;
};

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_LOADEDVALUES_H
