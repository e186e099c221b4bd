//===- JamBatches.h - Several batches at once -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_JAMBATCHES_H
#define TRN_LIB_PLANNING_JAMBATCHES_H

#include "trn/Planning/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace mlir::trn::planning {

/// Keeps what is told of one batch, to tell it of several whose instructions
/// take turns: unroll and jam. Engines work in program order, so that one batch
/// goes on while the other one waits for a result.
class BatchJam : public PlanVisitor {
public:
  /// The batch in what is recorded: a loop that there is not.
  static constexpr int32_t batch = std::numeric_limits<int32_t>::max();

  void enterStage(unsigned stage) override;
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
               const BlockView &to) override;
  void fill(float value, const BlockView &to) override;
  void reduce(Function function, const BlockView &from,
              const BlockView &to) override;

  /// Tells `visitor` of `count` batches, the first of which is `first`. Their
  /// buffers get numbers from `nextBuffer` on, which is set to the next one.
  void replay(PlanVisitor &visitor, const LinearExpr &first, int64_t count,
              int32_t &nextBuffer) const;

private:
  /// One of the batches that are told.
  struct Copy {
    LinearExpr index;
    llvm::DenseMap<int32_t, int32_t> buffers;

    BlockView operator()(BlockView view) const;
    Argument operator()(Argument argument) const;
  };
  /// What is told for each of them.
  using Event = std::function<void(PlanVisitor &, Copy &, int32_t &nextBuffer)>;
  /// What is told once, for all.
  using Shared = std::function<void(PlanVisitor &)>;

  void record(Event event) { events.push_back({std::move(event), {}}); }
  void share(Shared event) { events.push_back({{}, std::move(event)}); }

  std::vector<std::pair<Event, Shared>> events;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_JAMBATCHES_H
