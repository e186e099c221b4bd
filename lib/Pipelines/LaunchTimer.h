//===- LaunchTimer.h - Kernels in their launches ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PIPELINES_LAUNCHTIMER_H
#define TRN_LIB_PIPELINES_LAUNCHTIMER_H

#include "trn/Analysis/TraceCalls.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/Plan.h"
#include "trn/Program/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include <map>

namespace mlir::trn {

/// Simulates kernels beside others of their launches while plans are chosen.
class LaunchTimer {
public:
  /// Finds the launches of all public functions. Those whose order is unknown
  /// are left out.
  LaunchTimer(ModuleOp module, const Machine &machine);

  /// Whether calls of other kernels are in a launch with `kernel`, and all of
  /// them are soon simulated.
  bool hasNeighbours(func::FuncOp kernel) const;
  /// How long calls of `kernel` and their neighbours take with `schedule` as
  /// its plan, in picoseconds; none if its buffers have no place.
  std::optional<int64_t> time(func::FuncOp kernel,
                              const planning::Schedule &schedule);
  /// `kernel` has this plan from now on.
  void setPlan(func::FuncOp kernel, const planning::Schedule &schedule);

private:
  using Calls = SmallVector<RecordedCall>;
  /// Calls that so many launches make.
  struct Window {
    ArrayRef<RecordedCall> calls;
    int64_t launches;
  };

  void addLaunches(func::FuncOp entry);
  void addLaunch(Calls calls);
  /// Of each launch with `kernel`: a call of it, with neighbours.
  SmallVector<Window> findWindows(size_t kernel) const;
  int64_t countSteps(ArrayRef<RecordedCall> calls) const;
  size_t find(func::FuncOp kernel) const;

  const Machine machine, limited;
  SmallVector<func::FuncOp> kernels;
  /// By kernel; none if it is not known.
  std::vector<std::optional<Program>> programs;
  std::vector<Calls> launches;
  /// By launch: how many like it there are.
  std::vector<int64_t> counts;
  /// By the numbers that describe a launch: its own.
  std::map<std::vector<int64_t>, size_t> known;
};

} // namespace mlir::trn

#endif // TRN_LIB_PIPELINES_LAUNCHTIMER_H
