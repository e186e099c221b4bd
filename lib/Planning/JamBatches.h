//===- JamBatches.h - Several batches at once -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_JAMBATCHES_H
#define TRN_LIB_PLANNING_JAMBATCHES_H

#include "trn/Planning/Plan.h"
#include "trn/Planning/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>

namespace mlir::trn::planning {

/// Keeps what is told of one batch, to tell it of several whose instructions
/// take turns: unroll and jam. Engines work in program order, so that one batch
/// goes on while the other one waits for a result.
///
/// Batches, or stacks of them, that are *staggered* begin a part of the
/// instructions behind the one before. There are no loops then.
///
/// With a *stacked* dim up to four batches share buffers: the few indices of
/// the dim lie on partitions of their own, or in columns of their own,
/// `stackPitch` apart. What only reads and writes all of such buffers is one
/// instruction for all batches. What lies between the batches is zero at first,
/// and whatever becomes of that.
///
/// A small stationary operand, as queries are, comes once for each batch, with
/// zeros for all others. So the products of all batches add up in one bank,
/// each of them in rows of its own.
class BatchJam : public PlanVisitor {
public:
  BatchJam(const Graph &graph, const Plan &plan, const Machine &machine);

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

  /// Tells `visitor` of the batches, the first of which is `first`. Their
  /// buffers get numbers from `nextBuffer` on, which is set to the next one.
  void replay(PlanVisitor &visitor, const LinearExpr &first,
              int32_t &nextBuffer) const;

private:
  /// Where a buffer has the stacked dim.
  enum class Side { None, Rows, Columns, Diagonal };

  using Buffers = llvm::DenseMap<int32_t, int32_t>;
  /// What one batch, or all of them, makes of what was recorded.
  struct Copy {
    const BatchJam &jam;
    LinearExpr index;
    int64_t number; // from 0 on
    bool isOfAll;
    Buffers *buffers, *sharedBuffers;
    int32_t *nextBuffer;

    BlockView operator()(BlockView view) const;
    Argument operator()(Argument argument) const;
  };
  void stagger(PlanVisitor &visitor, llvm::MutableArrayRef<Copy> each,
               llvm::MutableArrayRef<Copy> all) const;
  using Event = std::function<void(PlanVisitor &, Copy &)>;
  /// Whether it is told for each batch, for all of a stack, or once.
  enum class For { Each, All, Once };

  void record(For whom, Event event) {
    events.push_back({whom, stage, std::move(event)});
  }
  bool addsUp(const Stage &stage) const;
  Side sideOf(const PlannedBuffer &buffer) const;
  Side sideOf(const BlockView &view) const;
  bool isFull(const BlockView &view) const;
  bool isCommon(const BlockView &view, Side side);
  bool isCommon(const Argument &argument, Side side) {
    return !argument.block || isCommon(*argument.block, side);
  }
  For forWhom(const BlockView &to, bool areCommon, bool readsIt = false);

  const Graph &graph;
  std::optional<unsigned> stacked;
  int64_t jam, staggered;
  int64_t count, pitch; // batches of a stack, what is between them
  int64_t partitions;
  llvm::SmallVector<bool, 16> isDiagonal; // by matrix
  llvm::DenseMap<int32_t, Side> sides;    // by buffer
  /// Buffers outside of the batches that have one row for all of them.
  llvm::DenseSet<int32_t> rowsForAll;
  unsigned stage = 0;
  struct Recorded {
    For whom;
    unsigned stage;
    Event event;
  };
  std::vector<Recorded> events;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_JAMBATCHES_H
