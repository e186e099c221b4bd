//===- Keys.cpp - The keys and values of a report -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Keys.h"

#include <numeric>

using namespace mlir::trn;

/// `part` of `whole`, or 0 where there is no whole.
static double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

static void addTimes(Entries &entries, const Metrics &metrics,
                     const Machine &machine) {
  double tensorNs = tensorBoundNs(metrics.flops, machine);
  double trafficNs = trafficBoundNs(metrics.hbmLowerBoundBytes, machine);
  entries.emplace_back("latency_ms", metrics.sum.latency / 1e9);
  entries.emplace_back("bound_ms", std::max(tensorNs, trafficNs) / 1e6);
  entries.emplace_back("bound_by",
                       tensorNs >= trafficNs ? "tensor_engine" : "traffic");
}

static void addTraffic(Entries &entries, const Metrics &metrics) {
  const SimulationResult &sum = metrics.sum;
  int64_t bytes = sum.hbmReadBytes + sum.hbmWriteBytes;
  entries.emplace_back("hbm_read_bytes", sum.hbmReadBytes);
  entries.emplace_back("hbm_write_bytes", sum.hbmWriteBytes);
  entries.emplace_back("hbm_bytes", bytes);
  entries.emplace_back("hbm_lower_bound_bytes", metrics.hbmLowerBoundBytes);
  entries.emplace_back("spill_save_bytes", sum.spillSaveBytes);
  entries.emplace_back("spill_reload_bytes", sum.spillReloadBytes);
  entries.emplace_back("arithmetic_intensity",
                       ratio(metrics.flops.total(), bytes));
}

static void addFlops(Entries &entries, const Metrics &metrics,
                     const Machine &machine) {
  double latencyNs = metrics.sum.latency / 1e3;
  entries.emplace_back("flops", metrics.flops.total());
  entries.emplace_back("executed_flops", metrics.sum.executedFlops);
  entries.emplace_back("transpose_flops", metrics.sum.transposeFlops);
  entries.emplace_back(
      "mfu_percent",
      100 * ratio(nominalPeakNs(metrics.flops, machine), latencyNs));
}

static void addActivity(Entries &entries, const SimulationResult &sum) {
  auto percent = [&](double busy) { return 100 * ratio(busy, sum.latency); };
  auto busyOf = [&](Engine engine) {
    return percent(sum.busy[static_cast<int>(engine)]);
  };
  entries.emplace_back("tensor_engine_active_percent", busyOf(Engine::Tensor));
  entries.emplace_back("vector_engine_active_percent", busyOf(Engine::Vector));
  entries.emplace_back("scalar_engine_active_percent", busyOf(Engine::Scalar));
  entries.emplace_back("gpsimd_engine_active_percent", busyOf(Engine::GpSimd));
  double dmaBusy = std::accumulate(sum.dmaBusy.begin(), sum.dmaBusy.end(), 0.0);
  entries.emplace_back("dma_active_percent",
                       percent(ratio(dmaBusy, sum.dmaBusy.size())));
  // Bytes a nanosecond are gigabytes a second.
  entries.emplace_back(
      "dma_gb_per_s",
      ratio(sum.hbmReadBytes + sum.hbmWriteBytes, sum.latency / 1e3));
}

static void addMemory(Entries &entries, const SimulationResult &sum,
                      const Machine &machine) {
  entries.emplace_back("sbuf_peak_bytes",
                       sum.sbufPeakPartitionBytes * machine.partitions);
  entries.emplace_back(
      "sbuf_peak_percent",
      100 * ratio(sum.sbufPeakPartitionBytes, machine.sbufPartitionBytes));
  entries.emplace_back("psum_peak_banks", sum.psumPeakBanks);
}

static void addInstructions(Entries &entries, const SimulationResult &sum) {
  entries.emplace_back("instructions", sum.instructions);
  llvm::json::Object counts;
  for (const auto &[name, count] : sum.instructionCounts)
    counts[name] = count;
  entries.emplace_back("instruction_counts", std::move(counts));
}

Entries mlir::trn::metricEntries(const Metrics &metrics,
                                 const Machine &machine) {
  Entries entries;
  addTimes(entries, metrics, machine);
  addTraffic(entries, metrics);
  addFlops(entries, metrics, machine);
  addActivity(entries, metrics.sum);
  addMemory(entries, metrics.sum, machine);
  addInstructions(entries, metrics.sum);
  return entries;
}

/// Numbers of the schedule are numbers in the report.
static llvm::json::Value scheduleValue(llvm::StringRef text) {
  int64_t number;
  if (!text.getAsInteger(10, number))
    return number;
  return text.str();
}

Entries mlir::trn::kernelEntries(const KernelReport &kernel) {
  Entries entries;
  entries.emplace_back("name", kernel.name);
  entries.emplace_back("calls", kernel.calls);
  for (const auto &[key, value] : kernel.schedule)
    entries.emplace_back(key, scheduleValue(value));
  return entries;
}
