//===- Reorder.cpp - Tells a walk in the order of engines -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reorder.h"

#include "trn/Machine/Work.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

class Reorder::Teller {
public:
  /// `buffers` have other numbers there, if any.
  Teller(PlanVisitor &visitor, const std::vector<Told> *buffers = nullptr,
         Engine engine = Engine::Vector)
      : visitor(visitor), engine(engine), buffers(buffers) {}

  BlockView operator()(BlockView view) const {
    if (view.buffer && buffers)
      view.buffer = *(*buffers)[*view.buffer].number;
    return view;
  }
  Argument operator()(Argument argument) const {
    if (argument.block)
      argument.block = (*this)(*argument.block);
    return argument;
  }

  PlanVisitor &visitor;
  const Engine engine;

private:
  const std::vector<Told> *buffers;
};

void Reorder::beginLoop(int32_t loop, int64_t trips) {
  flush();
  loops.push_back(buffers.size());
  visitor.enterStage(stage);
  visitor.beginLoop(loop, trips);
}

void Reorder::endLoop(int32_t loop) {
  flush();
  for (size_t i = loops.back(); i < buffers.size(); ++i)
    buffers[i].isOver = true;
  loops.pop_back();
  visitor.endLoop(loop);
}

void Reorder::allocate(int32_t number, const PlannedBuffer &buffer) {
  buffers.push_back({buffer});
  meter.allocate(number, buffer);
}

void Reorder::copy(const BlockView &from, const BlockView &to) {
  record([=](const Teller &of) { of.visitor.copy(of(from), of(to)); });
}

void Reorder::transposeByDma(const BlockView &from, const BlockView &to) {
  record(
      [=](const Teller &of) { of.visitor.transposeByDma(of(from), of(to)); });
}

void Reorder::multiply(const BlockView &stationary, const BlockView &moving,
                       const BlockView &bank, const LinearExpr &index) {
  record([=](const Teller &of) {
    of.visitor.multiply(of(stationary), of(moving), of(bank), index);
  });
}

void Reorder::transpose(const BlockView &from, const BlockView &bank) {
  record([=](const Teller &of) { of.visitor.transpose(of(from), of(bank)); });
}

void Reorder::convert(const BlockView &from, const BlockView &to,
                      std::optional<Engine> engine) {
  bool isEviction =
      !engine && buffers[*from.buffer].buffer.space == Space::Psum;
  record([=](const Teller &of) {
    if (isEviction && of.engine == Engine::Scalar)
      of.visitor.activate(Function::Copy, of(from), {std::nullopt, 1}, {},
                          of(to));
    else
      of.visitor.convert(of(from), of(to), engine.value_or(Engine::Vector));
  });
  if (!isEviction)
    return;
  Instruction copy = meter.written().back();
  copy.engine = Engine::Scalar;
  copy.work.cycles = activationCycles(to.width());
  tasks.back().ways.push_back(wayOf(copy));
}

void Reorder::add(const BlockView &from, const BlockView &to) {
  record([=](const Teller &of) { of.visitor.add(of(from), of(to)); });
}

void Reorder::activate(Function function, const BlockView &from,
                       const Argument &scale, const Argument &bias,
                       const BlockView &to, const BlockView *sums) {
  std::optional<BlockView> summed;
  if (sums)
    summed = *sums;
  record([=](const Teller &of) {
    std::optional<BlockView> own;
    if (summed)
      own = of(*summed);
    of.visitor.activate(function, of(from), of(scale), of(bias), of(to),
                        own ? &*own : nullptr);
  });
}

void Reorder::combine(Function function, const Argument &left,
                      const Argument &right, const BlockView &to,
                      const Then *then) {
  std::optional<Then> second;
  if (then)
    second = *then;
  record([=](const Teller &of) {
    std::optional<Then> own = second;
    if (own)
      own->other = of(own->other);
    of.visitor.combine(function, of(left), of(right), of(to),
                       own ? &*own : nullptr);
  });
}

void Reorder::select(const BlockView &condition, const BlockView &taken,
                     const BlockView &other, const BlockView &to) {
  record([=](const Teller &of) {
    of.visitor.select(of(condition), of(taken), of(other), of(to));
  });
}

void Reorder::fill(float value, const BlockView &to) {
  record([=](const Teller &of) { of.visitor.fill(value, of(to)); });
}

void Reorder::keepSide(int64_t start, int64_t rowStep, int64_t columnStep,
                       float otherwise, const BlockView &block) {
  record([=](const Teller &of) {
    of.visitor.keepSide(start, rowStep, columnStep, otherwise, of(block));
  });
}

void Reorder::reduce(Function function, const BlockView &from,
                     const BlockView &to) {
  record(
      [=](const Teller &of) { of.visitor.reduce(function, of(from), of(to)); });
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

Task::Way Reorder::wayOf(const Instruction &instruction) const {
  Engine engine = instruction.engine;
  if (engine != Engine::Load && engine != Engine::Store)
    return {engine, costs.occupied(instruction), costs.visible(instruction),
            costs.tableOf(instruction)};
  bool isTransposed = instruction.semantics == Semantics::Transpose;
  DmaShare share = costs.share(instruction.work, /*engine=*/0);
  int64_t moved = costs.moved(share, isTransposed);
  return {engine, moved,
          costs.dmaLatency + costs.dmaCompletion +
              std::max(moved, costs.completed(share))};
}

/// Whether `size` from `begin` on lie apart from those of another one.
static bool isApart(const LinearExpr &begin, int64_t size,
                    const LinearExpr &other, int64_t otherSize) {
  LinearExpr distance = other - begin;
  return distance.isConstant() &&
         (distance.constant >= size || -distance.constant >= otherSize);
}

/// Lets `task`, the next one, follow those of `others` that use elements of
/// `own`.
void Reorder::followAll(Task &task, const Use &own, bool isWritten,
                        llvm::ArrayRef<Use> others, bool areWritten) const {
  bool isOnTensor = task.ways.front().engine == Engine::Tensor;
  for (const Use &other : others) {
    if (other.task == own.task ||
        isApart(own.partition, own.partitions, other.partition,
                other.partitions) ||
        isApart(own.offset, own.span, other.offset, other.span))
      continue;
    // The tensor engine adds to its sums in order.
    bool isSum = isWritten && areWritten && isOnTensor &&
                 tasks[other.task].ways.front().engine == Engine::Tensor;
    task.after.push_back({other.task, areWritten && !isSum});
  }
}

/// Lets `task`, the next one, follow all that used elements of `access`, if
/// either writes them.
void Reorder::follow(Task &task, const Access &access, bool isWritten) {
  bool isOnChip = meter.numberOf(access.buffer) >= 0;
  Use own{int32_t(tasks.size()), access.partition, access.offset, 1, 1};
  if (isOnChip)
    own.partitions = access.dims.front().size;
  for (const Access::Dim &dim :
       llvm::ArrayRef(access.dims).drop_front(isOnChip))
    own.span += (dim.size - 1) * dim.stride;
  Uses &others = uses[access.buffer];
  followAll(task, own, isWritten, others.written, /*areWritten=*/true);
  if (isWritten)
    followAll(task, own, isWritten, others.read, /*areWritten=*/false);
  (isWritten ? others.written : others.read).push_back(std::move(own));
}

void Reorder::record(Tell tell) {
  meter.forget();
  tell(Teller(meter));
  Task task;
  llvm::ArrayRef<Instruction> made = meter.written();
  task.ways.push_back(wayOf(made.front()));
  for (const Instruction &more : made.drop_front()) {
    Task::Way way = wayOf(more);
    task.ways.front().busy += way.busy;
    task.ways.front().visible += way.busy;
  }
  for (const Instruction &instruction : made)
    for (bool isWritten : {false, true})
      for (const Access &access :
           isWritten ? llvm::ArrayRef<Access>(instruction.writes)
                     : instruction.reads) {
        follow(task, access, isWritten);
        int32_t number = meter.numberOf(access.buffer);
        if (number < 0)
          continue;
        task.usesPsum |= buffers[number].buffer.space == Space::Psum;
        if (!llvm::is_contained(task.buffers, number))
          task.buffers.push_back(number);
      }
  llvm::sort(task.after, [](Task::Edge left, Task::Edge right) {
    return std::tuple(left.task, !left.isData) <
           std::tuple(right.task, !right.isData);
  });
  task.after.erase(std::unique(task.after.begin(), task.after.end(),
                               [](Task::Edge left, Task::Edge right) {
                                 return left.task == right.task;
                               }),
                   task.after.end());
  tasks.push_back(std::move(task));
  events.push_back({stage, std::move(tell)});
}

/// What earlier buffers, if they are not over, leave of the chip's memories.
Rooms Reorder::findRooms() const {
  Rooms rooms{machine.psumBanks, machine.sbufPartitionBytes};
  for (const Told &told :
       llvm::ArrayRef(buffers).take_front(size_t(firstBuffer)))
    if (!told.isOver)
      (told.buffer.space == Space::Psum ? rooms.banks : rooms.bytes) -=
          told.buffer.describe(machine).footprint();
  return rooms;
}

void Reorder::flush() {
  Rooms rooms = findRooms();
  std::vector<Room> own;
  for (size_t i = size_t(firstBuffer); i < buffers.size(); ++i)
    own.push_back({buffers[i].buffer.space,
                   buffers[i].buffer.describe(machine).footprint()});
  for (Task &task : tasks) {
    llvm::erase_if(task.buffers,
                   [&](int32_t buffer) { return buffer < firstBuffer; });
    for (int32_t &buffer : task.buffers)
      buffer -= firstBuffer;
  }
  auto open = [&](int32_t buffer) {
    Told &told = buffers[firstBuffer + buffer];
    if (!told.number)
      visitor.allocate(*(told.number = numbers++), told.buffer);
  };
  std::optional<unsigned> told;
  for (Scheduled next :
       listSchedule(tasks, own, rooms, costs, machine.portLocks)) {
    const Event &event = events[next.task];
    if (told != event.stage)
      visitor.enterStage(*(told = event.stage));
    llvm::for_each(tasks[next.task].buffers, open);
    event.tell(Teller(visitor, &buffers, next.engine));
  }
  for (size_t i = 0; i < own.size(); ++i)
    open(int32_t(i));
  firstBuffer = int32_t(buffers.size());
  events.clear();
  tasks.clear();
  uses.clear();
}
