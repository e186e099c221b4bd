//===- Keys.h - The keys and values of a report -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_KEYS_H
#define TRN_REPORT_KEYS_H

#include "trn/Report/Report.h"
#include "llvm/Support/JSON.h"

namespace mlir::trn {

/// The better values of a number.
enum class Better : uint8_t {
  Less,
  More,
  /// It is not a number.
  Neither,
};

/// One key of a report and the function for its value, which is null if absent.
struct MetricKey {
  llvm::StringRef name;
  Better better;
  llvm::json::Value (*value)(const Metrics &metrics, const Machine &machine);
  /// It may have a limit, but does not decide which of two runs is better.
  bool isNeutral = false;
};

/// Keys of sums of calls and of every kernel, in the order of printing.
llvm::ArrayRef<MetricKey> metricKeys();

/// Null if there is no such key.
const MetricKey *findMetricKey(llvm::StringRef name);

/// Keys in the order of printing. A value is a number, a text, two numbers
/// (`latency_range_ms`), an object of numbers (`instruction_counts`), or a
/// table. A table is an object of such objects (`engine_waits`) or an array of
/// them (`critical_path`, `cores`, `top_ops`, `buffers`, `host_ops`).
using Entries = std::vector<std::pair<std::string, llvm::json::Value>>;

/// The values of `metricKeys()` that are not null.
Entries metricEntries(const Metrics &metrics, const Machine &machine);

/// Further entries of a kernel: its name, calls, schedule, ops and buffers.
Entries kernelEntries(const KernelReport &kernel);

/// A table: `op`, `location`, `count`, `executions`, `bytes`.
llvm::json::Value hostOpRows(llvm::ArrayRef<HostOpUse> ops);

/// A table: `cause`, `percent` of `latency`, `evidence`, `try` and so on.
llvm::json::Value findingRows(llvm::ArrayRef<Finding> findings,
                              int64_t latency);

/// A finding as a line: cost, cause and remedy.
std::string describeFinding(const Finding &finding, int64_t latency);
/// Costs without a known remedy: `a 3.0 %, b 1.2 %`.
std::string describeRest(llvm::ArrayRef<Finding> findings, int64_t latency);
/// The distance to the bound, and the composition of the critical path.
std::string describeBound(const Metrics &metrics, const Machine &machine);

/// A number, a text or two numbers for people: `12,345,678`, `11.5`,
/// `11 to 12`.
std::string formatValue(const llvm::json::Value &value);

} // namespace mlir::trn

#endif // TRN_REPORT_KEYS_H
