//===- Cost.cpp - How long one instruction takes --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Simulator/Cost.h"

#include "trn/Machine/Machine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace mlir::trn;

/// Keep absurd machines inside the integers; `verifyMachine` allows less.
static constexpr double largest = 1e15, largestUnit = 1e9;

static int64_t picoseconds(double nanoseconds) {
  return std::llround(std::clamp(nanoseconds * 1000, 0.0, largest));
}

Rate::Rate(double picoseconds)
    : scaled(std::llround(
          std::ldexp(std::clamp(picoseconds, 0.0, largestUnit), shift))) {}

DmaCosts::DmaCosts(const Machine &machine, const Machine::DmaMode &mode)
    : dmaEngines(std::max<int64_t>(machine.dmaEngines, 1)),
      partitionsPerEngine(std::max<int64_t>(
          llvm::divideCeil(machine.partitions, dmaEngines), 1)),
      dmaByte(1000 / mode.gbPerSecondPerEngine),
      dmaTransposedByte(
          1000 / (mode.gbPerSecondPerEngine * machine.dmaTransposeEfficiency)),
      dmaDescriptor(mode.nsPerDescriptor * 1000),
      dmaMinDescriptor(picoseconds(mode.minNsPerDescriptor)),
      dmaMinScattered(
          std::max(dmaMinDescriptor, picoseconds(machine.dmaMinTransferNs) /
                                         partitionsPerEngine)),
      dmaMinTransfer(picoseconds(mode.minTransferNs)),
      dmaCompletion(picoseconds(mode.completionNs)),
      dmaScatteredBytes(machine.dmaScatteredBytes) {}

Costs::Costs(const Machine &machine)
    : DmaCosts(machine, machine.dmaMode()),
      tensorColumn(machine.tensorNsPerColumn * 1000),
      cycle{Rate(), Rate(1000 / machine.vectorGHz),
            Rate(1000 / machine.scalarGHz), Rate(1000 / machine.gpsimdGHz)},
      accessCycles{0, machine.vectorAccessCycles, machine.scalarAccessCycles,
                   machine.gpsimdAccessCycles},
      latencyCycles{0, machine.vectorLatencyCycles, machine.scalarLatencyCycles,
                    machine.gpsimdLatencyCycles},
      functionLatencyCycles(machine.scalarFunctionLatencyCycles),
      memsetLatencyCycles(machine.memsetLatencyCycles),
      scanInitialsCycles(machine.scanInitialsCycles),
      minCycles(machine.minCycles), minLatencyCycles(machine.minLatencyCycles),
      tensorLatency(picoseconds(machine.tensorLatencyNs)),
      tensorThrottle(picoseconds(machine.tensorThrottleNs)),
      functionTables(machine.functionTables),
      functionSwap(picoseconds(machine.functionSwapNs)),
      semaphore(picoseconds(machine.semaphoreNs)),
      indirect(machine, machine.generatedDmaMode()),
      dmaLatency(picoseconds(machine.dmaLatencyNs)),
      kernelOverhead(picoseconds(machine.kernelOverheadNs)), machine(machine) {}

/// A semaphore is set in another core, and waited for (LNC: core_barrier).
static int64_t barrierOf(const Costs &costs) { return 2 * costs.semaphore; }

/// Of its own, apart from other transfers.
int64_t Costs::transfer(const Work &work) const {
  DmaShare largest = share(work, /*engine=*/0);
  return dmaLatency + dmaCompletion +
         std::max(moved(largest, /*transposed=*/false), completed(largest));
}

/// When both cores of a logical one have come. What they exchange are transfers
/// of both at once, behind a barrier (LNC: sendrecv).
int64_t Costs::meeting(const Instruction &instruction) const {
  return barrierOf(*this) + (instruction.semantics == Semantics::SendReceive
                                 ? transfer(instruction.work)
                                 : 0);
}

/// Each core of a logical one reads its part of what all have written, and
/// writes the sum; a barrier stands before that, and behind it if all read all
/// sums. Pieces need not move: all see them. Pieces that change places do, as a
/// whole array of one core does: each core copies what it gets.
int64_t Costs::collectiveInHbm(const Instruction &instruction) const {
  const int64_t barrier = barrierOf(*this);
  if (instruction.semantics == Semantics::AllGather)
    return barrier;
  if (instruction.semantics == Semantics::AllToAll ||
      instruction.semantics == Semantics::Permute)
    return barrier + transfer({.bytes = instruction.work.bytes});
  const int64_t cores = instruction.collective->cores;
  const int64_t read = instruction.work.bytes,
                written = llvm::divideCeil(read, cores);
  const int64_t type = byteSize(instruction.reads[0].type);
  const int64_t columns =
      llvm::divideCeil(read - written, type * dmaEngines * partitionsPerEngine);
  constexpr auto vector = static_cast<int>(Engine::Vector);
  const int64_t add = cycle[vector](
      std::max(columns + latencyCycles[vector], minLatencyCycles));
  bool isAll = instruction.semantics == Semantics::AllReduce;
  // Between the engines of a core: load, add, store.
  return transfer({.bytes = read}) + add + transfer({.bytes = written}) +
         2 * semaphore + (isAll ? 2 : 1) * barrier;
}

/// How many chips, or logical cores, of `cores` cores each a group is on: the
/// largest number of all groups.
static int64_t countPlaces(const Collective &of, int64_t cores) {
  if (cores <= 0)
    return 0;
  if (of.groups.empty())
    return llvm::divideCeil(of.cores, cores);
  size_t most = 0;
  for (llvm::ArrayRef<int64_t> rest = of.groups; !rest.empty();
       rest = rest.drop_front(of.cores)) {
    std::set<int64_t> places;
    for (int64_t core : rest.take_front(of.cores))
      places.insert(core / cores);
    most = std::max(most, places.size());
  }
  return int64_t(most);
}

/// Cores that pass on what they have send all pieces but one, and for the sum
/// of an array twice as many (models of ring algorithms). A permutation sends
/// the array once, whether one other core gets it or several pass it on. A chip
/// has several units that run collectives (A1, A2: CC-Cores), so that the
/// latency of one passes while another one moves its bytes.
Costs::CollectiveTime Costs::collective(const Instruction &instruction) const {
  if (isMeeting(instruction.semantics)) {
    int64_t time = meeting(instruction);
    return {time, time};
  }
  const Collective &of = *instruction.collective;
  const int64_t cores = of.cores;
  if (countPlaces(of, machine.lnc) == 1) {
    int64_t time = collectiveInHbm(instruction);
    return {time, time};
  }
  const auto bytes = double(instruction.work.bytes);
  double times = instruction.semantics == Semantics::AllReduce ? 2 : 1;
  double sent = instruction.semantics == Semantics::Permute
                    ? bytes
                    : times * bytes * double(cores - 1) / double(cores);
  // A group may be on more chips than it would fill.
  const int64_t reach = of.groups.empty() ? cores
                                          : countPlaces(of, machine.chipCores) *
                                                machine.chipCores;
  double whole = machine.collectiveNs(reach, bytes, sent);
  return {picoseconds(whole - machine.collectiveNs(reach, bytes, /*sent=*/0)),
          picoseconds(whole)};
}

int64_t Costs::occupied(const Instruction &instruction) const {
  int64_t cycles = instruction.work.cycles;
  if (instruction.engine == Engine::Tensor)
    return tensorColumn(cycles);
  if (instruction.engine == Engine::Collective)
    return collective(instruction).occupied;
  // What is padded to the minimum hides its access there: 65 536 tiny
  // instructions were measured at 65.6 cycles each, copies of 128 and 512
  // elements at N + 61 (ACO, AOP).
  int engine = static_cast<int>(instruction.engine);
  int64_t access = accessCycles[engine];
  if (instruction.semantics == Semantics::Fill)
    access = std::min(access, memsetLatencyCycles);
  int64_t shown = std::clamp<int64_t>(cycles - minCycles, 0, access);
  return cycle[engine](std::max(cycles, minCycles) + shown);
}

/// Takes as long as a function: one that is more than a copy, or a copy that is
/// scaled or biased by a column (VCT: 91 ns more than others).
static bool isFunction(const Instruction &instruction) {
  return instruction.engine == Engine::Scalar &&
         (instruction.function() != Function::Copy ||
          instruction.reads.size() > 1);
}

/// Cycles from the start to the result, beside the elements.
static int64_t latencyOf(const Instruction &instruction, const Costs &costs) {
  if (instruction.semantics == Semantics::Fill)
    return costs.memsetLatencyCycles;
  if (isFunction(instruction))
    return costs.functionLatencyCycles;
  // Reads its two operands and the column.
  bool hasInitials =
      instruction.semantics == Semantics::Scan && instruction.reads.size() > 2;
  return costs.latencyCycles[static_cast<int>(instruction.engine)] +
         (hasInitials ? costs.scanInitialsCycles : 0);
}

int64_t Costs::visible(const Instruction &instruction) const {
  int64_t cycles = instruction.work.cycles;
  if (instruction.engine == Engine::Tensor)
    return tensorColumn(cycles) + tensorLatency;
  if (instruction.engine == Engine::Collective)
    return collective(instruction).visible;
  const Rate &rate = cycle[static_cast<int>(instruction.engine)];
  int64_t latency = cycles + latencyOf(instruction, *this);
  return std::max(rate(std::max(latency, minLatencyCycles)),
                  occupied(instruction));
}

int64_t Costs::tableOf(const Instruction &instruction) const {
  if (instruction.engine != Engine::Scalar || functionSwap == 0)
    return 0;
  return functionTables[static_cast<int64_t>(instruction.function())];
}

int64_t DmaCosts::moved(const DmaShare &share, bool transposed) const {
  const Rate &byte = transposed ? dmaTransposedByte : dmaByte;
  bool isScattered = share.bytes < dmaScatteredBytes * share.descriptors;
  int64_t scattered =
      isScattered
          ? std::max<int64_t>(share.descriptors - partitionsPerEngine, 0)
          : 0;
  return std::max((share.descriptors - scattered) * dmaMinDescriptor +
                      scattered * dmaMinScattered,
                  byte(share.bytes) + dmaDescriptor(share.descriptors));
}

DmaShare Costs::share(const Work &work, int64_t engine, int64_t first,
                      int64_t count) const {
  // The last engine takes what a machine with odd numbers leaves over.
  int64_t begin = std::max(engine * partitionsPerEngine, first) - first;
  int64_t end =
      (engine + 1 == dmaEngines)
          ? count
          : std::min((engine + 1) * partitionsPerEngine - first, count);
  if (end <= begin || count == 0)
    return {};
  return {work.bytes / count * (end - begin),
          llvm::divideCeilSigned(work.descriptors, count) * (end - begin)};
}

DmaShare Costs::share(const Work &work, int64_t engine) const {
  auto part = [&](int64_t amount) {
    return amount / dmaEngines + (engine < amount % dmaEngines ? 1 : 0);
  };
  // A long piece is cut so that every engine takes part.
  int64_t descriptors =
      std::max(work.descriptors, std::min(work.bytes, dmaEngines));
  return {part(work.bytes), part(descriptors)};
}
