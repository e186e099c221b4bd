//===- TryAdvice.h - Is a run faster if one does it? ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_TRYADVICE_H
#define TRN_LIB_RUN_TRYADVICE_H

#include "trn/Decode/Decode.h"
#include "trn/Report/Report.h"
#include "trn/Run/RunOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::trn {

/// Goes through `report.findings`, which are there: options and plans that may
/// help are compiled and simulated on copies of `source`, the module as it
/// came, which became `kernels`. What the compiler has chosen from all that
/// there is gets no advice. Of `options` entry, compiler and machine count.
void tryAdvice(Report &report, ArrayRef<DecodedKernel> kernels, ModuleOp source,
               const RunOptions &options);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_TRYADVICE_H
