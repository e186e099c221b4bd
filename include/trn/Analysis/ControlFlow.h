//===- ControlFlow.h - Facts about loops and branches -----------*- C++ -*-===//
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

/// The product of the trip counts of all dims of `loop`, if constant.
std::optional<int64_t> countIterations(LoopLikeOpInterface loop);

/// Successors of `branch`, which is no loop: one of its regions, or its end.
/// Constant conditions exclude others. So do those that depend on which core of
/// a grid runs it, if that is `core`.
SmallVector<RegionSuccessor>
findEntries(RegionBranchOpInterface branch,
            std::optional<int64_t> core = std::nullopt);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_CONTROLFLOW_H
