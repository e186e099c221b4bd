//===- TurnSoftmax.h - Attention with keys on the partitions ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_TURNSOFTMAX_H
#define TRN_PLANNING_TURNSOFTMAX_H

#include "trn/Planning/Graph.h"

namespace mlir::trn::planning {

struct TurnedGraph {
  Graph graph;
  /// By matrix: the source's matrix that it is or replaces.
  llvm::SmallVector<unsigned> origins;
};

/// Rewrites bf16 attention so that scores are computed twice: with queries on
/// the partitions for the maxima, with keys there for the exponentials. The
/// product with the values then reads these without transposition:
/// ```
/// s = x * w over k, a = max s over n, p = exp(sub(s, a)), l = sum p over n,
/// q = div(p, l), o = q * v over n
/// ```
/// becomes
/// ```
/// a = max [x * w over k] over n, p = exp([w * x over k + minus * a over one]),
/// o = div([p * v over n], [p * ones over n])
/// ```
/// Maxima are only a shift, so they are rounded to bf16 as factors.
/// Exponentials are rounded in place of the quotients. A mask must be a band;
/// it is made on chip, because its transpose is read, too.
///
/// Scores that are rounded before their maxima are subtracted are computed
/// once: VectorE takes the maxima of bf16, and the exponentials are transposed:
/// ```
/// s = bf16(x * w over k), a = max s over n, p = exp(sub(s, a)),
/// pt = transpose p, o = div([pt * v over n], [pt * ones over n])
/// ```
/// None if `source` has no attention in bf16.
std::optional<TurnedGraph> turnSoftmax(const Graph &source);

/// Whether `graph` has the constants that only `turnSoftmax` makes.
bool isTurned(const Graph &graph);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_TURNSOFTMAX_H
