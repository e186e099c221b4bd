//===- DmaEngines.cpp - Transfers on the DMA engines ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DmaEngines.h"

#include <map>

using namespace mlir::trn;

/// The side of a transfer whose partitions spread it over the engines: where it
/// goes, or where it comes from if it goes to HBM. Null within HBM.
static const Access *onChipSide(const Program &program,
                                const Instruction &instruction) {
  for (const auto &accesses : {llvm::ArrayRef<Access>(instruction.writes),
                               llvm::ArrayRef<Access>(instruction.reads)})
    for (const Access &access : accesses)
      if (program.buffers[access.buffer].space != Space::Hbm &&
          !access.dims.empty())
        return &access;
  return nullptr;
}

DmaEngines::DmaEngines(const Program &program, const Costs &costs)
    : program(program), costs(costs) {
  // By engine: its time in every transfer, which decides the grouping.
  std::vector<std::vector<Time>> columns(costs.dmaEngines);
  bool counterDependent = false;
  for (const Instruction &instruction : program.instructions) {
    if (!isDma(instruction.engine))
      continue;
    const Access *side = onChipSide(program, instruction);
    if (side && !side->partition.isConstant()) {
      counterDependent = true;
      continue;
    }
    for (int64_t engine = 0; engine < costs.dmaEngines; ++engine)
      columns[engine].push_back(engineTime(instruction, engine, {}));
  }

  std::map<std::vector<Time>, int32_t> known;
  for (int64_t engine = 0; engine < costs.dmaEngines; ++engine) {
    if (counterDependent)
      columns[engine].push_back({engine, 0}); // all different
    auto [it, isNew] = known.try_emplace(columns[engine], groups.size());
    if (isNew) {
      groups.emplace_back();
      representative.push_back(engine);
    }
    groupOfEngine.push_back(it->second);
  }

  for (const Instruction &instruction : program.instructions) {
    timesBegin.push_back(-1);
    const Access *side = onChipSide(program, instruction);
    if (!isDma(instruction.engine) || (side && !side->partition.isConstant()))
      continue;
    timesBegin.back() = times.size();
    for (int32_t engine : representative)
      times.push_back(engineTime(instruction, engine, {}));
  }
}

DmaEngines::Time
DmaEngines::engineTime(const Instruction &instruction, int64_t engine,
                       llvm::ArrayRef<int64_t> counters) const {
  const Access *side = onChipSide(program, instruction);
  DmaShare share = side ? costs.share(instruction.work, engine,
                                      side->partition.evaluate(counters),
                                      side->dims.front().size)
                        : costs.share(instruction.work, engine);
  const DmaCosts &own = costs.of(instruction);
  return {own.moved(share, instruction.semantics == Semantics::Transpose),
          own.completed(share)};
}

DmaEngines::Transfer DmaEngines::move(int32_t index,
                                      const Instruction &instruction,
                                      int64_t ready,
                                      llvm::ArrayRef<int64_t> counters) {
  int own = instruction.engine == Engine::Load ? 0 : 1;
  int64_t completion = costs.of(instruction).dmaCompletion;
  Transfer transfer{INT64_MAX, ready, ready};
  shares.clear();
  for (size_t i = 0; i < groups.size(); ++i) {
    Group &group = groups[i];
    Time time = timesBegin[index] >= 0
                    ? times[timesBegin[index] + i]
                    : engineTime(instruction, representative[i], counters);
    if (time.moved == 0)
      continue;
    Queue &queue = group.queues[own];
    Queue &other = group.queues[1 - own];
    int64_t start = INT64_MAX;
    shares.push_back(
        {static_cast<int32_t>(i), queue.end, ready, time.moved, 0, 0});
    other.intervals.fill(std::max(ready, queue.end), time.moved,
                         [&](int64_t begin, int64_t end) {
                           start = std::min(start, begin);
                           queue.intervals.add(begin, end);
                           queue.end = end;
                         });
    other.intervals.forgetUntil(queue.end);
    // A queue completes in order on each engine.
    queue.done =
        std::max({queue.done, queue.end + completion, start + time.completed});
    shares.back().end = queue.end;
    shares.back().done = queue.done;
    group.busy += time.moved;
    transfer.start = std::min(transfer.start, start);
    transfer.end = std::max(transfer.end, queue.end);
    transfer.done = std::max(transfer.done, queue.done);
  }
  transfer.start = std::min(transfer.start, transfer.end);
  return transfer;
}

void DmaEngines::forgetUntil(Engine queue, int64_t time) {
  for (Group &group : groups)
    group.queues[queue == Engine::Load ? 1 : 0].intervals.forgetUntil(time);
}

int64_t DmaEngines::queueEnd(Engine queue) const {
  int64_t end = INT64_MAX;
  for (const Group &group : groups)
    end = std::min(end, group.queues[queue == Engine::Load ? 0 : 1].end);
  return end;
}

std::vector<int64_t> DmaEngines::busy() const {
  std::vector<int64_t> result;
  for (int32_t group : groupOfEngine)
    result.push_back(groups[group].busy);
  return result;
}
