//===- Handovers.h - Who waits for whose bytes ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_HANDOVERS_H
#define TRN_ANALYSIS_HANDOVERS_H

#include "trn/Analysis/BufferLife.h"

namespace mlir::trn {

/// What the tensor engine would lose, in nanoseconds of a run of the kernel, if
/// slots of the buffers shared bytes: the time that filling the later one and
/// draining the earlier one take beyond the tensor work that lies between.
/// `problem` describes `lives`, entry by entry.
std::vector<placement::Handover>
computeHandovers(func::FuncOp kernel, ArrayRef<BufferLife> lives,
                 const placement::Problem &problem, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_HANDOVERS_H
