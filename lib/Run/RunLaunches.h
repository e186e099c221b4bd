//===- RunLaunches.h - The launches of a run --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_RUNLAUNCHES_H
#define TRN_LIB_RUN_RUNLAUNCHES_H

#include "trn/Runtime/Runtime.h"
#include "trn/Simulator/SimulateCalls.h"
#include <map>

namespace mlir::trn {

/// The programs of kernels, by `RecordedCall::kernel`.
SmallVector<const Program *> getPrograms(const Executable &executable);

/// The calls of a run, with numbers for the matrices that they are given. Those
/// of a trace are the matrices of the code; addresses, which are left where the
/// order of calls depends on values, may be used again for another matrix. Then
/// nobody knows what the host does in between, either: each call is a launch.
SmallVector<RecordedCall> identifyCalls(func::FuncOp entry,
                                        const Executable &executable);

/// Puts `rounds` more rounds into calls that repeat, as the layers of a model
/// do. By call, the one that it is like; nothing if no calls repeat, or the
/// host works between them.
std::optional<SmallVector<size_t>>
addRounds(SmallVectorImpl<RecordedCall> &calls, Programs programs,
          size_t rounds);

/// Calls that are simulated together: a launch or, of one that is too long for
/// that, a part.
struct RunLaunch {
  ArrayRef<RecordedCall> calls;
  /// It goes on where the part before it ends; nothing overlaps there.
  bool continues = false;
};

/// Cuts `calls` into launches, each as long as it can be.
SmallVector<RunLaunch> findLaunches(ArrayRef<RecordedCall> calls,
                                    Programs programs);

/// Makes one program of one of these, for `machine` as `machineOf` has it.
Launch joinLaunch(const RunLaunch &launch, Programs programs,
                  const Machine &machine);

/// `machine` or, for what continues a launch, the same without an overhead.
Machine machineOf(const RunLaunch &launch, const Machine &machine);

/// Simulates launches; those of the same kernels only once.
class LaunchSimulator {
public:
  LaunchSimulator(Programs programs, const Machine &machine,
                  const SimulationOptions &options = {})
      : programs(programs), machine(machine), options(options) {}

  /// What each call of `launch` takes. Stays until the simulator's end.
  SmallVector<const SimulationResult *> simulate(const RunLaunch &launch);

  /// Executed instructions.
  int64_t stepped = 0;
  /// Calls that others, or those of other launches, stand for.
  size_t repeated = 0;

private:
  Programs programs;
  const Machine &machine;
  SimulationOptions options;
  /// By whether a launch continues, and what describes it.
  std::map<std::pair<bool, std::vector<int64_t>>, CallsResult> known;
};

} // namespace mlir::trn

#endif // TRN_LIB_RUN_RUNLAUNCHES_H
