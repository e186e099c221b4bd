//===- SummarizeRun.cpp - The numbers of a run ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SummarizeRun.h"

#include "ListHostOps.h"
#include "Stopwatch.h"
#include "trn/Findings/Findings.h"
#include "trn/Page/RecordedTimeline.h"
#include "trn/Report/Trace.h"
#include "trn/Simulator/Simulator.h"

using namespace mlir;
using namespace mlir::trn;

/// The calls of a run, with numbers for the matrices that they are given. Those
/// of a trace are the matrices of the code; addresses, which are left where the
/// order of calls depends on values, may be used again for another matrix.
static SmallVector<RecordedCall> identifyCalls(func::FuncOp entry,
                                               const Executable &executable) {
  SmallVector<RecordedCall> calls(executable.getCalls());
  ScopedDiagnosticHandler untold(entry.getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<SmallVector<RecordedCall>> traced =
      traceCalls(entry, executable.getHostCode());
  auto isSame = [](const auto &a, const auto &b) {
    return a.kernel == b.kernel;
  };
  if (succeeded(traced) && llvm::equal(calls, *traced, isSame))
    return std::move(*traced);
  return calls;
}

Report mlir::trn::summarizeRun(func::FuncOp entry, const Executable &executable,
                               const Machine &machine, int64_t findingSteps) {
  // Every call of a kernel takes the same time: one simulation for each.
  std::vector<SimulationResult> simulations;
  Stopwatch watch;
  int64_t stepped = 0;
  SimulationOptions options;
  options.criticalPath = true;
  for (const DecodedKernel &kernel : executable.getKernels()) {
    simulations.push_back(simulate(kernel.program, machine, options));
    stepped += simulations.back().instructions;
  }
  double seconds = watch.seconds();

  SmallVector<RecordedCall> recorded = identifyCalls(entry, executable);
  SmallVector<KernelCall> calls;
  for (const RecordedCall &call : recorded) {
    const DecodedKernel &kernel = executable.getKernels()[call.kernel];
    calls.push_back({&kernel.program, &simulations[call.kernel], call.arguments,
                     kernel.modelFlops, kernel.schedule,
                     kernel.plan ? &*kernel.plan : nullptr});
  }
  Report report = makeReport(calls, machine);
  if (findingSteps > 0)
    report.findings = findCosts(calls, machine, findingSteps);
  listHostOps(report, entry);
  report.host = {
      {"simulate_s", seconds},
      {"simulated_instructions_per_s", seconds > 0 ? stepped / seconds : 0}};
  return report;
}

/// Tells a `TimelineSink` that takes kernels about all calls in order, the
/// critical path included.
template <typename Timeline>
static void simulateCalls(const Executable &executable, const Machine &machine,
                          Timeline &timeline) {
  SimulationOptions options;
  options.timeline = &timeline;
  options.criticalPath = options.pathSteps = true;
  for (const RecordedCall &call : executable.getCalls()) {
    const DecodedKernel &kernel = executable.getKernels()[call.kernel];
    timeline.beginKernel(kernel.program, machine);
    timeline.endKernel(simulate(kernel.program, machine, options),
                       kernel.schedule);
  }
}

void mlir::trn::printTrace(func::FuncOp entry, const Executable &executable,
                           const Report &report, llvm::raw_ostream &os) {
  TraceWriter trace(os, ("@" + entry.getSymName()).str(), report.machine);
  simulateCalls(executable, report.machine, trace);
  trace.finish();
}

void mlir::trn::printPage(func::FuncOp entry, const Executable &executable,
                          const Report &report,
                          const std::optional<SourceText> &source,
                          llvm::raw_ostream &os) {
  RecordedTimeline timeline;
  simulateCalls(executable, report.machine, timeline);
  std::string name = ("@" + entry.getSymName()).str();
  HtmlPage page;
  page.title = name + " on " + report.machine.name;
  page.reports.push_back({name, toJson(report), timeline.toJson()});
  page.module = source;
  printHtml(page, os);
}
