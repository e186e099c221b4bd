//===- CompareSweeps.h - Sweeps side by side --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_COMPARESWEEPS_H
#define TRN_REPORT_COMPARESWEEPS_H

#include "trn/Report/Compare.h"

namespace mlir::trn {

/// Whether the first of `files` is a sweep that `trn-run --report` wrote.
bool areSweeps(llvm::ArrayRef<std::string> files);

/// A line per point with its latency in each sweep, and after all but the first
/// the speed-up. Points that the first sweep lacks come last. Fails for a file
/// that cannot be read, is not JSON, or is no sweep.
llvm::Error compareSweeps(llvm::ArrayRef<std::string> files,
                          llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_REPORT_COMPARESWEEPS_H
