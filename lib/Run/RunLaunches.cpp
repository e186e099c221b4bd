//===- RunLaunches.cpp - The launches of a run ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunLaunches.h"

#include "trn/Program/CountSteps.h"
#include "trn/Program/Repetition.h"

using namespace mlir;
using namespace mlir::trn;

SmallVector<RecordedCall>
mlir::trn::identifyCalls(func::FuncOp entry, const Executable &executable) {
  SmallVector<RecordedCall> calls(executable.getCalls());
  ScopedDiagnosticHandler untold(entry.getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<SmallVector<RecordedCall>> traced =
      traceCalls(entry, executable.getHostCode().kernels);
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

std::optional<SmallVector<size_t>>
mlir::trn::addRounds(SmallVectorImpl<RecordedCall> &calls, Programs programs,
                     size_t rounds) {
  SmallVector<LaunchCall> few = toLaunchCalls(calls, programs);
  std::optional<Repetition> found = findRepetition(few);
  std::optional<RepeatedCalls> all =
      found ? addRounds(few, *found, rounds) : std::nullopt;
  if (!all)
    return std::nullopt;
  SmallVector<RecordedCall> more;
  for (auto [number, like] : llvm::enumerate(all->like)) {
    const bool isMore =
        number >= found->end && number < found->end + found->round * rounds;
    if (isMore && calls[like].followsHost)
      return std::nullopt;
    more.push_back({calls[like].kernel,
                    llvm::to_vector<6>(all->arguments[number]),
                    calls[like].offsets, calls[like].followsHost});
  }
  calls = std::move(more);
  return llvm::to_vector(all->like);
}

/// What is simulated at once has at most so many instructions, some 300 MB of
/// them, and executes so many, some seconds.
static constexpr double maxInstructions = 1 << 19, maxSteps = 1 << 25;

/// By kernel: the share of that which a call takes.
static SmallVector<double> findShares(Programs programs) {
  return llvm::map_to_vector(programs, [](const Program *program) {
    return double(program->instructions.size()) / maxInstructions +
           double(countSteps(*program)) / maxSteps;
  });
}

/// How many of `calls`, one at least, are simulated at once.
static size_t countTogether(ArrayRef<RecordedCall> calls,
                            ArrayRef<double> shares) {
  double sum = 0;
  for (auto [index, call] : llvm::enumerate(calls))
    if ((sum += shares[call.kernel]) > 1 && index)
      return index;
  return calls.size();
}

SmallVector<RunLaunch> mlir::trn::findLaunches(ArrayRef<RecordedCall> calls,
                                               Programs programs) {
  SmallVector<double> shares = findShares(programs);
  SmallVector<RunLaunch> launches;
  while (!calls.empty()) {
    ArrayRef<RecordedCall> launch = takeLaunch(calls, programs);
    calls = calls.drop_front(launch.size());
    for (bool continues = false; !launch.empty(); continues = true) {
      size_t count = countTogether(launch, shares);
      launches.push_back({launch.take_front(count), continues});
      launch = launch.drop_front(count);
    }
  }
  return launches;
}

Launch mlir::trn::joinLaunch(const RunLaunch &launch, Programs programs,
                             const Machine &machine) {
  return joinCalls(toLaunchCalls(launch.calls, programs), machine);
}

Machine mlir::trn::machineOf(const RunLaunch &launch, const Machine &machine) {
  Machine own = machine;
  if (launch.continues)
    own.kernelOverheadNs = 0;
  return own;
}

SmallVector<const SimulationResult *>
LaunchSimulator::simulate(const RunLaunch &launch) {
  auto [it, isNew] = known.try_emplace(
      std::pair(launch.continues, describeLaunch(launch.calls)));
  CallsResult &result = it->second;
  if (isNew) {
    result = simulateCalls(toLaunchCalls(launch.calls, programs),
                           machineOf(launch, machine), options);
    stepped += result.stepped;
  }
  repeated += isNew ? result.repeated : launch.calls.size();
  return llvm::map_to_vector(result.resultOf, [&](size_t number) {
    return &std::as_const(result.results[number]);
  });
}
