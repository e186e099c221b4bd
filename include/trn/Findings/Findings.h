//===- Findings.h - What costs a run time -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody estimates what something costs: the program is simulated again without
// it. docs/Findings.md says what is looked for and how to add to it.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_FINDINGS_FINDINGS_H
#define TRN_FINDINGS_FINDINGS_H

#include "trn/Report/Finding.h"
#include "trn/Report/KernelCall.h"

namespace mlir::trn {

struct Machine;

/// How many instructions and iterations are simulated to find out what costs
/// time: a second or two.
constexpr int64_t maxFindingSteps = int64_t(1) << 24;

/// What costs at least 3 % of the latency of `calls`, which ran on `machine`,
/// or 1 % if it can be helped as tried, the worst first. Kernels that take too
/// long are left out.
std::vector<Finding> findCosts(llvm::ArrayRef<KernelCall> calls,
                               const Machine &machine,
                               int64_t maxSteps = maxFindingSteps);

/// Whether the plan of a kernel decides how much `cause` costs: whoever chose
/// it by simulation has seen to that already.
bool isDecidedByPlan(llvm::StringRef cause);

/// The worst first; those that cost too little are dropped.
void rankFindings(std::vector<Finding> &findings, int64_t latency);

} // namespace mlir::trn

#endif // TRN_FINDINGS_FINDINGS_H
