//===- RunLaunches.cpp - The launches of a run ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunLaunches.h"

using namespace mlir;
using namespace mlir::trn;

SmallVector<RecordedCall>
mlir::trn::identifyCalls(func::FuncOp entry, const Executable &executable) {
  SmallVector<RecordedCall> calls(executable.getCalls());
  ScopedDiagnosticHandler untold(entry.getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<SmallVector<RecordedCall>> traced =
      traceCalls(entry, executable.getHostCode());
  auto isSame = [](const auto &a, const auto &b) {
    return a.kernel == b.kernel;
  };
  if (succeeded(traced) && llvm::equal(calls, *traced, isSame))
    return std::move(*traced);
  return calls;
}

SmallVector<const Program *>
mlir::trn::getPrograms(const Executable &executable) {
  return llvm::map_to_vector(
      executable.getKernels(),
      [](const DecodedKernel &kernel) { return &kernel.program; });
}

static SmallVector<LaunchCall> toLaunchCalls(ArrayRef<RecordedCall> calls,
                                             Programs programs) {
  return llvm::map_to_vector(calls, [&](const RecordedCall &call) {
    return LaunchCall{programs[call.kernel], call.arguments};
  });
}

SmallVector<ArrayRef<RecordedCall>>
mlir::trn::findLaunches(ArrayRef<RecordedCall> calls, Programs programs) {
  SmallVector<ArrayRef<RecordedCall>> launches;
  while (!calls.empty()) {
    auto ends = llvm::find_if(calls.drop_front(), [](const RecordedCall &call) {
      return call.followsHost;
    });
    ArrayRef<RecordedCall> launch = calls.take_front(ends - calls.begin());
    launch = launch.take_front(countJoinable(toLaunchCalls(launch, programs)));
    launches.push_back(launch);
    calls = calls.drop_front(launch.size());
  }
  return launches;
}

Launch mlir::trn::joinLaunch(ArrayRef<RecordedCall> calls, Programs programs,
                             const Machine &machine) {
  return joinCalls(toLaunchCalls(calls, programs), machine);
}

/// What makes two launches the same.
static std::vector<size_t> describe(ArrayRef<RecordedCall> calls) {
  std::vector<size_t> key;
  DenseMap<uintptr_t, size_t> known;
  for (const RecordedCall &call : calls) {
    key.push_back(call.kernel);
    for (uintptr_t memory : call.arguments)
      key.push_back(known.try_emplace(memory, known.size()).first->second);
  }
  return key;
}

ArrayRef<SimulationResult>
LaunchSimulator::simulate(ArrayRef<RecordedCall> calls) {
  auto [it, isNew] = known.try_emplace(describe(calls));
  if (isNew) {
    Launch launch = joinLaunch(calls, programs, machine);
    LaunchResult result = simulateLaunch(launch, machine, options);
    stepped += result.whole.instructions;
    it->second = std::move(result.calls);
  }
  return it->second;
}
