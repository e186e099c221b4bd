//===- Summary.h - Sums over a simulated program ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SIMULATOR_SUMMARY_H
#define TRN_LIB_SIMULATOR_SUMMARY_H

#include "trn/Simulator/SimulationResult.h"

namespace mlir::trn {

struct Machine;
struct Program;

/// Fills in all sums that follow from how often each instruction was executed
/// (`result.totals`), and the peaks of memory.
void summarize(const Program &program, const Machine &machine,
               SimulationResult &result);

} // namespace mlir::trn

#endif // TRN_LIB_SIMULATOR_SUMMARY_H
