//===- Finding.h - A cost in a run ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_FINDING_H
#define TRN_REPORT_FINDING_H

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::trn {

/// A cost in a run, its size, and a remedy. docs/Findings.md lists the causes.
struct Finding {
  /// `short_rows` and so on.
  std::string cause;
  /// Its matrix or buffer, if it concerns one.
  std::string subject = {};
  /// Empty: it is between kernels.
  std::string kernel = {};
  std::string location = {};
  /// The facts, in numbers.
  std::string evidence = {};
  /// The remedy; empty if there is none.
  std::string advice = {};
  /// Picoseconds of the whole run without the cost: with the remedy, if that
  /// was tried, else as if it took no time.
  int64_t latencyWithout = 0;
  bool isTried = false;
  /// If tried: the new `--compile`, and the new plan in the kernel's
  /// `trn.schedule`.
  std::optional<std::string> compile = std::nullopt;
  std::string schedule = {};
};

} // namespace mlir::trn

#endif // TRN_REPORT_FINDING_H
