//===- Finding.h - One thing that costs time --------------------*- C++ -*-===//
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

/// One thing that costs time in a run, how much, and what to do about it.
/// docs/Findings.md lists the causes.
struct Finding {
  /// `short_rows` and so on.
  std::string cause;
  /// The matrix or buffer that it is about, if it is about one.
  std::string subject = {};
  /// Empty: it lies between kernels.
  std::string kernel = {};
  std::string location = {};
  /// What is there, in numbers.
  std::string evidence = {};
  /// What to do; empty if nobody knows better.
  std::string advice = {};
  /// The latency of the whole run without it, in picoseconds: if one follows
  /// the advice, where that was tried, else if it cost nothing.
  int64_t latencyWithout = 0;
  bool isTried = false;
  /// If it was tried: what `--compile` is to be, and the plan that
  /// `trn.schedule` of the kernel is to have.
  std::optional<std::string> compile = std::nullopt;
  std::string schedule = {};
};

} // namespace mlir::trn

#endif // TRN_REPORT_FINDING_H
