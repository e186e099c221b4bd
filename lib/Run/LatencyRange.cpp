//===- LatencyRange.cpp - How far a latency can be trusted ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LatencyRange.h"

#include "trn/Decode/Decode.h"
#include "trn/Machine/MachineRange.h"
#include "trn/Simulator/Simulator.h"

using namespace mlir;
using namespace mlir::trn;

/// The kernels are decoded again, because their work follows from the machine.
static FailureOr<int64_t> timeOn(const Machine &machine,
                                 ArrayRef<func::FuncOp> kernels,
                                 ArrayRef<RecordedCall> calls) {
  SmallVector<int64_t> latencies;
  for (func::FuncOp kernel : kernels) {
    FailureOr<DecodedKernel> decoded = decodeKernel(kernel, machine);
    if (failed(decoded))
      return failure();
    latencies.push_back(simulate(decoded->program, machine).latency);
  }
  int64_t sum = 0;
  for (const RecordedCall &call : calls)
    sum += latencies[call.kernel];
  return sum;
}

LogicalResult mlir::trn::addLatencyRange(Report &report,
                                         ArrayRef<func::FuncOp> kernels,
                                         ArrayRef<RecordedCall> calls) {
  MachineEnds ends = endsOf(report.machine);
  FailureOr<int64_t> low = timeOn(ends.fastest, kernels, calls);
  FailureOr<int64_t> high = timeOn(ends.slowest, kernels, calls);
  if (failed(low) || failed(high))
    return failure();
  // Where engines take turns in another order, faster ones may lose time.
  int64_t latency = report.total.sum.latency;
  report.total.latencyRange = {std::min(*low, latency),
                               std::max(*high, latency)};
  return success();
}
