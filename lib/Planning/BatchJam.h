//===- BatchJam.h - Several batches at once ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_BATCHJAM_H
#define TRN_LIB_PLANNING_BATCHJAM_H

#include "RecordedBatch.h"

namespace mlir::trn::planning {

/// Keeps what is told of one batch, to tell it of several whose instructions
/// take turns: unroll and jam. Engines work in program order, so that one batch
/// goes on while the other one waits for a result.
///
/// Batches, or stacks, that are *staggered* begin behind the one before by a
/// part of its time, or of a strip if a mask cuts these. There are no loops.
///
/// What only reads and writes all of the buffers of a stack is one instruction
/// for all its batches. What lies between the batches is zero at first, and
/// whatever becomes of that.
class BatchJam : public PlanVisitor {
public:
  /// Nests in front of `firstNest` are for all batches, and outside of them.
  BatchJam(const Graph &graph, const Plan &plan, const Machine &machine,
           unsigned firstNest);

  /// What was recorded so far is for all batches of one outer index. It is told
  /// once, ahead of the first one.
  void beginBatch();

  void enterStage(unsigned stage) override;
  void enterStrip() override;
  void beginLoop(int32_t loop, int64_t trips) override;
  void endLoop(int32_t loop) override;
  void allocate(int32_t number, const PlannedBuffer &buffer) override;
  void copy(const BlockView &from, const BlockView &to) override;
  void transposeByDma(const BlockView &from, const BlockView &to) override;
  void multiply(const BlockView &stationary, const BlockView &moving,
                const BlockView &bank, const LinearExpr &index) override;
  void transpose(const BlockView &from, const BlockView &bank) override;
  void convert(const BlockView &from, const BlockView &to,
               std::optional<Engine> engine) override;
  void add(const BlockView &from, const BlockView &to) override;
  void activate(Function function, const BlockView &from, const Argument &scale,
                const Argument &bias, const BlockView &to,
                const BlockView *sums) override;
  void combine(Function function, const Argument &left, const Argument &right,
               const BlockView &to, const Then *then) override;
  void select(const BlockView &condition, const BlockView &taken,
              const BlockView &other, const BlockView &to) override;
  void fill(float value, const BlockView &to) override;
  void reduce(Function function, const BlockView &from,
              const BlockView &to) override;

  /// Tells `visitor` of the batches from index `first` on, of the innermost dim
  /// or, if all indices of that are told of, of the one around it. Their
  /// buffers get numbers from `nextBuffer` on, which is set to the next one.
  void replay(PlanVisitor &visitor, const LinearExpr &first,
              int32_t &nextBuffer) const;

private:
  using Side = StackLayout::Side;

  void record(For whom, RecordedBatch::Tell tell, double ns = 0);
  double nsOf(Engine engine, int64_t columns) const;
  bool isCommon(const BlockView &view, Side side) {
    return layout.isCommon(view, side, graph.stages[stage]);
  }
  bool isCommon(const Argument &argument, Side side) {
    return !argument.block || isCommon(*argument.block, side);
  }
  For forWhom(const BlockView &to, bool areCommon, bool readsIt = false);

  const Graph &graph;
  const Plan &plan;
  const Machine &machine;
  StackLayout layout;
  StoreAtOnce storeAtOnce;
  unsigned stage = 0;
  RecordedBatch own, shared;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_BATCHJAM_H
