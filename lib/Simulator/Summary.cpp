//===- Summary.cpp - Sums over a simulated program ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summary.h"

#include "trn/Machine/Machine.h"
#include "trn/Program/Program.h"
#include "trn/Simulator/Cost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir::trn;

/// Of transfers; what collectives move is counted apart.
static void addTraffic(const Program &program, const Instruction &instruction,
                       int64_t executions, SimulationResult &result) {
  if (!isDma(instruction.engine)) {
    result.collectiveBytes +=
        instruction.collective ? instruction.work.bytes * executions : 0;
    return;
  }
  for (const Access &access : instruction.reads)
    if (program.buffers[access.buffer].space == Space::Hbm)
      result.traffic[access.buffer].readBytes +=
          instruction.movedBytes(access) * executions;
  for (const Access &access : instruction.writes)
    if (program.buffers[access.buffer].space == Space::Hbm)
      result.traffic[access.buffer].writtenBytes +=
          instruction.movedBytes(access) * executions;
}

static void sumTraffic(const Program &program, SimulationResult &result) {
  for (auto [buffer, traffic] : llvm::zip(program.buffers, result.traffic)) {
    result.hbmReadBytes += traffic.readBytes;
    result.hbmWriteBytes += traffic.writtenBytes;
    if (buffer.argument < 0) {
      result.spillReloadBytes += traffic.readBytes;
      result.spillSaveBytes += traffic.writtenBytes;
    }
  }
}

/// PSUM banks that are allocated at the same place, in the order of the steps:
/// what is allocated in a loop is freed in it.
static int64_t peakBanks(const Program &program, const Machine &machine) {
  std::vector<int32_t> users(std::max<int64_t>(machine.psumBanks, 0), 0);
  int64_t used = 0, peak = 0;
  std::vector<bool> live(program.buffers.size(), false);
  auto set = [&](int32_t index, bool isLive) {
    const Buffer &buffer = program.buffers[index];
    if (buffer.space != Space::Psum || live[index] == isLive)
      return;
    live[index] = isLive;
    int64_t taken =
        buffer.slots * machine.psumBanksOf(buffer.bytesPerPartition);
    for (int64_t number = 0; number < taken; ++number) {
      size_t bank = buffer.bank + number;
      if (bank >= users.size())
        return;
      if (isLive)
        used += users[bank]++ == 0;
      else
        used -= --users[bank] == 0;
    }
    peak = std::max(peak, used);
  };
  for (const Step &step : program.steps)
    if (step.kind == Step::Kind::Alloc || step.kind == Step::Kind::Dealloc)
      set(step.index, step.kind == Step::Kind::Alloc);
  return peak;
}

static int64_t peakSbuf(const Program &program) {
  int64_t peak = 0;
  for (const Buffer &buffer : program.buffers)
    if (buffer.space == Space::Sbuf)
      peak = std::max(peak,
                      buffer.offset + buffer.slots * buffer.bytesPerPartition);
  return peak;
}

/// A buffer is live from its alloc to its dealloc; one whose slots rotate
/// during all of the loop around it.
static int64_t liveSbuf(const Program &program) {
  std::vector<int64_t> change(program.steps.size() + 1, 0);
  std::vector<int32_t> freed(program.buffers.size(), -1);
  for (auto [position, step] : llvm::enumerate(program.steps))
    if (step.kind == Step::Kind::Dealloc)
      freed[step.index] = position;
  llvm::SmallVector<int32_t> loops;
  for (auto [position, step] : llvm::enumerate(program.steps)) {
    if (step.kind == Step::Kind::BeginLoop)
      loops.push_back(step.index);
    else if (step.kind == Step::Kind::EndLoop)
      loops.pop_back();
    if (step.kind != Step::Kind::Alloc)
      continue;
    const Buffer &buffer = program.buffers[step.index];
    if (buffer.space != Space::Sbuf)
      continue;
    size_t begin = position;
    size_t end = freed[step.index] < 0 ? program.steps.size()
                                       : size_t(freed[step.index]);
    if (buffer.slots > 1 && !loops.empty()) {
      begin = program.loopBegins[loops.back()];
      end = program.loops[loops.back()].end;
    }
    change[begin] += buffer.slots * buffer.bytesPerPartition;
    change[end] -= buffer.slots * buffer.bytesPerPartition;
  }
  int64_t live = 0, peak = 0;
  for (int64_t bytes : change)
    peak = std::max(peak, live += bytes);
  return peak;
}

void mlir::trn::summarize(const Program &program, const Machine &machine,
                          SimulationResult &result) {
  result.traffic.resize(program.buffers.size());
  std::map<llvm::StringRef, int64_t> counts;
  for (auto [instruction, totals] :
       llvm::zip(program.instructions, result.totals)) {
    const Work &work = instruction.work;
    result.instructions += totals.executions;
    int engine = static_cast<int>(instruction.engine);
    result.busy[engine] += totals.busy;
    (instruction.engine == Engine::Scalar ? result.swapped
                                          : result.throttled) += totals.lost;
    result.swaps += totals.swaps;
    for (int reason = 0; reason < numWaitReasons; ++reason)
      result.waits[engine][reason] += totals.waits[reason];
    result.executedFlops += work.flops * totals.executions;
    if (!instruction.reads.empty() &&
        instruction.reads.front().type == ElementType::F32)
      result.executedFlopsF32 += work.flops * totals.executions;
    result.transposeFlops += work.transposeFlops * totals.executions;
    addTraffic(program, instruction, totals.executions, result);

    llvm::StringRef name = program.ops[instruction.op].name;
    name.consume_front("trn.");
    counts[name] += totals.executions;
  }
  for (const auto &[name, count] : counts)
    if (count > 0)
      result.instructionCounts.emplace_back(name.str(), count);
  sumTraffic(program, result);
  result.sbufPeakPartitionBytes = peakSbuf(program);
  result.sbufLivePartitionBytes = liveSbuf(program);
  result.psumPeakBanks = peakBanks(program, machine);
}
