//===- Legalize.h - Layouts for the tensor engine ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_LEGALIZE_H
#define TRN_PLANNING_LEGALIZE_H

#include "trn/Planning/Graph.h"

namespace mlir::trn::planning {

/// How intermediates get the layout in which they are read.
enum class TransposeMode : uint8_t {
  Implicit, // computed transposed: Y^T = U^T * X^T
  Explicit, // computed as in the source, and transposed on chip
};

/// Makes a legal graph of `source`, whose products may sum over any dim of
/// their operands. A stage of its own transposes an operand whose second dim is
/// the contraction.
Graph legalize(const Graph &source, TransposeMode mode);

/// `source` with attention rewritten by `turnSoftmax`, as a legal graph.
std::optional<Graph> legalizeTurned(const Graph &source);

/// Legalizes `source` by `mode`, in the same form as `graph`: with the same
/// parts, or rewritten by `turnSoftmax`.
Graph legalizeLike(const Graph &graph, const Graph &source, TransposeMode mode);

/// The dim whose blocks are the strips of `source`: the rows of its first
/// product, or the columns if all results have only these. Without products,
/// the rows of the first result, or the columns of a single row.
unsigned stripOf(const Graph &source);
/// Whether all results of `source` have `dim`.
bool isStrip(const Graph &source, unsigned dim);

/// Whether `graph` is a form of `source` that the functions above make.
bool isLegalFormOf(const Graph &graph, const Graph &source);

/// By matrix of `graph`, a legal form of `source`: the source's matrix of which
/// it is the whole, a part or the transpose.
llvm::SmallVector<unsigned> originsOf(const Graph &graph, const Graph &source);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_LEGALIZE_H
