//===- KnownPlans.cpp - Plans that were found -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/KnownPlans.h"

#include "trn/Machine/MachineFields.h"
#include "trn/Support/Interrupt.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::search;

static bool isSame(const Machine &a, const Machine &b) {
  return a.name == b.name &&
         llvm::all_of(machineFields(), [&](const MachineField &field) {
           return field.get(a) == field.get(b);
         });
}

llvm::Expected<FoundPlan>
KnownPlans::findElsewhere(const PlanQuestion &question) {
  if (store)
    if (std::optional<FoundPlan> kept = store->load(question))
      return std::move(*kept);
  const auto &[graph, demands, machine, effort] = question;
  llvm::Expected<FoundPlan> found = searchPlan(graph, demands, machine, effort);
  // A search that was ended early has not found the best.
  if (store && found && !isInterrupted())
    store->keep(question, *found);
  return found;
}

llvm::Expected<FoundPlan> KnownPlans::find(const planning::Graph &graph,
                                           const Demands &demands,
                                           const Machine &machine,
                                           int64_t effort) {
  for (const KnownPlan &known : plans)
    if (known.graph == graph && known.demands == demands &&
        known.effort == effort && isSame(known.machine, machine))
      return known.plan;
  llvm::Expected<FoundPlan> plan =
      findElsewhere({graph, demands, machine, effort});
  if (plan)
    plans.push_back({graph, demands, machine, effort, *plan});
  return plan;
}
