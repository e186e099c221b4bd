//===- Metric.h - How much errors of outputs matter -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_METRIC_H
#define TRN_LIB_COMPRESS_METRIC_H

#include "Root.h"
#include "trn/Compress/Factor.h"

namespace mlir::trn {

/// Weighs errors e of the outputs of a weight as e^T F e, for F = T T^T. What
/// is least then for W, x and y is what is least without weights for T^T W, x
/// and T^T y: these are mapped, and factors of T^T W are brought back.
class Metric {
public:
  /// F is the mean of g g^T over gradients g at outputs, [out, out], and a
  /// share of its mean diagonal, for few tokens say little of all directions.
  Metric(Matrix squares, int64_t out, Workers &workers);

  /// T^T W for W [out, in].
  std::vector<float> map(llvm::ArrayRef<float> weight, Workers &workers) const;
  void map(Statistics &statistics, Workers &workers) const;
  /// `outputSquares` is not known any more.
  void map(FitStatistics &statistics, Workers &workers) const;
  /// Makes factors of the mapped weight those of `weight`.
  void undo(Factors &factors, llvm::ArrayRef<float> weight, SigmaSide side,
            Workers &workers) const;

private:
  int64_t out;
  Root root;
};

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_METRIC_H
