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
/// its plan as text, `blocks` the sizes of blocks, as in `m=256,k=512`, and
/// `partials` the type of partial sums, if there are any.
std::vector<std::pair<std::string, std::string>>
describeSchedule(const Schedule &schedule);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_DESCRIBESCHEDULE_H
