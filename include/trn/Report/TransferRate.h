//===- TransferRate.h - Bytes moved over time -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_TRANSFERRATE_H
#define TRN_REPORT_TRANSFERRATE_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace mlir::trn {

/// Bytes in bins of equal width, of a run of unknown length: a longer run has
/// wider bins, not more.
class TransferRate {
public:
  /// Spreads `bytes` evenly over [begin, end), in picoseconds.
  void add(int64_t begin, int64_t end, double bytes);

  /// Bytes moved in each bin, from time 0 on.
  llvm::ArrayRef<double> bins() const { return moved; }
  /// Picoseconds.
  int64_t binWidth() const { return width; }

private:
  std::vector<double> moved;
  int64_t width = 1000 * 1000;
};

} // namespace mlir::trn

#endif // TRN_REPORT_TRANSFERRATE_H
