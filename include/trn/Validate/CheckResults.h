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

/// A computed value and its reference.
struct CheckedValue {
  std::string name;
  const HostTensor &actual;
  const HostTensor &expected;
  /// The compiler may have been told to return the transpose.
  bool mayFlip = false;
};

/// Prints to `os` the distance of each value of `entry` from its reference. A
/// distance above `tolerance` is an error.
LogicalResult checkResults(func::FuncOp entry, ArrayRef<CheckedValue> values,
                           double tolerance, llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_VALIDATE_CHECKRESULTS_H
