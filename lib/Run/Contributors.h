//===- Contributors.h - What makes up a number of a report ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_CONTRIBUTORS_H
#define TRN_LIB_RUN_CONTRIBUTORS_H

#include "trn/Decode/Decode.h"
#include "trn/Report/Report.h"

namespace mlir::trn {

/// An op or a buffer that adds to a number of the report.
struct Contributor {
  /// Comparable with that of the other contributors to the same number.
  int64_t share;
  std::string text;
  Location location;
};

/// Adds what `kernel` holds that contributes to the number `key`: the ops on
/// the critical path to a time, products to FLOPs, buffers in HBM to traffic,
/// buffers on chip that are live at the peak to their memory.
void addContributors(StringRef key, const DecodedKernel &kernel,
                     const KernelReport &report, const Machine &machine,
                     SmallVectorImpl<Contributor> &contributors);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_CONTRIBUTORS_H
