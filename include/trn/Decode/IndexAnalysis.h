//===- IndexAnalysis.h - Index values as linear functions -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DECODE_INDEXANALYSIS_H
#define TRN_DECODE_INDEXANALYSIS_H

#include "trn/Decode/Facts.h"
#include "trn/Program/Instruction.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::scf {
class ForOp;
} // namespace mlir::scf

namespace mlir::trn {

/// Integer values of a kernel as linear functions of its loop counters, and i1
/// values as comparisons of such functions with zero.
///
/// `visit` takes the ops in program order, so every step is local, however long
/// the chains of arithmetic are. A broken rule is no error until the value is
/// requested:
/// - `address_c1`: addresses and conditions are linear in the loop counters
/// - `address_c2`: none of the numbers on the way exceeds its type or 2^62
class IndexAnalysis {
public:
  /// Starts a loop whose induction variable is `first + step * counter`.
  int32_t addLoop(Value inductionVariable, const LinearExpr &first,
                  int64_t step, int64_t tripCount);

  /// Starts `loop` and returns its trip count, which must be constant. Reports
  /// an error otherwise, or if the loop carries values.
  FailureOr<int64_t> addLoop(scf::ForOp loop);

  /// Records the integer results of `op`, if it has any.
  void visit(Operation *op);

  /// The value of an index or integer, or of a static or dynamic index, for
  /// `user`. On failure reports an error at the op at fault.
  FailureOr<LinearExpr> index(Value value, Operation *user) const;
  FailureOr<LinearExpr> index(OpFoldResult value, Operation *user) const;

  /// An i1 value.
  FailureOr<Condition> condition(Value value, Operation *user) const;

  /// The same without diagnostics; null if unknown.
  const LinearExpr *find(Value value) const { return indices.find(value); }
  const Facts<LinearExpr> &facts() const { return indices; }

  /// `expr` modulo `modulus`, if it is the same in all iterations.
  std::optional<int64_t> residue(const LinearExpr &expr, int64_t modulus) const;

  Interval rangeOf(const LinearExpr &expr) const {
    return trn::rangeOf(expr, tripCounts);
  }

private:
  Facts<LinearExpr> indices;
  Facts<Condition> conditions;
  llvm::SmallVector<int64_t> tripCounts;
};

} // namespace mlir::trn

#endif // TRN_DECODE_INDEXANALYSIS_H
