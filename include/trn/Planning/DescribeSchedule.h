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

/// A checked schedule as pairs of key and text, for reports. `schedule` is the
/// plan, and `blocks` has the sizes of blocks, as in `m=256,k=512`. `partials`
/// is the type of partial sums, if there are any.
std::vector<std::pair<std::string, std::string>>
describeSchedule(const Schedule &schedule);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_DESCRIBESCHEDULE_H
