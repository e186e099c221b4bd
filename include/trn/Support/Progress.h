//===- Progress.h - A progress bar ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_PROGRESS_H
#define TRN_SUPPORT_PROGRESS_H

#include <chrono>
#include <cstddef>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::trn {

/// A progress bar on a terminal, with the remaining time:
/// ```
/// [===========>            ] 12/25, 8 s left
/// ```
/// Writes nothing if `os` is no terminal. The line is gone at the end.
class ProgressBar {
public:
  explicit ProgressBar(llvm::raw_ostream &os);

  /// `done` of `total` steps are done; 0 begins anew.
  void show(size_t done, size_t total);

private:
  using Clock = std::chrono::steady_clock;

  llvm::raw_ostream &os;
  bool isTerminal;
  Clock::time_point start = Clock::now();
};

} // namespace mlir::trn

#endif // TRN_SUPPORT_PROGRESS_H
