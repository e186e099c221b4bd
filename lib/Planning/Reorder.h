//===- Reorder.h - Tells a walk in the order of engines ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_REORDER_H
#define TRN_LIB_PLANNING_REORDER_H

#include "ListSchedule.h"
#include "ProgramWriter.h"
#include "trn/Planning/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace mlir::trn::planning {

/// Keeps what is told between two ends of loops, and tells it in the order of a
/// list schedule. It also chooses the engines of copies out of PSUM, if the
/// plan does not. Buffers are allocated where they are first used, and numbered
/// in that order.
class Reorder final : public PlanVisitor {
public:
  Reorder(const Graph &graph, const Machine &machine, PlanVisitor &visitor)
      : machine(machine), costs(machine), meter(graph, machine),
        visitor(visitor) {}

  /// Tells what is left.
  void finish() { flush(); }

  void enterStage(unsigned number) override { stage = number; }
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
  void keepSide(int64_t start, int64_t rowStep, int64_t columnStep,
                float otherwise, const BlockView &block) override;
  void reduce(Function function, const BlockView &from,
              const BlockView &to) override;

private:
  /// Writes the instructions of one event at a time.
  class Meter : public ProgramWriter {
  public:
    using ProgramWriter::ProgramWriter;
    llvm::ArrayRef<Instruction> written() const { return instructions; }
    /// The number in the walk of a buffer; -1 in HBM.
    int32_t numberOf(int32_t buffer) const { return memory.numberOf(buffer); }
    void forget() {
      instructions.clear();
      steps.clear();
      blocks.back().evictions.clear();
    }
  };
  /// Tells `visitor` with the numbers that its buffers have there.
  class Teller;
  using Tell = std::function<void(const Teller &)>;
  struct Event {
    unsigned stage;
    Tell tell;
  };
  /// The part of a buffer that a task of this segment reads or writes.
  struct Use {
    int32_t task;
    LinearExpr partition, offset;
    int64_t partitions, span;
  };
  struct Uses {
    std::vector<Use> read, written;
  };
  struct Told {
    PlannedBuffer buffer;
    std::optional<int32_t> number = std::nullopt; // once it is told
    bool isOver = false;                          // with a loop
  };

  void record(Tell tell);
  void follow(Task &task, const Access &access, bool isWritten);
  void followAll(Task &task, const Use &own, bool isWritten,
                 llvm::ArrayRef<Use> others, bool areWritten) const;
  Task::Way wayOf(const Instruction &instruction) const;
  Rooms findRooms() const;
  void flush();

  const Machine &machine;
  const Costs costs;
  Meter meter;
  PlanVisitor &visitor;
  unsigned stage = 0;
  std::vector<Told> buffers; // by their number in the walk
  int32_t numbers = 0;       // told
  std::vector<size_t> loops; // those that are open: their first buffer
  // Of this segment.
  int32_t firstBuffer = 0;
  std::vector<Event> events;
  std::vector<Task> tasks;
  llvm::DenseMap<int32_t, Uses> uses; // by buffer of the meter
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_REORDER_H
