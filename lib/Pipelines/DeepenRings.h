//===- DeepenRings.h - More slots for streamed inputs -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PIPELINES_DEEPENRINGS_H
#define TRN_LIB_PIPELINES_DEEPENRINGS_H

#include "trn/Planning/Plan.h"

namespace mlir::trn {

struct Machine;

/// Gives more slots to what loops of `schedule` stream from HBM, if it is one
/// of several kernels of a launch. Weights then arrive while the kernel before
/// ends, and while a norm lets the tensor engine wait. All buffers stay within
/// half of SBUF, so that neighbours have room at its other end. Returns whether
/// anything changed.
bool deepenRings(planning::Schedule &schedule, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_LIB_PIPELINES_DEEPENRINGS_H
