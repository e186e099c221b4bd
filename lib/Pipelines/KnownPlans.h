//===- KnownPlans.h - Plans that were found ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PIPELINES_KNOWNPLANS_H
#define TRN_LIB_PIPELINES_KNOWNPLANS_H

#include "SearchPlan.h"

namespace mlir::trn {

/// Searches once for what is asked for several times.
class KnownPlans {
public:
  /// As `searchPlan` does.
  llvm::Expected<FoundPlan> find(const planning::Graph &graph,
                                 const planning::Constraints &constraints,
                                 const Machine &machine, int64_t effort);

private:
  struct KnownPlan {
    planning::Graph graph;
    planning::Constraints constraints;
    Machine machine;
    int64_t effort;
    FoundPlan plan;
  };
  std::vector<KnownPlan> plans;
};

} // namespace mlir::trn

#endif // TRN_LIB_PIPELINES_KNOWNPLANS_H
