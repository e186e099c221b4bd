//===- BlockedPlan.h - The loops of the vendor's product --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_BLOCKEDPLAN_H
#define TRN_SEARCH_BLOCKEDPLAN_H

#include "trn/Planning/Plan.h"

namespace mlir::trn {
struct Machine;
} // namespace mlir::trn

namespace mlir::trn::search {

/// The plan of `source`, one product, with the vendor's loops. The paper calls
/// them NKI XW; they are the fully blocked product of the NKI tutorials.
/// ```
/// for blocks of 2 moving tiles of the columns
///   for blocks of 8 tiles of the contraction
///     load the block of the weight
///     for blocks of 8 tiles of the rows
///       load the block of X^T, and add its product to sums in SBUF
///   store all rows
/// ```
/// Sums have the type of the result. An operand in another layout is transposed
/// first, in a pass of its own through HBM; a few rows stay on chip. If the
/// sums of all rows do not fit, the kernel computes half of the rows at a time,
/// or less. Fails, with the reason, if `source` is another graph or has no such
/// plan.
llvm::Expected<planning::Schedule> blockedPlan(const planning::Graph &source,
                                               const Machine &machine);

} // namespace mlir::trn::search

#endif // TRN_SEARCH_BLOCKEDPLAN_H
