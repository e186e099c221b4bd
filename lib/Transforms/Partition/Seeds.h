//===- Seeds.h - How the arguments of functions are split -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PARTITION_SEEDS_H
#define TRN_LIB_TRANSFORMS_PARTITION_SEEDS_H

#include "Layout.h"
#include "trn/Transforms/Partition/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::trn {

/// How arguments are split that are weights, or that have trn.shard: all others
/// follow.
struct Seeds {
  CoreGrid grid;
  llvm::MapVector<Value, SmallVector<Axes, 4>> dims;
  /// Those that are split in any case: trn.shard requests it.
  DenseSet<Value> requested;

  /// Whether they split an argument of `func`.
  bool split(func::FuncOp func) const;
};

/// Gives a product with a table that words are looked up in an argument of its
/// own, of the same name, behind the others.
void separateTiedHead(func::FuncOp func);

/// Seeds of `functions` for `cores` cores. Fails with an error where these
/// cannot share heads, or what trn.shard requests.
FailureOr<Seeds> findSeeds(ArrayRef<func::FuncOp> functions, int64_t cores,
                           PartitionScheme scheme);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PARTITION_SEEDS_H
