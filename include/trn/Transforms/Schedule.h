//===- Schedule.h - How a kernel is compiled --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_SCHEDULE_H
#define TRN_TRANSFORMS_SCHEDULE_H

#include "trn/Machine/Machine.h"
#include "trn/Planning/BlockPlan.h"

#include "mlir/Support/LLVM.h"

namespace mlir {
namespace func {
class FuncOp;
} // namespace func

namespace trn {

/// What the attribute `trn.schedule` of a kernel says: the decisions that the
/// tiling passes follow and that the report repeats.
struct Schedule {
  Strategy strategy = Strategy::StripCache;
  TransposeMode transpose = TransposeMode::Implicit;
  /// X arrives as [k, m]; the result leaves as [n, m].
  bool inputTransposed = false;
  bool outputTransposed = false;
  /// Half of a sequential chain: 1 or 2; 0 otherwise.
  int64_t half = 0;
  /// Present once blocks are chosen.
  std::optional<BlockPlan> blocks;

  /// What the kernel computes, by its arguments; not part of the attribute.
  ChainShape shape;
};

void writeSchedule(func::FuncOp kernel, const Schedule &schedule);

/// Fails with a diagnostic at the kernel if the attribute is absent or
/// malformed, or if it does not suit the arguments or the machine. Users may
/// have edited both: nobody else checks what is in a schedule.
FailureOr<Schedule> readSchedule(func::FuncOp kernel);

/// The same, and the blocks must be chosen.
FailureOr<Schedule> readPlannedSchedule(func::FuncOp kernel);

/// The module's machine with the limits of the tiles that kernels are cut into;
/// fails with a diagnostic if it has none that can be compiled for.
FailureOr<Machine> getTileLimits(func::FuncOp kernel);

} // namespace trn
} // namespace mlir

#endif // TRN_TRANSFORMS_SCHEDULE_H
