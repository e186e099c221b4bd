//===- CanonicalPlan.h - Strips of X, blocks of weights ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SEARCH_CANONICALPLAN_H
#define TRN_LIB_SEARCH_CANONICALPLAN_H

#include "trn/Search/Demands.h"

namespace mlir::trn::search {

/// What the canonical plan of a graph has numbers for.
struct PlanSizes {
  int64_t rows = 0;    // of a strip
  int64_t columns = 0; // of a block of a product's result
  int64_t piece = 0;   // rows of what is transposed at a time
  int64_t slots = 1;   // of what comes and goes
  /// Columns of rows that are reduced, or computed element by element, at a
  /// time; 0: all.
  int64_t elements = 0;
};

/// For strips of rows of X,
///
///   x  in pieces, transposed into xt       (not if X arrives transposed)
///   w  block by block, transposed into wt  (only if W arrives transposed)
///   y  = block by block of its weight      and so on for every product
///   o  = block by block of its weight, stored block by block
///   s  = what a strip of its operands is reduced to, or computed from
///
/// with the blocks that are demanded in place of `sizes`. With several slots
/// X^T comes a strip ahead. `graph` is a form of the source that has the
/// strips.
planning::Schedule canonicalPlan(const planning::Graph &graph, unsigned strip,
                                 const PlanSizes &sizes,
                                 const DemandChecker &demands,
                                 const Machine &machine);

} // namespace mlir::trn::search

#endif // TRN_LIB_SEARCH_CANONICALPLAN_H
