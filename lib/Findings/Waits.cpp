//===- Waits.cpp - What engines wait for ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Symptom.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <tuple>

using namespace mlir::trn;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// The loops around the alloc of each buffer, outermost first.
static std::vector<llvm::SmallVector<int32_t>>
loopsAroundAllocs(const Program &program) {
  std::vector<llvm::SmallVector<int32_t>> result(program.buffers.size());
  llvm::SmallVector<int32_t> open;
  for (const Step &step : program.steps)
    if (step.kind == Step::Kind::BeginLoop)
      open.push_back(step.index);
    else if (step.kind == Step::Kind::EndLoop)
      open.pop_back();
    else if (step.kind == Step::Kind::Alloc)
      result[step.index] = open;
  return result;
}

/// Gives `buffer` more slots, in a place that nobody else uses.
static void addSlots(Program &program, int32_t index, int64_t slots,
                     const Machine &machine) {
  Buffer &buffer = program.buffers[index];
  int64_t end = 0;
  for (const Buffer &other : program.buffers)
    if (other.space == buffer.space)
      end = std::max(
          end, buffer.space == Space::Psum
                   ? other.bank + other.slots * machine.psumBanksOf(
                                                    other.bytesPerPartition)
                   : other.offset + other.slots * other.bytesPerPartition);
  (buffer.space == Space::Psum ? buffer.bank : buffer.offset) = end;
  buffer.slots = slots;
}

/// By buffer: whether it is on its way to or from scratch in HBM. That it waits
/// is a part of what the spill costs.
static std::vector<bool> findSpilled(const Program &program) {
  std::vector<bool> isSpilled(program.buffers.size());
  auto isScratch = [&](const Access &access) {
    const Buffer &buffer = program.buffers[access.buffer];
    return buffer.space == Space::Hbm && buffer.argument < 0;
  };
  for (const Instruction &transfer : program.instructions) {
    if (llvm::any_of(transfer.writes, isScratch))
      for (const Access &read : transfer.reads)
        isSpilled[read.buffer] = true;
    if (llvm::any_of(transfer.reads, isScratch))
      for (const Access &write : transfer.writes)
        isSpilled[write.buffer] = true;
  }
  return isSpilled;
}

void mlir::trn::findFewSlots(const KernelRun &run, Symptoms &found) {
  const Program &program = run.program();
  std::vector<int64_t> waited(program.buffers.size());
  std::vector<size_t> writer(program.buffers.size());
  for (auto [index, instruction] : llvm::enumerate(program.instructions)) {
    const auto &waits = run.totals(index).waits;
    int64_t time =
        waits[int(WaitReason::Buffer)] + waits[int(WaitReason::Bank)];
    for (const Access &write : instruction.writes) {
      waited[write.buffer] += time;
      writer[write.buffer] = index;
    }
  }
  std::vector<llvm::SmallVector<int32_t>> loops = loopsAroundAllocs(program);
  std::vector<bool> isSpilled = findSpilled(program);
  for (auto [index, buffer] : llvm::enumerate(program.buffers)) {
    // Outside of loops an alloc runs once and takes one slot.
    if (buffer.space == Space::Hbm || loops[index].empty() ||
        isSpilled[index] || waited[index] < run.latency / 100)
      continue;
    const std::string &name = run.names[index];
    int64_t slots = 2 * buffer.slots;
    found.push_back(
        {"few_slots",
         formatv("{0} us are spent waiting for a buffer of {1}, which has {2} "
                 "slot{3} of {4} bytes a partition",
                 formatv("{0:F1}", waited[index] / 1e6), name, buffer.slots,
                 buffer.slots == 1 ? "" : "s", buffer.bytesPerPartition),
         formatv("{0} slots for {1}, so that one is filled while another one "
                 "is used",
                 slots, name),
         writer[index],
         [index = index, slots](Program &program, Machine &machine) {
           addSlots(program, index, slots, machine);
         },
         name});
  }
}

//===----------------------------------------------------------------------===//
// Engines beside the tensor engine
//===----------------------------------------------------------------------===//

static llvm::StringRef nameOf(Engine engine) {
  return engine == Engine::Vector   ? "VectorE"
         : engine == Engine::Scalar ? "ScalarE"
                                    : "GpSimd";
}

static bool accesses(const Program &program, const Instruction &instruction,
                     Space space) {
  auto isThere = [&](const Access &access) {
    return program.buffers[access.buffer].space == space;
  };
  return llvm::any_of(instruction.reads, isThere) ||
         llvm::any_of(instruction.writes, isThere);
}

/// Copies and fills run on every engine that reaches their operands; GpSimd
/// does not reach PSUM, and ScalarE fills nothing.
static bool canRunOn(const Program &program, const Instruction &instruction,
                     Engine engine) {
  if (engine == Engine::GpSimd && accesses(program, instruction, Space::Psum))
    return false;
  return instruction.semantics == Semantics::Copy ||
         (instruction.semantics == Semantics::Fill && engine != Engine::Scalar);
}

/// Two engines that lock each other out of `space`.
static void findConflict(const KernelRun &run, Space space, Engine a, Engine b,
                         Symptoms &found) {
  int64_t waited = 0;
  size_t worst = 0;
  bool usesA = false, usesB = false;
  for (auto [index, instruction] : llvm::enumerate(run.program().instructions))
    if ((instruction.engine == a || instruction.engine == b) &&
        accesses(run.program(), instruction, space)) {
      (instruction.engine == a ? usesA : usesB) = true;
      int64_t time = run.totals(index).waits[int(WaitReason::Port)];
      if (time > run.totals(worst).waits[int(WaitReason::Port)] || waited == 0)
        worst = index;
      waited += time;
    }
  if (waited == 0 || !usesA || !usesB)
    return;
  llvm::StringRef memory = space == Space::Psum ? "PSUM" : "SBUF";
  std::string evidence =
      formatv("{0} and {1} lock each other out of {2}: {3:F1} us of waiting",
              nameOf(a), nameOf(b), memory, waited / 1e6);
  for (Engine from : {a, b})
    for (Engine to : {Engine::Vector, Engine::Scalar, Engine::GpSimd}) {
      std::vector<size_t> moved;
      bool areAll = true;
      for (auto [index, instruction] :
           llvm::enumerate(run.program().instructions)) {
        if (instruction.engine != from ||
            !accesses(run.program(), instruction, space))
          continue;
        areAll &= canRunOn(run.program(), instruction, to);
        moved.push_back(index);
      }
      if (from == to || moved.empty() || !areAll)
        continue;
      found.push_back({"port_conflicts", evidence,
                       formatv("run on {0} what {1} does in {2}", nameOf(to),
                               nameOf(from), memory),
                       moved.front(),
                       [moved, to](Program &program, Machine &) {
                         for (size_t index : moved)
                           program.instructions[index].engine = to;
                       },
                       memory.str(), /*spansKernels=*/false,
                       /*isAdviceItself=*/true});
    }
  // Where nothing can be moved, this is what it costs.
  if (found.empty() || found.back().evidence != evidence)
    found.push_back(
        {"port_conflicts", evidence,
         formatv("give the work of one of them in {0} to another "
                 "engine",
                 memory),
         worst, [](Program &, Machine &machine) { machine.portLocks = false; },
         memory.str()});
}

void mlir::trn::findPortConflicts(const KernelRun &run, Symptoms &found) {
  if (!run.machine.portLocks)
    return;
  findConflict(run, Space::Sbuf, Engine::Vector, Engine::GpSimd, found);
  findConflict(run, Space::Psum, Engine::Vector, Engine::Scalar, found);
}

void mlir::trn::findBusyEngines(const KernelRun &run, Symptoms &found) {
  for (Engine engine : {Engine::Vector, Engine::Scalar, Engine::GpSimd}) {
    int64_t busy = run.result().busy[int(engine)];
    // One that is locked out has a conflict to be rid of first.
    int64_t lockedOut = run.result().waits[int(engine)][int(WaitReason::Port)];
    if (busy < run.latency / 4 || lockedOut > busy / 10)
      continue;
    size_t worst = 0;
    int64_t longest = -1;
    for (auto [index, instruction] :
         llvm::enumerate(run.program().instructions))
      if (instruction.engine == engine && run.totals(index).busy > longest) {
        longest = run.totals(index).busy;
        worst = index;
      }
    found.push_back({"half_the_work",
                     formatv("{0} is busy for {1:F1} % of the time",
                             nameOf(engine), 100.0 * busy / run.latency),
                     "give half of its work to another engine", worst,
                     [engine](Program &program, Machine &) {
                       for (Instruction &instruction : program.instructions)
                         if (instruction.engine == engine)
                           instruction.work.cycles /= 2;
                     },
                     nameOf(engine).str()});
  }
}

/// The function that an instruction of ScalarE computes.
static llvm::StringRef functionOf(const Instruction &instruction) {
  return stringify(instruction.function());
}

void mlir::trn::findTableSwaps(const KernelRun &run, Symptoms &found) {
  // The first table has to be loaded.
  if (run.result().swaps < 2)
    return;
  llvm::MapVector<llvm::StringRef, int64_t> swaps;
  size_t worst = 0;
  for (auto [index, instruction] : llvm::enumerate(run.program().instructions))
    if (int64_t count = run.totals(index).swaps) {
      swaps[functionOf(instruction)] += count;
      if (count > run.totals(worst).swaps)
        worst = index;
    }
  auto order = swaps.takeVector();
  llvm::sort(order, [](const auto &a, const auto &b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  if (order.size() < 2)
    return;
  found.push_back(
      {"table_swaps",
       formatv("ScalarE loads another table of functions {0} times: {1} and "
               "{2} alternate",
               run.result().swaps, order[0].first, order[1].first),
       formatv("group them: all of {0}, then all of {1}, or one of them on "
               "another engine",
               order[0].first, order[1].first),
       worst, [](Program &, Machine &machine) { machine.functionSwapNs = 0; }});
}

void mlir::trn::findHandoffs(const KernelRun &run, Symptoms &found) {
  int64_t waited = 0;
  size_t worst = 0;
  for (size_t index = 0; index < run.program().instructions.size(); ++index) {
    int64_t time = run.totals(index).waits[int(WaitReason::Semaphore)];
    if (time > run.totals(worst).waits[int(WaitReason::Semaphore)])
      worst = index;
    waited += time;
  }
  if (waited == 0)
    return;
  found.push_back(
      {"handoffs",
       formatv("engines hand over to each other {0} times",
               int64_t(waited / (run.machine.semaphoreNs * 1000))),
       "more work at once between them: larger tiles and blocks", worst,
       [](Program &, Machine &machine) { machine.semaphoreNs = 0; }});
}
