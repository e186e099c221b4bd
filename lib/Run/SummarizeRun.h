//===- SummarizeRun.h - The numbers of a run --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_SUMMARIZERUN_H
#define TRN_LIB_RUN_SUMMARIZERUN_H

#include "trn/Page/Html.h"
#include "trn/Report/Report.h"
#include "trn/Runtime/Runtime.h"

namespace mlir::trn {

/// Simulates the kernels of `executable`, which runs `entry`, and sums up their
/// calls.
Report summarizeRun(func::FuncOp entry, const Executable &executable,
                    const Machine &machine, int64_t findingSteps = 0);

/// Prints a timeline of the run that `report` is about.
void printTrace(func::FuncOp entry, const Executable &executable,
                const Report &report, llvm::raw_ostream &os);

/// That timeline for pages.
llvm::json::Value recordTimeline(func::FuncOp entry,
                                 const Executable &executable,
                                 const Report &report);

/// Prints a page about it, with the text of the module if there is one.
void printPage(func::FuncOp entry, const Executable &executable,
               const Report &report, const std::optional<SourceText> &source,
               llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_SUMMARIZERUN_H
