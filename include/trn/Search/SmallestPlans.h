//===- SmallestPlans.h - Plans that need least memory -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_SMALLESTPLANS_H
#define TRN_SEARCH_SMALLESTPLANS_H

#include "trn/Search/Demands.h"

namespace mlir::trn::search {

/// The smallest plans within the constraints, whether they fit or not: a tile
/// and a slot of each matrix at a time. Intermediates are in HBM, or kept for a
/// strip.
std::vector<planning::Schedule> smallestPlans(const planning::Graph &source,
                                              const DemandChecker &demands,
                                              const Machine &machine);

} // namespace mlir::trn::search

#endif // TRN_SEARCH_SMALLESTPLANS_H
