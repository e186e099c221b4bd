//===- Trace.h - Timelines for Perfetto and Chrome --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_TRACE_H
#define TRN_REPORT_TRACE_H

#include "trn/Report/TransferRate.h"
#include "trn/Simulator/Timeline.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <map>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::trn {

struct CriticalPath;
struct Launch;
struct LaunchResult;
struct LaunchPart;
struct Machine;
struct PathStep;
struct Program;
struct SimulationResult;

/// Writes the Trace Event Format, which https://ui.perfetto.dev and
/// chrome://tracing open: a track for each engine and DMA queue, counters for
/// SBUF bytes, PSUM banks and DMA throughput, and, if the critical path was
/// followed, a flow from each of its steps to the next. Launches follow each
/// other on one time axis. Events are written as they come; only the counters
/// are kept.
///
///     TraceWriter trace(os, "@main", machine);
///     trace.beginLaunch(launch, machine);
///     result = simulateLaunch(launch, machine, {&trace});
///     trace.endLaunch(result, schedules);
///     trace.finish();
///
/// The schedules say how each kernel was compiled: names and values.
class TraceWriter final : public TimelineSink {
public:
  /// `function` is what runs.
  TraceWriter(llvm::raw_ostream &os, llvm::StringRef function,
              const Machine &machine);

  using Schedule = llvm::ArrayRef<std::pair<std::string, std::string>>;

  /// `launch` must stay until its end.
  void beginLaunch(const Launch &launch, const Machine &machine);
  void endLaunch(const LaunchResult &result,
                 llvm::ArrayRef<Schedule> schedules = {});
  void finish();

  void instruction(const TimelineEvent &event) override;
  void lifetime(const SlotLifetime &lifetime) override;

private:
  /// A change of a counter at a point in time.
  struct Change {
    int64_t time;
    int64_t delta;
    int64_t bank;
  };

  llvm::raw_ostream &next();
  void describe(const LaunchPart &part);
  void writeKernel(const Program &program, const SimulationResult &result,
                   Schedule schedule, int64_t start);
  void nameTrack(int track, llvm::StringRef name);
  void writeCounter(llvm::StringRef name, llvm::StringRef unit,
                    std::vector<Change> &changes, bool countBanks);
  void writeThroughput();
  void writeFlows(const CriticalPath &path);
  /// One end of a flow: `s` begins it, `f` ends it.
  void writeFlowEnd(llvm::StringRef phase, const PathStep &step);

  llvm::raw_ostream &os;
  const Launch *launch = nullptr;
  int64_t partitions = 0;
  /// By instruction of the current launch: name and arguments of its events.
  std::vector<std::string> texts;
  /// Where the current launch starts on the common time axis.
  int64_t origin = 0;
  bool isFirst = true, hasCollectives = false;
  /// By engine: where its last event ended. Events of a track must not overlap,
  /// which transfers to different partitions may do.
  std::array<int64_t, numEngines> lastEnd = {};
  /// In the current launch, by instruction and start: where the event was drawn
  /// instead.
  std::map<std::pair<int32_t, int64_t>, int64_t> moved;
  int64_t flows = 0;
  std::vector<Change> sbufBytes, psumTiles;
  TransferRate transferred;
};

} // namespace mlir::trn

#endif // TRN_REPORT_TRACE_H
