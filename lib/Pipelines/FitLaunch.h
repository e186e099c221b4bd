//===- FitLaunch.h - Plans of kernels beside others -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PIPELINES_FITLAUNCH_H
#define TRN_LIB_PIPELINES_FITLAUNCH_H

#include "LaunchTimer.h"

namespace mlir::trn {

/// Changes `schedule`, the plan of `kernel`, if the kernel and its neighbours
/// in launches take less time then: what loops stream from HBM gets more slots.
/// Weights arrive while the kernel before ends, and while a norm lets the
/// tensor engine wait. Returns whether anything changed.
bool fitLaunch(func::FuncOp kernel, planning::Schedule &schedule,
               LaunchTimer &timer, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_LIB_PIPELINES_FITLAUNCH_H
