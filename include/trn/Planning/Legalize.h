//===- Legalize.h - Products as the tensor engine takes them ----*- C++ -*-===//
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

/// How the intermediates get the layout in which they are read.
enum class TransposeMode : uint8_t {
  Implicit, // they are computed in it: Y^T = U^T * X^T
  Explicit, // they are computed as in the source, and transposed on chip
};

/// `source`, whose products sum over any dim of their operands, as a legal
/// graph: what holds the contraction second is transposed by a stage of its
/// own.
Graph legalize(const Graph &source, TransposeMode mode);

/// `source` with attention turned (`turnSoftmax`), as a legal graph.
std::optional<Graph> legalizeTurned(const Graph &source);

/// `source` as `mode` has it, in the parts that `graph` falls into, or turned
/// as that is.
Graph legalizeLike(const Graph &graph, const Graph &source, TransposeMode mode);

/// The dim whose blocks are the strips of `source`: rows of the first matrix
/// that it multiplies, or columns of the second one. All results have it, if
/// there is such a dim; 0 if nothing is multiplied first.
unsigned stripOf(const Graph &source);
/// Whether all results of `source` have `dim`.
bool isStrip(const Graph &source, unsigned dim);

/// Whether `graph` is one of those that the functions above make of `source`.
bool isLegalFormOf(const Graph &graph, const Graph &source);

/// By matrix of `graph`, a legal form of `source`: which one of `source` it is,
/// or is the transpose or a part of.
llvm::SmallVector<unsigned> originsOf(const Graph &graph, const Graph &source);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_LEGALIZE_H
