//===- Report.h - Numbers of a simulated run --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Tools.md lists the keys. Text and JSON print one list of keys and
// values, so neither can lack a key of the other.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_REPORT_H
#define TRN_REPORT_REPORT_H

#include "trn/Machine/Machine.h"
#include "trn/Report/Attribution.h"
#include "trn/Report/Finding.h"
#include "trn/Simulator/Simulator.h"

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
class Value;
} // namespace json
} // namespace llvm

namespace mlir::trn {

/// Sums over kernel calls, and maxima of peaks.
struct Metrics {
  /// Latency, busy times, traffic, counts: sums. `totals`, `traffic` and
  /// `criticalPath` are left empty.
  SimulationResult sum;
  FlopsByType flops;
  int64_t hbmLowerBoundBytes = 0;
  /// Cores of the logical core that runs the kernels.
  int64_t cores = 1;
  /// Number of starts of the device by the host.
  int64_t launches = 0;
  PathTimes path;
  /// The latency with the errors of kernels with the same busiest engine, and
  /// with all constants of the machine at the faster and slower ends of their
  /// ranges. For the sum of calls, on request.
  std::optional<std::pair<int64_t, int64_t>> latencyRange;
  /// A bound for any order of instructions: the fixed time of the kernels and
  /// that of their busiest engines. Present with `latencyRange`.
  std::optional<int64_t> anyOrder;

  void add(const KernelCall &call);
  void add(const Metrics &other);
};

struct KernelReport {
  std::string name;
  int64_t calls = 0;
  /// `trn.schedule` of the kernel: its plan, blocks and partial sums.
  std::vector<std::pair<std::string, std::string>> schedule;
  Metrics metrics;
  /// Sums over calls for each core, and its end.
  std::vector<SimulationResult> cores;
  std::vector<OpTimes> ops;
  std::vector<BufferUse> buffers;
};

/// One call of a kernel.
struct CallTime {
  /// Its place in `Report::kernels`.
  size_t kernel;
  /// Picoseconds; the first call of a launch includes the start.
  int64_t latency;
  bool beginsLaunch;
};

/// Ops of one kind at one place of the host code.
struct HostOpUse {
  std::string op;
  /// Empty: several places.
  std::string location = {};
  /// Their number in the module, and their executions together.
  int64_t count = 0;
  int64_t executions = 0;
  /// Operands and results of all executions; absent if a shape is dynamic.
  std::optional<int64_t> bytes = 0;

  void add(const HostOpUse &other);
};

struct Report {
  Machine machine;
  Metrics total;
  /// In the order of their first call.
  std::vector<KernelReport> kernels;
  /// In the order of their execution.
  std::vector<CallTime> calls;
  /// Work between the kernels that no time contains, and work on weights that
  /// happens once, when they are loaded. Filled in by the tool.
  std::vector<HostOpUse> hostOps, loadOps;
  /// Costs, the worst first; absent unless searched for. Filled in by the tool.
  std::optional<std::vector<Finding>> findings;
  /// Work of the host, the only part that differs between runs. Filled in by
  /// the tool: `simulated_instructions_per_s`, `interpret_s`, ...
  std::vector<std::pair<std::string, double>> host;
};

/// Sums up `calls`, which are in execution order.
Report makeReport(llvm::ArrayRef<KernelCall> calls, const Machine &machine);

/// `latency_ms leaves out 3 host ops`; empty if there is none.
std::string describeHostOps(int64_t count);
/// The number of host ops in the module.
int64_t countHostOps(const Report &report);

/// Both write keys in the order of docs/Tools.md.
void printText(const Report &report, llvm::raw_ostream &os);
void printJson(const Report &report, llvm::raw_ostream &os);
/// As one value inside a larger JSON text.
void printJson(const Report &report, llvm::json::OStream &json);
/// The value that `printJson` writes.
llvm::json::Value toJson(const Report &report);

} // namespace mlir::trn

#endif // TRN_REPORT_REPORT_H
