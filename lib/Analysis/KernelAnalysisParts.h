//===- KernelAnalysisParts.h - Analysis of one kernel -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_ANALYSIS_KERNELANALYSISPARTS_H
#define TRN_LIB_ANALYSIS_KERNELANALYSISPARTS_H

#include "trn/Analysis/KernelAnalysis.h"

namespace mlir::trn {

struct Costs;

/// Both not negative; the largest number instead of an overflow.
int64_t saturatingMultiply(int64_t a, int64_t b);

bool isInHbm(Value memref);

/// One transfer but for its executions. Buffers of accesses index `memrefs`.
TransferAnalysis analyzeTransfer(Operation *op, const Instruction &instruction,
                                 ArrayRef<Value> memrefs,
                                 const Machine &machine, const Costs &costs);

/// Fills in buffers, peaks, banks, and the pressure of the loops, which are
/// known already.
LogicalResult analyzePressure(func::FuncOp kernel, const Machine &machine,
                              KernelAnalysis &analysis);

} // namespace mlir::trn

#endif // TRN_LIB_ANALYSIS_KERNELANALYSISPARTS_H
