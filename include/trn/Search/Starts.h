//===- Starts.h - Plans that a search begins with ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_STARTS_H
#define TRN_SEARCH_STARTS_H

#include "trn/Search/Demands.h"
#include <limits>

namespace mlir::trn::search {

/// A schedule that fits, and how long engines work.
struct Start {
  planning::Schedule schedule;
  double busyNs = 0;  // the busiest one
  double promise = 0; // ns; a little of all of them added
};

/// As demanded, those that keep the busiest engine least first: for strips of
/// several sizes in each form the canonical plan, whose strips of X come
/// transposed and ahead and whose intermediates stay for a strip, with weights
/// that pass by in tiles or with their whole contraction; such with
/// intermediates in HBM, or computed in blocks; and what comes of these where
/// they do not fit. The smallest plans if none of these fits. Not all of them,
/// but `most`, if there are more.
std::vector<Start> findStarts(const planning::Graph &source,
                              const DemandChecker &demands,
                              const Machine &machine,
                              size_t most = std::numeric_limits<size_t>::max());

} // namespace mlir::trn::search

#endif // TRN_SEARCH_STARTS_H
