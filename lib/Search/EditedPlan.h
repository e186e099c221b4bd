//===- EditedPlan.h - A plan, and an edit of it -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SEARCH_EDITEDPLAN_H
#define TRN_LIB_SEARCH_EDITEDPLAN_H

#include "trn/Search/Edits.h"

namespace mlir::trn::search {

/// A plan, and an edit of it.
class EditedPlan {
public:
  EditedPlan(const Edit &edit, planning::Schedule &schedule)
      : edit(edit), graph(schedule.graph), plan(schedule.plan) {}

protected:
  llvm::SmallVectorImpl<planning::Loop> &loops(unsigned nest) {
    return plan.nests[nest].loops;
  }
  const planning::Stage &stage() const { return graph.stages[edit.nest]; }
  planning::Home &home() { return plan.homes[edit.home]; }
  bool isWritten(const planning::Home &home) const {
    return graph.stages[home.nests.front()].result == home.matrix;
  }
  /// The home that the nest fills.
  planning::Home *resultHome(unsigned nest) {
    return const_cast<planning::Home *>(
        plan.homeOf(graph.stages[nest].result, nest));
  }

  const Edit &edit;
  const planning::Graph &graph;
  planning::Plan &plan;
};

} // namespace mlir::trn::search

#endif // TRN_LIB_SEARCH_EDITEDPLAN_H
