//===- Budget.h - Compare reports with budgets ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_BUDGET_H
#define TRN_LIB_RUN_BUDGET_H

#include "trn/Decode/Decode.h"
#include "trn/Report/Report.h"

namespace mlir::trn {

/// A number of the report that its `trn.budget` does not allow.
struct BudgetExcess {
  func::FuncOp function;
  std::string key;
  /// For people.
  std::string value;
  std::string limit;
  /// The value is above the limit, not below.
  bool isAbove;

  /// `latency_ms of @main is 12.1, but its budget allows at most 11`.
  std::string explain();
  /// `latency_ms of @main 12.1 > 11`.
  std::string summarize();
};

/// Compares the budget of each kernel with what the report says about all its
/// calls, and the budget of `entry` with the totals.
SmallVector<BudgetExcess> findExcesses(func::FuncOp entry,
                                       ArrayRef<DecodedKernel> kernels,
                                       const Report &report);

/// Emits each excess as an error whose notes name what contributes most.
LogicalResult checkBudgets(func::FuncOp entry, ArrayRef<DecodedKernel> kernels,
                           const Report &report);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_BUDGET_H
