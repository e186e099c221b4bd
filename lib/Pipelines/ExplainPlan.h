//===- ExplainPlan.h - Remarks about plans ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PIPELINES_EXPLAINPLAN_H
#define TRN_LIB_PIPELINES_EXPLAINPLAN_H

#include "ChooseCut.h"

namespace mlir::trn {

/// Says why the plan of `kernel` is what it is.
void explainPlan(func::FuncOp kernel, const search::FoundPlan &found,
                 const Machine &machine);

/// Says which plan `kernel` has beside other kernels of a launch.
void explainFit(func::FuncOp kernel, const planning::Schedule &schedule);

/// Says where `kernel` is cut and what that gains.
void explainCut(func::FuncOp kernel, const search::FoundPlan &whole,
                const ChosenCut &chosen, func::FuncOp first,
                func::FuncOp second);

} // namespace mlir::trn

#endif // TRN_LIB_PIPELINES_EXPLAINPLAN_H
