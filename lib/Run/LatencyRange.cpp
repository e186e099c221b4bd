//===- LatencyRange.cpp - How far a latency can be trusted ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LatencyRange.h"

#include "RunLaunches.h"
#include "trn/Decode/Decode.h"
#include "trn/Machine/MachineRange.h"
#include "trn/Simulator/Simulator.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::trn;

/// The kernels are decoded again, because their work follows from the machine.
static FailureOr<int64_t> timeOn(const Machine &machine,
                                 ArrayRef<func::FuncOp> kernels,
                                 ArrayRef<RecordedCall> calls) {
  std::vector<DecodedKernel> decoded;
  for (func::FuncOp kernel : kernels) {
    FailureOr<DecodedKernel> known = decodeCores(kernel, machine);
    if (failed(known))
      return failure();
    decoded.push_back(std::move(*known));
  }
  SmallVector<const Program *> programs = llvm::map_to_vector(
      decoded, [](const DecodedKernel &kernel) { return &kernel.program; });
  LaunchSimulator simulator(programs, machine);
  int64_t sum = 0;
  for (const RunLaunch &launch : findLaunches(calls, programs))
    for (const SimulationResult *result : simulator.simulate(launch))
      sum += result->latency;
  return sum;
}

namespace {
struct Busiest {
  /// Picoseconds; of DMA, the mean of its engines.
  int64_t time;
  /// The half-width of the range of what it limits, as a share.
  double halfWidth;
};
} // namespace

static bool isShorter(const Busiest &a, const Busiest &b) {
  return a.time < b.time;
}

/// The engine of one core that is occupied for longest.
static Busiest findBusiest(const SimulationResult &sum,
                           const Machine &machine) {
  auto busy = [&](Engine engine) { return sum.busy[static_cast<int>(engine)]; };
  int64_t dma = 0;
  for (int64_t time : sum.dmaBusy)
    dma += time;
  Busiest engines[] = {{busy(Engine::Tensor), machine.rangeTensorPercent / 100},
                       {busy(Engine::Vector), machine.rangeVectorPercent / 100},
                       {busy(Engine::GpSimd), machine.rangeVectorPercent / 100},
                       {busy(Engine::Scalar), machine.rangeScalarPercent / 100},
                       {dma / std::max<int64_t>(sum.dmaBusy.size(), 1),
                        machine.rangeDmaPercent / 100}};
  return *llvm::max_element(engines, isShorter);
}

static Busiest findBusiest(ArrayRef<SimulationResult> cores,
                           const Machine &machine) {
  auto all = llvm::map_to_vector(cores, [&](const SimulationResult &core) {
    return findBusiest(core, machine);
  });
  return *llvm::max_element(all, isShorter);
}

LogicalResult mlir::trn::addLatencyRange(Report &report,
                                         ArrayRef<func::FuncOp> kernels,
                                         ArrayRef<RecordedCall> calls) {
  MachineEnds ends = endsOf(report.machine);
  FailureOr<int64_t> low = timeOn(ends.fastest, kernels, calls);
  FailureOr<int64_t> high = timeOn(ends.slowest, kernels, calls);
  if (failed(low) || failed(high))
    return failure();
  int64_t latency = report.total.sum.latency;
  double band = 0;
  int64_t overhead = std::llround(1e3 * report.machine.kernelOverheadNs);
  int64_t anyOrder = 0;
  for (const KernelReport &kernel : report.kernels) {
    const Metrics &metrics = kernel.metrics;
    Busiest busiest = findBusiest(kernel.cores, report.machine);
    band += double(metrics.sum.latency) * busiest.halfWidth;
    anyOrder += busiest.time + metrics.launches * overhead;
  }
  report.total.latencyRange = {
      std::min(*low, latency - static_cast<int64_t>(band)),
      std::max(*high, latency + static_cast<int64_t>(band))};
  report.total.anyOrder = anyOrder;
  return success();
}
