//===- Handovers.cpp - Who waits for whose bytes --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where one loop follows another, the first load of the second one should run
// while the first one still computes. That takes bytes which are free by then:
//
//   tensor   | .. u 6 (slot 0) | u 7 (slot 1) | v 0 (slot 0) | ..
//   loads                      | v 0 .. on the bytes of u's slot 0: no loss
//                                             | v 0 .. on those of u's slot 1
//
// Time is that of the tensor engine, which a good kernel keeps busy.
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/Handovers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// The tensor engine's time in the ops of a kernel, in nanoseconds.
class TensorClock {
public:
  TensorClock(func::FuncOp kernel, const Machine &machine) : machine(machine) {
    measure(kernel.getBody().front());
  }

  /// From the start of the op's block to the op.
  double start(Operation *op) const { return starts.lookup(op); }
  double end(Operation *op) const { return start(op) + lengths.lookup(op); }
  /// One execution of a block.
  double length(Block *block) const { return end(&block->back()); }

private:
  double measure(Block &block) {
    double time = 0;
    for (Operation &op : block) {
      double length = 0;
      if (auto loop = dyn_cast<scf::ForOp>(op))
        length = measure(*loop.getBody()) * double(tripCount(loop));
      else if (auto instruction = dyn_cast<InstructionOpInterface>(op);
               instruction && instruction.getEngine() == Engine::Tensor)
        length = double(instruction.getWork(machine).cycles) *
                 machine.tensorNsPerColumn;
      starts[&op] = time;
      lengths[&op] = length;
      time += length;
    }
    return time;
  }

  const Machine &machine;
  DenseMap<Operation *, double> starts, lengths;
};

/// When a slot is needed and when it is let go, within one execution of a
/// block.
struct Tenancy {
  double need, release;
};

class HandoverAnalysis {
public:
  HandoverAnalysis(func::FuncOp kernel, ArrayRef<BufferLife> lives,
                   const placement::Problem &problem, const Machine &machine)
      : lives(lives), problem(problem), machine(machine),
        clock(kernel, machine) {
    for (const BufferLife &life : lives) {
      fillNs.push_back(transferNs(life, Engine::Load));
      drainNs.push_back(transferNs(life, Engine::Store));
    }
    kernel.walk<WalkOrder::PreOrder>([&](InstructionOpInterface op) {
      if (op.getEngine() != Engine::Load)
        return;
      for (auto [index, life] : llvm::enumerate(lives))
        if (llvm::is_contained(life.users, op.getOperation()))
          loadOrder.push_back(index);
    });
  }

  std::vector<placement::Handover> run();

private:
  double transferNs(const BufferLife &life, Engine engine) const;
  Tenancy execution(size_t index) const;
  scf::ForOp loopIn(size_t index, Block *block) const;
  std::optional<Tenancy> tenancy(size_t index, int64_t slot,
                                 Block *block) const;
  std::optional<double> queueFree(size_t to, Block *block) const;
  void addPair(size_t from, size_t to,
               std::vector<placement::Handover> &result);

  ArrayRef<BufferLife> lives;
  const placement::Problem &problem;
  const Machine &machine;
  TensorClock clock;
  /// By buffer: how long loads and stores of one slot take.
  SmallVector<double> fillNs, drainNs;
  /// The buffers that are loaded, in program order.
  SmallVector<size_t> loadOrder;
};
} // namespace

/// 0 if no transfer of that kind touches the buffer.
double HandoverAnalysis::transferNs(const BufferLife &life,
                                    Engine engine) const {
  double time = 0;
  for (Operation *user : life.users) {
    auto instruction = dyn_cast<InstructionOpInterface>(user);
    if (!instruction || instruction.getEngine() != engine)
      continue;
    Work work = instruction.getWork(machine);
    time += machine.dmaEngineNs(double(work.bytes), double(work.descriptors)) /
                double(machine.dmaEngines) +
            machine.semaphoreNs;
    if (engine == Engine::Store)
      time += machine.dmaLatencyNs;
  }
  return time;
}

/// The first use other than by a load, and the end of the last one, within an
/// execution of the block around the alloc.
Tenancy HandoverAnalysis::execution(size_t index) const {
  const BufferLife &life = lives[index];
  Tenancy result{clock.end(life.lastUse), clock.end(life.lastUse)};
  for (Operation *user : life.users) {
    auto instruction = dyn_cast<InstructionOpInterface>(user);
    if (instruction && instruction.getEngine() != Engine::Load)
      result.need = std::min(
          result.need,
          clock.start(life.alloc->getBlock()->findAncestorOpInBlock(*user)));
  }
  return result;
}

/// The loop around the buffer if it lies in `block` itself.
scf::ForOp HandoverAnalysis::loopIn(size_t index, Block *block) const {
  auto loop =
      dyn_cast<scf::ForOp>(lives[index].alloc->getBlock()->getParentOp());
  return loop && loop->getBlock() == block ? loop : scf::ForOp();
}

/// None if the slot is never used, or not in loops alone.
std::optional<Tenancy> HandoverAnalysis::tenancy(size_t index, int64_t slot,
                                                 Block *block) const {
  Tenancy result = execution(index);
  Block *own = lives[index].alloc->getBlock();
  for (Block *inner = own; inner != block;) {
    auto loop = dyn_cast<scf::ForOp>(inner->getParentOp());
    if (!loop)
      return std::nullopt;
    int64_t slots = inner == own ? problem.buffers[index].slots : 1;
    int64_t trips = tripCount(loop), first = 0, last = trips - 1;
    // Otherwise the loop begins now with one slot, now with another.
    if (trips % slots == 0 || !isa<scf::ForOp>(loop->getParentOp())) {
      first = inner == own ? slot : 0;
      if (first >= trips)
        return std::nullopt;
      last -= (last - first) % slots;
    }
    double length = clock.length(inner), start = clock.start(loop);
    result = {start + double(first) * length + result.need,
              start + double(last) * length + result.release};
    inner = loop->getBlock();
  }
  return result;
}

/// When the queue is through with the load before the first one of buffer `to`,
/// at best: it had to wait for a slot of its own buffer. None if it had not.
std::optional<double> HandoverAnalysis::queueFree(size_t to,
                                                  Block *block) const {
  const size_t *own = llvm::find(loadOrder, to);
  if (own == loadOrder.end())
    return std::nullopt;
  auto isInBlock = [&](size_t index) {
    return block->findAncestorOpInBlock(*lives[index].alloc) != nullptr;
  };
  double wrapped = 0;
  const size_t *before = own;
  while (before != loadOrder.begin() && isInBlock(*(before - 1)) &&
         *before == to)
    --before;
  if (*before == to) { // the last one of the iteration before
    for (before = own; before + 1 != loadOrder.end() && isInBlock(before[1]);)
      ++before;
    wrapped = clock.length(block);
  }
  scf::ForOp loop = loopIn(*before, block);
  if (*before == to || !loop)
    return std::nullopt;
  int64_t freed = tripCount(loop) - 1 - problem.buffers[*before].slots;
  if (freed < 0)
    return std::nullopt;
  return clock.start(loop) + double(freed) * clock.length(loop.getBody()) +
         execution(*before).release + fillNs[*before] - wrapped;
}

void HandoverAnalysis::addPair(size_t from, size_t to,
                               std::vector<placement::Handover> &result) {
  double transfers = fillNs[to] + drainNs[from];
  if (transfers == 0 || problem.buffers[from].isLiveWith(problem.buffers[to]))
    return;
  Operation *alloc = lives[from].alloc, *other = lives[to].alloc;
  Block *block = alloc->getBlock();
  while (!block->findAncestorOpInBlock(*other))
    block = block->getParentOp()->getBlock();

  double executions = 1;
  for (auto loop = dyn_cast<scf::ForOp>(block->getParentOp()); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    executions *= double(tripCount(loop));
  double wrapped = 0;
  if (!block->findAncestorOpInBlock(*alloc)->isBeforeInBlock(
          block->findAncestorOpInBlock(*other))) {
    // One iteration hands over to the next.
    auto loop = dyn_cast<scf::ForOp>(block->getParentOp());
    if (!loop || tripCount(loop) < 2)
      return;
    executions *= double(tripCount(loop) - 1) / double(tripCount(loop));
    wrapped = clock.length(block);
  }
  // What is lost wherever the buffers lie.
  double inevitable = 0;
  std::optional<Tenancy> first = tenancy(to, /*slot=*/0, block);
  if (std::optional<double> free = queueFree(to, block); free && first)
    inevitable = std::max(0.0, *free + fillNs[to] - first->need);
  for (int64_t i = 0; i < problem.buffers[from].slots; ++i)
    for (int64_t j = 0; j < problem.buffers[to].slots; ++j) {
      std::optional<Tenancy> earlier = tenancy(from, i, block);
      std::optional<Tenancy> later = tenancy(to, j, block);
      if (!earlier || !later)
        continue;
      double loss = transfers + earlier->release - wrapped - later->need;
      if (j == 0)
        loss -= inevitable;
      // Loops without known bounds count as very long ones.
      if (!(loss * executions > 0))
        continue;
      int64_t cost = std::llround(
          std::min(loss * executions, double(placement::Handover::maxCost)));
      if (cost > 0)
        result.push_back({from, i, to, j, cost});
    }
}

std::vector<placement::Handover> HandoverAnalysis::run() {
  std::vector<placement::Handover> result;
  for (size_t from = 0; from < lives.size(); ++from)
    for (size_t to = 0; to < lives.size(); ++to)
      if (from != to)
        addPair(from, to, result);
  return result;
}

std::vector<placement::Handover>
trn::computeHandovers(func::FuncOp kernel, ArrayRef<BufferLife> lives,
                      const placement::Problem &problem,
                      const Machine &machine) {
  return HandoverAnalysis(kernel, lives, problem, machine).run();
}
