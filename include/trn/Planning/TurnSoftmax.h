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
  /// By matrix: the one of the source that it is, or that it stands for.
  llvm::SmallVector<unsigned> origins;
};

/// Attention in bf16 whose scores are computed twice: with queries on the
/// partitions for their maxima, and with keys there for the exponentials, which
/// products with values read as they are:
///
///   s = x * w over k, a = max s over n, p = exp(sub(s, a)), l = sum p over n,
///   q = div(p, l), o = q * v over n
/// becomes
///   a = max [x * w over k] over n, p = exp([w * x over k + minus * a over
///   one]), o = div([p * v over n], [p * ones over n])
///
/// Maxima are no more than a shift, so they are rounded to bf16 as factors. The
/// exponentials are rounded instead of their shares of the sum, which are the
/// same numbers but for that. A mask must be a band; it is made on chip, since
/// its transpose is read, too. None if there is no such attention in `source`.
std::optional<TurnedGraph> turnSoftmax(const Graph &source);

/// Whether `graph` has the constants that only turned attention has.
bool isTurned(const Graph &graph);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_TURNSOFTMAX_H
