//===- StartVariants.h - Canonical plans and what differs -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SEARCH_STARTVARIANTS_H
#define TRN_LIB_SEARCH_STARTVARIANTS_H

#include "trn/Search/Demands.h"

namespace mlir::trn::search {

/// The canonical plan of `graph`, a form of the source, for strips of `rows`,
/// with weights and intermediates that come in several ways. Some may not be as
/// demanded, or not fit.
std::vector<planning::Schedule> variantsOf(const planning::Graph &graph,
                                           unsigned strip, int64_t rows,
                                           const DemandChecker &demands,
                                           const Machine &machine);

/// What `nest` multiplies is there for `block` of its contraction at a time, as
/// it adds to sums in SBUF; none if that cuts nothing.
std::optional<planning::Schedule>
blockContraction(planning::Schedule schedule, unsigned nest, int64_t block,
                 const DemandChecker &demands);

} // namespace mlir::trn::search

#endif // TRN_LIB_SEARCH_STARTVARIANTS_H
