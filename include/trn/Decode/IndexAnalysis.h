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

/// Knows the integer values of a kernel as linear functions of the counters of
/// its loops, and its i1 values as comparisons of such functions with zero.
///
/// `visit` takes the ops in program order; that keeps every step local, however
/// long the chains of arithmetic are. What breaks a rule is not an error until
/// somebody asks for it:
/// - `address_c1`: addresses and conditions are linear in the loop counters
/// - `address_c2`: none of the numbers on the way exceeds its type or 2^62
class IndexAnalysis {
public:
  /// Starts a loop whose induction variable is `first + step * counter`.
  int32_t addLoop(Value inductionVariable, const LinearExpr &first,
                  int64_t step, int64_t tripCount);

  /// Starts `loop` and returns its trip count, which must be constant and carry
  /// no values; reports why not.
  FailureOr<int64_t> addLoop(scf::ForOp loop);

  /// Learns the integer results of `op`, if it has any.
  void visit(Operation *op);

  /// The value of an index or integer, or of a static or dynamic index; reports
  /// why not at the op at fault. `user` is the op that needs the value.
  FailureOr<LinearExpr> index(Value value, Operation *user) const;
  FailureOr<LinearExpr> index(OpFoldResult value, Operation *user) const;

  /// An i1 value.
  FailureOr<Condition> condition(Value value, Operation *user) const;

  /// The same without diagnostics: null if the value is not known.
  const LinearExpr *find(Value value) const { return indices.find(value); }
  const Facts<LinearExpr> &facts() const { return indices; }

  /// `expr` modulo `modulus` if that is the same in all iterations.
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
