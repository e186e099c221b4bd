//===- Sweep.h - Time many variants of a module -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SWEEP_SWEEPPOINT_H
#define TRN_LIB_SWEEP_SWEEPPOINT_H

#include "SweepSpec.h"
#include "trn/Report/Report.h"

namespace mlir::trn {

/// One point of a sweep: what was set, and the report or the reason why there
/// is none.
struct SweepPoint {
  std::vector<SweepSetting> settings;
  std::optional<Report> report;
  std::string error;
  /// Where that is, as text; may be empty.
  std::string errorLocation;
  /// What does not keep within a `trn.budget`.
  std::vector<std::string> overBudget;
  /// The blocks of each kernel that the compiler made: `blocks m=256 | n=512`.
  std::string chosen;
  /// Numbers from elsewhere, in the order in which they are shown.
  std::vector<std::pair<std::string, std::optional<double>>> joined;
};

/// The key of points of several modules: the name of each one's file.
constexpr llvm::StringLiteral fileKey = "file";
/// The value of a dimension that the module of a point does not have.
constexpr llvm::StringLiteral noValue = "-";

/// Aligned columns, the least latency of what computes the same marked.
void printTable(ArrayRef<SweepPoint> points, llvm::raw_ostream &os);

/// One line for each point with every number of its report.
void printCsv(ArrayRef<SweepPoint> points, llvm::raw_ostream &os);

/// `{"sweep": [{"point": {key: value}, "report": {}} or {"point": {},
/// "error": ""}]}`; beside a report that exceeds a budget stands "over_budget",
/// beside a point what belongs to it, "joined": {name: number}. A dimension
/// that a module does not have is no key of its points.
void printJson(ArrayRef<SweepPoint> points, llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_LIB_SWEEP_SWEEPPOINT_H
