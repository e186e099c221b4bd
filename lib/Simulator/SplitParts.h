//===- SplitParts.h - The calls of a simulated launch -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SIMULATOR_SPLITPARTS_H
#define TRN_LIB_SIMULATOR_SPLITPARTS_H

#include "trn/Simulator/Simulator.h"

namespace mlir::trn {

/// Splits the result of a launch, which has parts, by calls.
LaunchResult splitParts(const Launch &launch, const Machine &machine,
                        SimulationResult whole);

} // namespace mlir::trn

#endif // TRN_LIB_SIMULATOR_SPLITPARTS_H
