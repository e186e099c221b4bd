//===- SummarizeRun.cpp - The numbers of a run ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SummarizeRun.h"

#include "ListHostOps.h"
#include "RunLaunches.h"
#include "Stopwatch.h"
#include "trn/Findings/Findings.h"
#include "trn/Page/RecordedTimeline.h"
#include "trn/Report/Trace.h"
#include "trn/Simulator/Simulator.h"

using namespace mlir;
using namespace mlir::trn;

Report mlir::trn::summarizeRun(func::FuncOp entry, const Executable &executable,
                               const Machine &machine, int64_t findingSteps) {
  Stopwatch watch;
  SimulationOptions options;
  options.criticalPath = true;
  SmallVector<const Program *> programs = getPrograms(executable);
  LaunchSimulator simulator(programs, machine, options);
  SmallVector<RecordedCall> recorded = identifyCalls(entry, executable);
  SmallVector<KernelCall> calls;
  for (const RunLaunch &launch : findLaunches(recorded, programs))
    for (auto [index, call, simulation] :
         llvm::enumerate(launch.calls, simulator.simulate(launch))) {
      const DecodedKernel &kernel = executable.getKernels()[call.kernel];
      calls.push_back(
          {&kernel.program, simulation, call.arguments, kernel.modelFlops,
           kernel.schedule, kernel.plan ? &*kernel.plan : nullptr,
           /*beginsLaunch=*/index == 0 && !launch.continues, call.offsets});
    }
  double seconds = watch.seconds();

  Report report = makeReport(calls, machine);
  // Of a logical core, what costs the latency is what the later core does.
  if (findingSteps > 0)
    report.findings = findCosts(
        llvm::map_to_vector(calls, [](auto &call) { return lastCoreOf(call); }),
        machine, findingSteps);
  listHostOps(report, entry);
  report.host = {{"simulate_s", seconds},
                 {"simulated_instructions_per_s",
                  seconds > 0 ? simulator.stepped / seconds : 0},
                 {"repeated_calls", double(simulator.repeated)}};
  return report;
}

/// Tells a `TimelineSink` that takes launches about all of them in order, the
/// critical path included.
template <typename Timeline>
static void tellTimeline(func::FuncOp entry, const Executable &executable,
                         const Machine &machine, Timeline &timeline) {
  SimulationOptions options;
  options.timeline = &timeline;
  options.criticalPath = options.pathSteps = true;
  SmallVector<const Program *> programs = getPrograms(executable);
  SmallVector<RecordedCall> recorded = identifyCalls(entry, executable);
  for (const RunLaunch &found : findLaunches(recorded, programs)) {
    Machine own = machineOf(found, machine);
    Launch launch = joinLaunch(found, programs, own);
    SmallVector<typename Timeline::Schedule> schedules;
    for (const RecordedCall &call : found.calls)
      schedules.push_back(executable.getKernels()[call.kernel].schedule);
    timeline.beginLaunch(launch, own);
    options.others = timeline.otherCores();
    timeline.endLaunch(simulateLaunch(launch, own, options), schedules);
  }
}

void mlir::trn::printTrace(func::FuncOp entry, const Executable &executable,
                           const Report &report, llvm::raw_ostream &os) {
  TraceWriter trace(os, ("@" + entry.getSymName()).str(), report.machine);
  tellTimeline(entry, executable, report.machine, trace);
  trace.finish();
}

llvm::json::Value mlir::trn::recordTimeline(func::FuncOp entry,
                                            const Executable &executable,
                                            const Report &report) {
  RecordedTimeline timeline;
  tellTimeline(entry, executable, report.machine, timeline);
  return timeline.toJson();
}

void mlir::trn::printPage(func::FuncOp entry, const Executable &executable,
                          const Report &report,
                          const std::optional<SourceText> &source,
                          llvm::raw_ostream &os) {
  std::string name = ("@" + entry.getSymName()).str();
  HtmlPage page;
  page.title = name + " on " + report.machine.name;
  page.reports.push_back(
      {name, toJson(report), recordTimeline(entry, executable, report)});
  page.module = source;
  printHtml(page, os);
}
