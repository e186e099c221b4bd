//===- AddsUp.h - Sums that ScalarE adds up on the way ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_ADDSUP_H
#define TRN_LIB_PLANNING_ADDSUP_H

#include "trn/Planning/Plan.h"

namespace mlir::trn::planning {

/// Whether the nest in front of `nest` computes, beside what `nest` adds up,
/// the sums of it: ScalarE does so on the way. All operands have homes.
bool addsUpPrevious(const Graph &graph, const Plan &plan,
                    const Machine &machine, unsigned nest);

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_ADDSUP_H
