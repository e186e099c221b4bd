//===- Findings.h - Costs in a run ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Costs are not estimated: the program is simulated again without the suspect.
// docs/Findings.md lists the suspects and says how to add one.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_FINDINGS_FINDINGS_H
#define TRN_FINDINGS_FINDINGS_H

#include "trn/Report/Finding.h"
#include "trn/Report/KernelCall.h"

namespace mlir::trn {

struct Machine;

/// Limit of instructions and iterations simulated for findings: a second or
/// two.
constexpr int64_t maxFindingSteps = int64_t(1) << 24;

/// Costs of at least 3 % of the latency of `calls` on `machine`, or 1 % if the
/// remedy was tried, the worst first. Kernels that take too long are left out.
std::vector<Finding> findCosts(llvm::ArrayRef<KernelCall> calls,
                               const Machine &machine,
                               int64_t maxSteps = maxFindingSteps);

/// Whether the plan of a kernel decides the cost of `cause`. A search by
/// simulation has weighed it already.
bool isDecidedByPlan(llvm::StringRef cause);

/// Sorts, the worst first, and drops those that cost too little.
void rankFindings(std::vector<Finding> &findings, int64_t latency);

} // namespace mlir::trn

#endif // TRN_FINDINGS_FINDINGS_H
