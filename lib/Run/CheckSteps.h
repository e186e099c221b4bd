//===- CheckSteps.h - Refuse what would take days ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_CHECKSTEPS_H
#define TRN_LIB_RUN_CHECKSTEPS_H

#include "trn/Decode/Decode.h"

namespace mlir::trn {

/// Fails at `entry` if simulating one of the kernels takes more than `maxSteps`
/// steps: nobody waits for that, and nothing would tell them that it is so.
LogicalResult checkSteps(func::FuncOp entry, ArrayRef<DecodedKernel> kernels,
                         uint64_t maxSteps);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_CHECKSTEPS_H
