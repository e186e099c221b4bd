//===- KnownPlans.h - Plans found before ------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_KNOWNPLANS_H
#define TRN_SEARCH_KNOWNPLANS_H

#include "trn/Machine/Machine.h"
#include "trn/Search/SearchPlan.h"

namespace mlir::trn::search {

/// The arguments of a search.
struct PlanQuestion {
  const planning::Graph &graph;
  const Demands &demands;
  const Machine &machine;
  int64_t effort;
};

/// Plans that outlive the process.
class PlanStore {
public:
  virtual ~PlanStore() = default;
  /// The stored plan, with the names of the question's graph.
  virtual std::optional<FoundPlan> load(const PlanQuestion &question) = 0;
  virtual void keep(const PlanQuestion &question, const FoundPlan &found) = 0;
};

/// Searches once for questions that come again.
class KnownPlans {
public:
  /// Asks `other` before it searches; null: none.
  void setStore(PlanStore *other) { store = other; }
  /// As `searchPlan` does.
  llvm::Expected<FoundPlan> find(const planning::Graph &graph,
                                 const Demands &demands, const Machine &machine,
                                 int64_t effort);

private:
  struct KnownPlan {
    planning::Graph graph;
    Demands demands;
    Machine machine;
    int64_t effort;
    FoundPlan plan;
  };
  llvm::Expected<FoundPlan> findElsewhere(const PlanQuestion &question);

  std::vector<KnownPlan> plans;
  PlanStore *store = nullptr;
};

} // namespace mlir::trn::search

#endif // TRN_SEARCH_KNOWNPLANS_H
