//===- WriteProgram.h - The program of a plan, without IR -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_WRITEPROGRAM_H
#define TRN_PLANNING_WRITEPROGRAM_H

#include "trn/Planning/Plan.h"
#include "trn/Program/Program.h"

namespace mlir::trn::planning {

/// The program of `schedule`, which passes its checks, on `machine`. It has the
/// steps that passes would make as IR and decode again, in a tenth of the time:
/// a search simulates hundreds. Names, locations, functions and constants,
/// which take no time, are left out. None if the buffers cannot be placed.
std::optional<Program> writeProgram(const Schedule &schedule,
                                    const Machine &machine);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_WRITEPROGRAM_H
