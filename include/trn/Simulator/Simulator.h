//===- Simulator.h - Latency of a program -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/CostModel.md explains the model, with formulas and examples to check by
// hand.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SIMULATOR_SIMULATOR_H
#define TRN_SIMULATOR_SIMULATOR_H

#include "trn/Simulator/SimulationResult.h"
#include "llvm/ADT/ArrayRef.h"
#include <limits>

namespace mlir::trn {

struct Launch;
struct Machine;
struct Program;

struct SimulationOptions {
  /// Receives every instruction, if present.
  TimelineSink *timeline = nullptr;
  /// The same of the other cores of a logical one, by `Program::others`.
  llvm::ArrayRef<TimelineSink *> others = {};
  /// Finds the critical path. Needs memory for `pathWindow` instructions, or
  /// more until their paths meet, up to `pathLimit`.
  bool criticalPath = false;
  int64_t pathWindow = 1 << 13;
  int64_t pathLimit = 1 << 20;
  /// Keeps all executions on the critical path, too.
  bool pathSteps = false;
  /// First instructions of the program's parts, beginning with 0: the kernels
  /// of a launch. None: the result has no parts.
  llvm::ArrayRef<int32_t> parts = {};
  /// Stops once the latency is known to exceed this, in picoseconds. The result
  /// covers the executed part, and its latency exceeds the limit.
  int64_t limit = std::numeric_limits<int64_t>::max();
};

/// Runs `program` on `machine` without values.
SimulationResult simulate(const Program &program, const Machine &machine,
                          const SimulationOptions &options = {});

struct LaunchResult {
  /// By instruction and buffer of `Launch::program`.
  SimulationResult whole;
  /// By call, as if of the call's program alone, without steps of the critical
  /// path. A call's latency is the time by which it ends after those before it.
  /// The first one includes the start of the launch.
  std::vector<SimulationResult> calls;
};

/// Runs all calls of `launch`.
LaunchResult simulateLaunch(const Launch &launch, const Machine &machine,
                            const SimulationOptions &options = {});

} // namespace mlir::trn

#endif // TRN_SIMULATOR_SIMULATOR_H
