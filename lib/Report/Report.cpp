//===- Report.cpp - Numbers of a simulated run ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Report.h"

#include "trn/Program/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir::trn;

using Counts = std::vector<std::pair<std::string, int64_t>>;

static void addCounts(Counts &into, const Counts &counts) {
  std::map<std::string, int64_t> sums(into.begin(), into.end());
  for (const auto &[name, count] : counts)
    sums[name] += count;
  into.assign(sums.begin(), sums.end());
}

static KernelReport &findKernel(Report &report, const KernelCall &call) {
  for (KernelReport &kernel : report.kernels)
    if (kernel.name == call.program->name)
      return kernel;
  KernelReport added;
  added.name = call.program->name;
  added.schedule = call.schedule;
  report.kernels.push_back(std::move(added));
  return report.kernels.back();
}

/// All but the latency.
static void addWork(SimulationResult &sum, const SimulationResult &other) {
  for (int engine = 0; engine < numEngines; ++engine) {
    sum.busy[engine] += other.busy[engine];
    for (int reason = 0; reason < numWaitReasons; ++reason)
      sum.waits[engine][reason] += other.waits[engine][reason];
  }
  sum.dmaBusy.resize(std::max(sum.dmaBusy.size(), other.dmaBusy.size()));
  for (auto [engine, busy] : llvm::enumerate(other.dmaBusy))
    sum.dmaBusy[engine] += busy;
  sum.throttled += other.throttled;
  sum.swapped += other.swapped;
  sum.swaps += other.swaps;
  sum.hbmReadBytes += other.hbmReadBytes;
  sum.hbmWriteBytes += other.hbmWriteBytes;
  sum.spillSaveBytes += other.spillSaveBytes;
  sum.spillReloadBytes += other.spillReloadBytes;
  sum.collectiveBytes += other.collectiveBytes;
  sum.executedFlops += other.executedFlops;
  sum.executedFlopsF32 += other.executedFlopsF32;
  sum.transposeFlops += other.transposeFlops;
  sum.instructions += other.instructions;
  addCounts(sum.instructionCounts, other.instructionCounts);
  sum.sbufPeakPartitionBytes =
      std::max(sum.sbufPeakPartitionBytes, other.sbufPeakPartitionBytes);
  sum.sbufLivePartitionBytes =
      std::max(sum.sbufLivePartitionBytes, other.sbufLivePartitionBytes);
  sum.psumPeakBanks = std::max(sum.psumPeakBanks, other.psumPeakBanks);
}

void Metrics::add(const KernelCall &call) {
  llvm::SmallVector<KernelCall, 2> all = coresOf(call);
  cores = std::max<int64_t>(cores, all.size());
  sum.latency += call.simulation->latency;
  for (const KernelCall &core : all)
    addWork(sum, *core.simulation);
  FlopsByType model = modelFlops(call);
  flops.narrow += model.narrow;
  flops.f32 += model.f32;
  launches += call.beginsLaunch;
  path.add(lastCoreOf(call));
}

void Metrics::add(const Metrics &other) {
  sum.latency += other.sum.latency;
  addWork(sum, other.sum);
  cores = std::max(cores, other.cores);
  flops.narrow += other.flops.narrow;
  flops.f32 += other.flops.f32;
  hbmLowerBoundBytes += other.hbmLowerBoundBytes;
  launches += other.launches;
  path.add(other.path);
}

/// What each core of a logical one does.
static void addCores(llvm::ArrayRef<KernelCall> calls, KernelReport &kernel) {
  kernel.cores.resize(std::max(kernel.cores.size(), calls.size()));
  for (auto [core, call] : llvm::zip(kernel.cores, calls)) {
    core.end += call.simulation->end;
    addWork(core, *call.simulation);
  }
}

Report mlir::trn::makeReport(llvm::ArrayRef<KernelCall> calls,
                             const Machine &machine) {
  Report report;
  report.machine = machine;
  std::vector<std::vector<int64_t>> compulsory;
  report.total.hbmLowerBoundBytes = hbmLowerBoundBytes(calls, &compulsory);
  for (auto [call, bytes] : llvm::zip(calls, compulsory)) {
    report.total.add(call);
    KernelReport &kernel = findKernel(report, call);
    ++kernel.calls;
    kernel.metrics.add(call);
    for (int64_t count : bytes)
      kernel.metrics.hbmLowerBoundBytes += count;
    llvm::SmallVector<KernelCall, 2> cores = coresOf(call);
    for (const KernelCall &core : cores)
      addOps(core, kernel.ops);
    addCores(cores, kernel);
    addBuffers(call, bytes, kernel.buffers);
    report.calls.push_back({size_t(&kernel - report.kernels.data()),
                            call.simulation->latency, call.beginsLaunch});
  }
  report.machine = machine.ofCores(report.total.cores);
  return report;
}

/// The sum, or as much as can be told of it.
static int64_t add(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max()
                                      : sum;
}

void HostOpUse::add(const HostOpUse &other) {
  count += other.count;
  executions = ::add(executions, other.executions);
  if (bytes && other.bytes)
    bytes = ::add(*bytes, *other.bytes);
  else
    bytes = std::nullopt;
}

int64_t mlir::trn::countHostOps(const Report &report) {
  int64_t count = 0;
  for (const HostOpUse &use : report.hostOps)
    count += use.count;
  return count;
}

std::string mlir::trn::describeHostOps(int64_t count) {
  if (count == 0)
    return "";
  return "latency_ms leaves out " + std::to_string(count) + " host op" +
         (count == 1 ? "" : "s");
}
