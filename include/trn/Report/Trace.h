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
#include <memory>
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

/// Writes the Trace Event Format for https://ui.perfetto.dev and
/// chrome://tracing. There is a track for each engine and DMA queue, and there
/// are counters for SBUF bytes, PSUM banks and DMA throughput. With a critical
/// path, flows connect its steps. The other core of a logical one is a process
/// with tracks alone. Launches follow each other on one time axis. Events are
/// written as they come; only counters are kept.
/// ```
/// TraceWriter trace(os, "@main", machine);
/// trace.beginLaunch(launch, machine);
/// result = simulateLaunch(launch, machine, {&trace, trace.otherCores()});
/// trace.endLaunch(result, schedules);
/// trace.finish();
/// ```
/// Schedules are names and values that tell how each kernel was compiled.
class TraceWriter final : public TimelineSink {
public:
  /// `function` is the one that runs.
  TraceWriter(llvm::raw_ostream &os, llvm::StringRef function,
              const Machine &machine);

  using Schedule = llvm::ArrayRef<std::pair<std::string, std::string>>;

  /// `launch` must stay valid until its end.
  void beginLaunch(const Launch &launch, const Machine &machine);
  void endLaunch(const LaunchResult &result,
                 llvm::ArrayRef<Schedule> schedules = {});
  void finish();

  /// Sinks of the current launch, by `Program::others`.
  llvm::ArrayRef<TimelineSink *> otherCores() const { return otherSinks; }

  void instruction(const TimelineEvent &event) override;
  void lifetime(const SlotLifetime &lifetime) override;

private:
  /// A change of a counter at a point in time.
  struct Change {
    int64_t time;
    int64_t delta;
    int64_t bank;
  };

  /// What a core needs of its own. Its tracks are those of a process.
  struct Core {
    int process = 1;
    /// By instruction of the current launch: name and arguments of its events.
    std::vector<std::string> texts = {};
    /// By engine: where its last event ended. Events of a track must not
    /// overlap, which transfers to different partitions may do.
    std::array<int64_t, numEngines> lastEnd = {};
    bool hasCollectives = false;
  };
  class OtherCore final : public TimelineSink {
  public:
    explicit OtherCore(TraceWriter &writer) : writer(writer) {}
    void instruction(const TimelineEvent &event) override {
      writer.writeEvent(event, core);
    }
    Core core;

  private:
    TraceWriter &writer;
  };

  llvm::raw_ostream &next();
  void nameProcess(const Core &core);
  void begin(Core &core, llvm::ArrayRef<const Program *> programs);
  void describe(const Program &kernel, Core &core);
  /// Where it is drawn.
  int64_t writeEvent(const TimelineEvent &event, Core &core);
  void writeKernel(const Program &program, const SimulationResult &result,
                   Schedule schedule, int64_t start);
  void nameTrack(const Core &core, int track, llvm::StringRef name);
  void writeCounter(llvm::StringRef name, llvm::StringRef unit,
                    std::vector<Change> &changes, bool countBanks);
  void writeThroughput();
  void writeFlows(const CriticalPath &path);
  /// One end of a flow: `s` begins it, `f` ends it.
  void writeFlowEnd(llvm::StringRef phase, const PathStep &step);

  llvm::raw_ostream &os;
  std::string title;
  const Launch *launch = nullptr;
  const Machine *machine = nullptr;
  /// Start of the current launch on the common time axis.
  int64_t origin = 0;
  bool isFirst = true;
  Core core;
  /// Of all launches so far, and the sinks of the current one.
  std::vector<std::unique_ptr<OtherCore>> others;
  std::vector<TimelineSink *> otherSinks;
  /// In the current launch, by instruction and start: the start as drawn.
  std::map<std::pair<int32_t, int64_t>, int64_t> moved;
  int64_t flows = 0;
  std::vector<Change> sbufBytes, psumTiles;
  TransferRate transferred;
};

} // namespace mlir::trn

#endif // TRN_REPORT_TRACE_H
