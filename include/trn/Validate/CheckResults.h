//===- CheckResults.h - Compare results with references ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_VALIDATE_CHECKRESULTS_H
#define TRN_VALIDATE_CHECKRESULTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "trn/Support/HostTensor.h"
#include <string>

namespace mlir::trn {

/// What a run has computed, and what it should have.
struct CheckedValue {
  std::string name;
  const HostTensor &actual;
  const HostTensor &expected;
  /// The compiler may have been asked to return the transpose.
  bool mayFlip = false;
};

/// Says on `os` how far each value of `entry` is from its reference. Those that
/// are further away than `tolerance` are errors.
LogicalResult checkResults(func::FuncOp entry, ArrayRef<CheckedValue> values,
                           double tolerance, llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_VALIDATE_CHECKRESULTS_H
