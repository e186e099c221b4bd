//===- Keys.cpp - The keys and values of a report -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Keys.h"

#include "trn/Program/PrintProgram.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir::trn;
using llvm::json::Value;

/// `part` of `whole`, or 0 where there is no whole.
static double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

static double latencyNs(const Metrics &metrics) {
  return metrics.sum.latency / 1e3;
}

static int64_t hbmBytes(const Metrics &metrics) {
  return metrics.sum.hbmReadBytes + metrics.sum.hbmWriteBytes;
}

/// Cores share the work evenly.
static double tensorBound(const Metrics &metrics, const Machine &machine) {
  return tensorBoundNs(metrics.flops, machine) / metrics.cores;
}

static double trafficBound(const Metrics &metrics, const Machine &machine) {
  return trafficBoundNs(metrics.hbmLowerBoundBytes, machine) / metrics.cores;
}

/// The time of all cores.
static double coreTime(const Metrics &metrics) {
  return double(metrics.sum.latency) * metrics.cores;
}

/// The rate behind `bound_ms` for this mix of types, in TFLOP/s.
static double tensorRoof(const Metrics &metrics, const Machine &machine) {
  if (metrics.flops.total() == 0)
    return machine.tensorFlopsPerNs(/*f32=*/false) * metrics.cores / 1e3;
  return metrics.flops.total() / tensorBound(metrics, machine) / 1e3;
}

/// Share of the latency in which an engine is busy.
template <Engine engine>
static Value activePercent(const Metrics &metrics, const Machine &) {
  return 100 *
         ratio(metrics.sum.busy[static_cast<int>(engine)], coreTime(metrics));
}

/// On several cores.
static Value collectivesPercent(const Metrics &metrics, const Machine &on) {
  if (metrics.sum.collectiveBytes == 0 && metrics.cores == 1)
    return nullptr;
  return activePercent<Engine::Collective>(metrics, on);
}

static Value collectiveBytes(const Metrics &metrics, const Machine &) {
  if (metrics.sum.collectiveBytes == 0 && metrics.cores == 1)
    return nullptr;
  return metrics.sum.collectiveBytes;
}

static Value dmaActivePercent(const Metrics &metrics, const Machine &) {
  const std::vector<int64_t> &busy = metrics.sum.dmaBusy;
  double mean =
      ratio(std::accumulate(busy.begin(), busy.end(), 0.0), busy.size());
  return 100 * ratio(mean, coreTime(metrics));
}

static Value instructionCounts(const Metrics &metrics, const Machine &) {
  llvm::json::Object counts;
  for (const auto &[name, count] : metrics.sum.instructionCounts)
    counts[name] = count;
  return counts;
}

static double boundMs(const Metrics &metrics, const Machine &machine) {
  return std::max(tensorBound(metrics, machine),
                  trafficBound(metrics, machine)) /
         1e6;
}

static double milliseconds(int64_t picoseconds) { return picoseconds / 1e9; }

static Value latencyRange(const Metrics &metrics, const Machine &) {
  if (!metrics.latencyRange)
    return nullptr;
  auto [low, high] = *metrics.latencyRange;
  return llvm::json::Array{milliseconds(low), milliseconds(high)};
}

static Value anyOrder(const Metrics &metrics, const Machine &) {
  if (!metrics.anyOrder)
    return nullptr;
  return milliseconds(*metrics.anyOrder);
}

/// On machines that have a throttle.
static Value throttledPercent(const Metrics &metrics, const Machine &machine) {
  if (machine.tensorThrottleNs == 0)
    return nullptr;
  return 100 * ratio(metrics.sum.throttled, coreTime(metrics));
}

/// Where loading a table of functions takes time.
static Value swaps(const Metrics &metrics, const Machine &machine) {
  if (machine.functionSwapNs == 0)
    return nullptr;
  return metrics.sum.swaps;
}

/// By engine and reason, what is not zero.
static Value engineWaits(const Metrics &metrics, const Machine &) {
  llvm::json::Object engines;
  for (int engine = 0; engine < numEngines; ++engine) {
    llvm::json::Object reasons;
    for (int reason = 0; reason < numWaitReasons; ++reason)
      if (int64_t time = metrics.sum.waits[engine][reason])
        reasons[stringify(static_cast<WaitReason>(reason))] =
            milliseconds(time);
    if (!reasons.empty())
      engines[stringify(static_cast<Engine>(engine))] = std::move(reasons);
  }
  return engines;
}

/// What is not zero, the longest first.
static Value criticalPath(const Metrics &metrics, const Machine &) {
  struct Part {
    llvm::StringRef engine, reason;
    int64_t time;
  };
  llvm::SmallVector<Part> parts = {
      {"kernel", "kernel_overhead", metrics.path.kernelOverhead},
      {"kernel", "not_followed", metrics.path.notFollowed}};
  for (int engine = 0; engine < numEngines; ++engine)
    for (int reason = 0; reason < numPathReasons; ++reason)
      parts.push_back({stringify(static_cast<Engine>(engine)),
                       stringify(static_cast<PathReason>(reason)),
                       metrics.path.engines[engine][reason]});
  llvm::sort(parts, [](const Part &a, const Part &b) {
    return std::tie(b.time, a.engine, a.reason) <
           std::tie(a.time, b.engine, b.reason);
  });
  llvm::json::Array rows;
  for (const Part &part : parts)
    if (part.time > 0)
      rows.push_back(llvm::json::Object{
          {"engine", part.engine},
          {"reason", part.reason},
          {"ms", milliseconds(part.time)},
          {"percent", 100 * ratio(part.time, metrics.sum.latency)}});
  return rows;
}

llvm::ArrayRef<MetricKey> mlir::trn::metricKeys() {
  using M = const Metrics &;
  using On = const Machine &;
  constexpr Better less = Better::Less, more = Better::More,
                   neither = Better::Neither;
  constexpr bool neutral = true;
  static const MetricKey keys[] = {
      {"latency_ms", less,
       [](M m, On) -> Value { return m.sum.latency / 1e9; }},
      {"latency_range_ms", neither, latencyRange},
      {"any_order_ms", neither, anyOrder},
      {"bound_ms", less, [](M m, On on) -> Value { return boundMs(m, on); },
       neutral},
      {"bound_by", neither,
       [](M m, On on) -> Value {
         return tensorBound(m, on) >= trafficBound(m, on) ? "tensor_engine"
                                                          : "traffic";
       }},
      {"over_bound_percent", less,
       [](M m, On on) -> Value {
         double bound = boundMs(m, on);
         return 100 * ratio(milliseconds(m.sum.latency) - bound, bound);
       }},
      {"launches", less, [](M m, On) -> Value { return m.launches; }},
      {"critical_path", neither, criticalPath},
      {"engine_waits", neither, engineWaits},
      {"tensor_roof_tflops", more,
       [](M m, On on) -> Value { return tensorRoof(m, on); }, neutral},
      {"dma_roof_gb_per_s", more,
       [](M m, On on) -> Value {
         return on.dmaSustainedGBPerSecond() * m.cores;
       },
       neutral},
      {"hbm_read_bytes", less,
       [](M m, On) -> Value { return m.sum.hbmReadBytes; }},
      {"hbm_write_bytes", less,
       [](M m, On) -> Value { return m.sum.hbmWriteBytes; }},
      {"hbm_bytes", less, [](M m, On) -> Value { return hbmBytes(m); }},
      {"hbm_lower_bound_bytes", less,
       [](M m, On) -> Value { return m.hbmLowerBoundBytes; }},
      {"spill_save_bytes", less,
       [](M m, On) -> Value { return m.sum.spillSaveBytes; }},
      {"spill_reload_bytes", less,
       [](M m, On) -> Value { return m.sum.spillReloadBytes; }},
      {"arithmetic_intensity", more,
       [](M m, On) -> Value { return ratio(m.flops.total(), hbmBytes(m)); }},
      {"flops", less, [](M m, On) -> Value { return m.flops.total(); }},
      {"executed_flops", less,
       [](M m, On) -> Value { return m.sum.executedFlops; }},
      {"transpose_flops", less,
       [](M m, On) -> Value { return m.sum.transposeFlops; }},
      {"mfu_percent", more,
       [](M m, On on) -> Value {
         return 100 * ratio(nominalPeakNs(m.flops, on), latencyNs(m) * m.cores);
       }},
      {"tensor_engine_active_percent", more, activePercent<Engine::Tensor>},
      {"tensor_throttled_percent", neither, throttledPercent},
      {"vector_engine_active_percent", more, activePercent<Engine::Vector>,
       neutral},
      {"scalar_engine_active_percent", more, activePercent<Engine::Scalar>,
       neutral},
      {"scalar_table_swaps", neither, swaps},
      {"gpsimd_engine_active_percent", more, activePercent<Engine::GpSimd>,
       neutral},
      {"collectives_active_percent", neither, collectivesPercent},
      {"collective_bytes", neither, collectiveBytes},
      {"dma_active_percent", more, dmaActivePercent, neutral},
      // Bytes a nanosecond are gigabytes a second.
      {"dma_gb_per_s", more,
       [](M m, On) -> Value { return ratio(hbmBytes(m), latencyNs(m)); },
       neutral},
      {"sbuf_peak_bytes", less,
       [](M m, On on) -> Value {
         return m.sum.sbufPeakPartitionBytes * on.partitions;
       }},
      {"sbuf_peak_percent", less,
       [](M m, On on) -> Value {
         return 100 *
                ratio(m.sum.sbufPeakPartitionBytes, on.sbufPartitionBytes);
       }},
      {"sbuf_live_bytes", less,
       [](M m, On on) -> Value {
         return m.sum.sbufLivePartitionBytes * on.partitions;
       }},
      {"sbuf_live_percent", less,
       [](M m, On on) -> Value {
         return 100 *
                ratio(m.sum.sbufLivePartitionBytes, on.sbufPartitionBytes);
       }},
      {"psum_peak_banks", less,
       [](M m, On) -> Value { return m.sum.psumPeakBanks; }},
      {"instructions", less,
       [](M m, On) -> Value { return m.sum.instructions; }},
      {"instruction_counts", neither, instructionCounts},
  };
  return keys;
}

const MetricKey *mlir::trn::findMetricKey(llvm::StringRef name) {
  const MetricKey *found = llvm::find_if(
      metricKeys(), [&](const MetricKey &key) { return key.name == name; });
  return found == metricKeys().end() ? nullptr : found;
}

Entries mlir::trn::metricEntries(const Metrics &metrics,
                                 const Machine &machine) {
  Entries entries;
  for (const MetricKey &key : metricKeys())
    if (Value value = key.value(metrics, machine); value.kind() != Value::Null)
      entries.emplace_back(key.name, std::move(value));
  return entries;
}

static constexpr size_t numTopOps = 10;

static Value opRows(const KernelReport &kernel) {
  llvm::json::Array rows;
  for (const OpTimes &op : topOps(kernel.ops, numTopOps)) {
    llvm::json::Object row{{"op", op.op},
                           {"engine", stringify(op.engine)},
                           {"location", op.location},
                           {"executions", op.executions},
                           {"busy_ms", milliseconds(op.busy)},
                           {"waited_ms", milliseconds(op.waited())},
                           {"wait_reason", stringify(op.waitReason())},
                           {"critical_ms", milliseconds(op.critical)}};
    if (!op.buffer.empty())
      row["buffer"] = op.buffer;
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Of a logical core: by core, what its engines did in the latency.
static Value coreRows(const KernelReport &kernel) {
  llvm::json::Array rows;
  const int64_t latency = kernel.metrics.sum.latency;
  for (const SimulationResult &core : kernel.cores) {
    auto percent = [&](int64_t busy) { return 100 * ratio(busy, latency); };
    auto busy = [&](Engine engine) {
      return core.busy[static_cast<int>(engine)];
    };
    const std::vector<int64_t> &dma = core.dmaBusy;
    double moved = std::accumulate(dma.begin(), dma.end(), 0.0);
    rows.push_back(llvm::json::Object{
        {"core", int64_t(rows.size())},
        {"end_ms", milliseconds(core.end)},
        {"meetings_ms", milliseconds(busy(Engine::Collective))},
        {"tensor_percent", percent(busy(Engine::Tensor))},
        {"vector_percent", percent(busy(Engine::Vector))},
        {"scalar_percent", percent(busy(Engine::Scalar))},
        {"gpsimd_percent", percent(busy(Engine::GpSimd))},
        {"dma_percent", percent(int64_t(ratio(moved, dma.size())))},
        {"hbm_bytes", core.hbmReadBytes + core.hbmWriteBytes}});
  }
  return rows;
}

static Value bufferRows(const KernelReport &kernel) {
  llvm::json::Array rows;
  for (const BufferUse &use : kernel.buffers)
    rows.push_back(llvm::json::Object{
        {"buffer", use.name},
        {"location", use.location},
        {"bytes", use.bytes},
        {"compulsory_bytes", use.compulsoryBytes},
        {"read_bytes", use.readBytes},
        {"read_times", ratio(use.readBytes, use.bytes)},
        {"write_bytes", use.writtenBytes},
        {"write_times", ratio(use.writtenBytes, use.bytes)}});
  return rows;
}

Value mlir::trn::hostOpRows(llvm::ArrayRef<HostOpUse> ops) {
  llvm::json::Array rows;
  for (const HostOpUse &use : ops) {
    llvm::json::Object row{
        {"op", use.op}, {"count", use.count}, {"executions", use.executions}};
    if (!use.location.empty())
      row["location"] = use.location;
    if (use.bytes)
      row["bytes"] = *use.bytes;
    rows.push_back(std::move(row));
  }
  return rows;
}

Entries mlir::trn::kernelEntries(const KernelReport &kernel) {
  Entries entries;
  entries.emplace_back("name", kernel.name);
  entries.emplace_back("calls", kernel.calls);
  for (const auto &[key, value] : kernel.schedule)
    entries.emplace_back(key, value);
  if (kernel.cores.size() > 1)
    entries.emplace_back("cores", coreRows(kernel));
  entries.emplace_back("top_ops", opRows(kernel));
  entries.emplace_back("buffers", bufferRows(kernel));
  return entries;
}
