//===- BatchReplay.h - Batches that take turns ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_BATCHREPLAY_H
#define TRN_LIB_PLANNING_BATCHREPLAY_H

#include "RecordedBatch.h"

namespace mlir::trn::planning {

/// Tells of several batches what was recorded of one.
class BatchReplay {
public:
  /// Batches of one outer index have `shared` in common.
  BatchReplay(const Graph &graph, const Plan &plan, const StackLayout &layout,
              const StoreAtOnce &storeAtOnce, const RecordedBatch &own,
              const RecordedBatch &shared)
      : graph(graph), plan(plan), layout(layout), storeAtOnce(storeAtOnce),
        own(own), shared(shared) {}

  void tell(PlanVisitor &visitor, const LinearExpr &first,
            int32_t &nextBuffer) const;

private:
  struct Stack;
  using Event = RecordedBatch::Event;

  double timeOf(const Event &event, double lag) const;
  double ofTurn() const;
  double beginOf(const Event &event, int64_t number) const;
  double beginOf(const Stack &stack, int64_t number) const;
  const Event &eventOf(const Stack &stack) const;

  const Graph &graph;
  const Plan &plan;
  const StackLayout &layout;
  const StoreAtOnce &storeAtOnce;
  const RecordedBatch &own, &shared;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_BATCHREPLAY_H
