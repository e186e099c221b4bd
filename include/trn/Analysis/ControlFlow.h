//===- ControlFlow.h - What is known of loops and branches ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_CONTROLFLOW_H
#define TRN_ANALYSIS_CONTROLFLOW_H

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::trn {

/// Iterations of all dims of `loop` together, if they are constant.
std::optional<int64_t> countIterations(LoopLikeOpInterface loop);

/// Where control may go when it comes to `branch`, which is no loop: into a
/// region, or past it. Conditions that fold to constants rule others out.
SmallVector<RegionSuccessor> findEntries(RegionBranchOpInterface branch);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_CONTROLFLOW_H
