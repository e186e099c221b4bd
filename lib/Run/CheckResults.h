//===- CheckResults.h - Compare results with references ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_CHECKRESULTS_H
#define TRN_LIB_RUN_CHECKRESULTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "trn/Support/HostTensor.h"
#include <memory>

namespace mlir::trn {

/// Says on `os` how far each of the `results` of `entry` is from its reference.
/// Those that are further away than `tolerance` are errors. If `mayFlip`, the
/// compiler may have been asked to return the transpose.
LogicalResult
checkResults(func::FuncOp entry, ArrayRef<HostTensor> results,
             ArrayRef<std::shared_ptr<const HostTensor>> references,
             double tolerance, bool mayFlip, llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_CHECKRESULTS_H
