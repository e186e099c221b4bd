//===- AnalyzeKernel.h - The limits of a kernel -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_ANALYZEKERNEL_H
#define TRN_ANALYSIS_ANALYZEKERNEL_H

#include "trn/Analysis/KernelAnalysis.h"

namespace mlir::trn {

/// Emits an error for anything that does not belong in a kernel.
FailureOr<KernelAnalysis> analyzeKernel(func::FuncOp kernel,
                                        const Machine &machine);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_ANALYZEKERNEL_H
