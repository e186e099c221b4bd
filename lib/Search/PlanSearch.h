//===- PlanSearch.h - Edits of plans, best first ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SEARCH_PLANSEARCH_H
#define TRN_LIB_SEARCH_PLANSEARCH_H

#include "trn/Search/Demands.h"
#include "trn/Search/FoundPlan.h"

namespace mlir::trn::search {

/// What a search leaves.
struct SearchResult {
  /// None if no plan fits.
  std::optional<FoundPlan> best = std::nullopt;
  /// Fast plans of different shapes, the fastest first.
  std::vector<planning::Schedule> promising = {};
};

/// The best plan for `source` that is found with `effort`, and in which `other`
/// holds. If there are `seeds`, plans for it, staggered batches are
/// list-scheduled, and these are where the search begins.
SearchResult searchPlans(const planning::Graph &source, const Demands &demands,
                         const Machine &machine, int64_t effort,
                         llvm::ArrayRef<planning::Schedule> seeds,
                         DemandChecker::Predicate other = nullptr);

/// A plan for `source` that at most `effort` edits make of the fastest of
/// `schedules`, which are the best ones for less of it, the best one first;
/// none if it takes too long to tell.
std::optional<FoundPlan>
improvePlan(const planning::Graph &source, const Demands &demands,
            const Machine &machine, int64_t effort,
            llvm::ArrayRef<planning::Schedule> schedules);

} // namespace mlir::trn::search

#endif // TRN_LIB_SEARCH_PLANSEARCH_H
