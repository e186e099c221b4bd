//===- JamBatches.h - Several batches at once -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_JAMBATCHES_H
#define TRN_LIB_PLANNING_JAMBATCHES_H

#include "JamCopies.h"
#include "StoreAtOnce.h"
#include "trn/Planning/Plan.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>

namespace mlir::trn::planning {

/// Keeps what is told of one batch, to tell it of several whose instructions
/// take turns: unroll and jam. Engines work in program order, so that one batch
/// goes on while the other one waits for a result.
///
/// Batches, or stacks, that are *staggered* begin behind the one before by a
/// part of its time, or of a strip if a mask cuts these. There are no loops.
///
/// With a *stacked* dim up to four batches share buffers: the few indices of
/// the dim lie on partitions of their own, or in columns of their own,
/// `stackPitch` apart. What only reads and writes all of such buffers is one
/// instruction for all batches. What lies between the batches is zero at first,
/// and whatever becomes of that.
///
/// A small stationary operand, as queries are, comes once for each batch, with
/// zeros for all others, so the products of all batches add up in one bank. If
/// they sum over few rows, moving operands of a *group* of batches lie below
/// each other, and one product is that of all of them.
class BatchJam : public PlanVisitor {
public:
  /// Nests in front of `firstNest` are for all batches, and outside of them.
  BatchJam(const Graph &graph, const Plan &plan, const Machine &machine,
           unsigned firstNest);

  /// The batch in what is recorded, and the index of the dim around it: loops
  /// that there are not.
  static constexpr int32_t batch = std::numeric_limits<int32_t>::max(),
                           outer = batch - 1;

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
  /// Where a buffer has the stacked dim; or batches lie below each other (those
  /// of a group), or beside.
  enum class Side { None, Rows, Columns, Diagonal, Below, Beside };

  friend struct BatchCopy;
  struct Stack; // ReplayBatches.cpp
  using Event = std::function<void(PlanVisitor &, BatchCopy &)>;
  struct Recorded {
    For whom;
    unsigned stage;
    size_t strip;
    double begin; // if engines worked one after the other
    Event tell;
  };

  void record(For whom, Event event, double ns = 0) {
    events.push_back({whom, stage, strips.size() - 1, time, std::move(event)});
    time += ns * double(whom == For::Each    ? count
                        : whom == For::Group ? count / groupSize
                                             : 1);
  }
  double nsOf(Engine engine, int64_t columns) const;
  double timeOf(const Recorded &event, double lag) const;
  double ofTurn() const;
  double beginOf(const Recorded &event, int64_t number) const;
  double beginOf(const Stack &stack, int64_t number) const;
  const Recorded &eventOf(const Stack &stack) const;
  bool addsUp(const Stage &stage) const;
  bool fitsGroup(const Plan &plan, unsigned matrix, unsigned dim) const;
  void findGroups(const Plan &plan, const Machine &machine);
  int64_t groupSizeOf(unsigned matrix) const {
    return isGrouped[matrix] ? groupSize : 1;
  }
  For ownersOf(Side side, unsigned matrix) const;
  Side sideOf(const PlannedBuffer &buffer) const;
  Side sideOf(const BlockView &view) const;
  bool isFull(const BlockView &view) const;
  bool isCommon(const BlockView &view, Side side);
  bool isCommon(const Argument &argument, Side side);
  bool comesApart(const BlockView &from, const BlockView &to) const;
  For forWhom(const BlockView &to, bool areCommon, bool readsIt = false);

  const Graph &graph;
  std::optional<unsigned> stacked;
  int64_t jam, staggered;
  int64_t count, pitch; // batches of a stack, what is between them
  int64_t together;     // batches of one outer index
  const Machine &machine;
  llvm::SmallVector<bool, 16> isDiagonal, isTurnedApart; // by matrix
  int64_t groupSize = 1;
  llvm::SmallVector<bool, 16> isGrouped, isMoving; // by matrix
  llvm::DenseMap<int32_t, Side> sides;             // by buffer
  llvm::DenseMap<int32_t, int64_t> columns;        // by buffer, of one batch
  llvm::DenseSet<int32_t> rowsForAll; // buffers outside with one row for all
  StoreAtOnce storeAtOnce;
  unsigned stage = 0;
  std::vector<Recorded> events, shared;
  double time = 0, sharedTime = 0;
  std::vector<double> strips{0}; // when each begins, after what is in front
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_JAMBATCHES_H
