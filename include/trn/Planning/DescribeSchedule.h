//===- DescribeSchedule.h - Schedules in a few words ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_DESCRIBESCHEDULE_H
#define TRN_PLANNING_DESCRIBESCHEDULE_H

#include "trn/Planning/Plan.h"
#include <utility>

namespace mlir::trn::planning {

/// What reports say of a schedule that has been checked, by key: `schedule` is
/// its plan as text. X * W and X * U * V, X being the first input, also have
/// `strategy`, `transpose`, the layouts, `block_m` and so on, which
/// docs/Tools.md explains.
std::vector<std::pair<std::string, std::string>>
describeSchedule(const Schedule &schedule);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_DESCRIBESCHEDULE_H
