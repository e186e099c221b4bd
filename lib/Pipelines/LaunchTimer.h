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
  /// Calls that so many launches make.
  struct Window {
    ArrayRef<RecordedCall> calls;
    int64_t launches;
  };

  /// Finds the launches of all public functions. Those whose order is unknown
  /// are left out.
  LaunchTimer(ModuleOp module, const Machine &machine);

  /// Of each launch with `kernel`: a call of it, with its neighbours. None if
  /// it has none, or if all take too long to simulate.
  SmallVector<Window> findWindows(func::FuncOp kernel) const;
  /// How long `windows` take with `schedule` as the plan of `kernel`, in
  /// picoseconds; none if its buffers have no place.
  std::optional<int64_t> time(ArrayRef<Window> windows, func::FuncOp kernel,
                              const planning::Schedule &schedule) const;
  /// `kernel` has this plan from now on.
  void setPlan(func::FuncOp kernel, const planning::Schedule &schedule);

private:
  void addLaunches(func::FuncOp entry);
  int64_t countSteps(ArrayRef<RecordedCall> calls) const;
  size_t find(func::FuncOp kernel) const;
  SmallVector<const Program *> getPrograms() const;

  const Machine machine, limited;
  SmallVector<func::FuncOp> kernels;
  /// By kernel; none if it is not known.
  std::vector<std::optional<Program>> programs;
  struct KnownLaunch {
    SmallVector<RecordedCall> calls;
    /// How many like it there are.
    int64_t count = 0;
  };
  std::vector<KnownLaunch> launches;
  /// By what describes a launch: its number.
  std::map<std::vector<int64_t>, size_t> known;
};

} // namespace mlir::trn

#endif // TRN_LIB_PIPELINES_LAUNCHTIMER_H
