//===- Propagation.h - How the values of a function are split ---*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Sweeps go through a function in order: how the operands of an op are split
// says how it is computed, and how its results are split. Where an operand is
// whole and could be split (a cache, heads that are repeated), what it follows
// from is asked for, and another sweep begins. A weight that cannot stay split
// becomes whole.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PARTITION_PROPAGATION_H
#define TRN_LIB_TRANSFORMS_PARTITION_PROPAGATION_H

#include "Seeds.h"
#include "SharedLoops.h"
#include "SplitSearch.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

class Propagation {
public:
  Propagation(func::FuncOp func, const Seeds &seeds);

  void run();

  const CoreGrid &getGrid() const { return grid; }
  const Layout &getLayout(Value tensor) const {
    return splits.layouts.find(tensor)->second;
  }
  /// How `op` needs each of its operands; of no meaning for what is no tensor.
  ArrayRef<Layout> getNeeds(Operation *op) const {
    return needs.find(op)->second;
  }
  /// Whether any core can make a piece of operand `number` of `op`, or only its
  /// type matters.
  bool isFree(Operation *op, unsigned number) const {
    return splits.isFree(op, number);
  }
  /// Weights of the seeds that stay whole, and the ops that need them so.
  const llvm::MapVector<Value, Operation *> &getWholeWeights() const {
    return wholeWeights;
  }

private:
  /// The state of one op while it is decided how its loops are split.
  struct Visit {
    Operation *op;
    SharedLoops shared;
    SmallVector<Axes> loops;

    Axes axes() const;
  };
  bool sweep();
  void visit(Operation *op);
  bool visitFlexible(Operation *op);
  bool visitReshape(Operation *op);
  bool visitLoops(Operation *op);
  void visitReturn(Operation *op);
  /// `op` needs all of its operands on each core.
  void visitUnknown(Operation *op);

  void splitLoops(Visit &visit);
  bool split(Visit &visit, int loop, Axes axes);
  /// Gives up loops over which no sum can be shared.
  void mendReductions(Visit &visit);
  void mendGathers(Visit &visit);
  bool isPaddingSummedAsZero(const Visit &visit, int loop) const;
  std::optional<unsigned> findPassedSum(const Visit &visit) const;
  void finish(Visit &visit);
  bool isZeroPadded(const Visit &visit, ArrayRef<Layout> operands,
                    const Layout &result) const;

  /// Remembers them for the next sweep, unless one contradicts others.
  bool accept(ArrayRef<SplitRequest> found);
  /// Makes `weight` whole, for `op`, unless its split was requested.
  void keepWhole(Value weight, Operation *op);

  func::FuncOp func;
  CoreGrid grid;
  llvm::MapVector<Value, SmallVector<Axes, 4>> pinned;
  DenseSet<Value> requestedByUser;
  DenseMap<Operation *, SmallVector<Layout>> needs;
  Splits splits;
  /// What was requested, of each argument or op.
  DenseMap<const void *, SmallVector<Axes, 4>> requested;
  llvm::MapVector<Value, Operation *> wholeWeights, refused;
  bool hasNewRequests = false;
};

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PARTITION_PROPAGATION_H
