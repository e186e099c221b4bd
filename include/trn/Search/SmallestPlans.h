//===- SmallestPlans.h - Plans that need the least room ---------*- C++ -*-===//
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

/// The smallest plans as demanded, whether they fit or not: a tile and a slot
/// of each matrix at a time, with intermediates in HBM or kept for a strip.
std::vector<planning::Schedule> smallestPlans(const planning::Graph &source,
                                              const DemandChecker &demands,
                                              const Machine &machine);

} // namespace mlir::trn::search

#endif // TRN_SEARCH_SMALLESTPLANS_H
