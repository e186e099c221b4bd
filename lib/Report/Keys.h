//===- Keys.h - The keys and values of a report -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_REPORT_KEYS_H
#define TRN_LIB_REPORT_KEYS_H

#include "trn/Report/Report.h"
#include "llvm/Support/JSON.h"

namespace mlir::trn {

/// Keys in the order of printing. A value is a number, a text, or for
/// `instruction_counts` an object of numbers.
using Entries = std::vector<std::pair<std::string, llvm::json::Value>>;

/// What the sums of calls and every kernel have.
Entries metricEntries(const Metrics &metrics, const Machine &machine);

/// What a kernel has beside: its name, calls and schedule.
Entries kernelEntries(const KernelReport &kernel);

} // namespace mlir::trn

#endif // TRN_LIB_REPORT_KEYS_H
