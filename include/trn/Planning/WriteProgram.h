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

/// What `schedule`, which passes its checks, becomes on `machine`: the steps
/// that passes make of its IR and decode from that, in a tenth of the time. A
/// search writes hundreds, to be simulated. Names and locations are left out,
/// and so are functions and constants, which take no time. None if the buffers
/// cannot be placed.
std::optional<Program> writeProgram(const Schedule &schedule,
                                    const Machine &machine);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_WRITEPROGRAM_H
