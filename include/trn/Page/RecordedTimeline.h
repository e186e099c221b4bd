//===- RecordedTimeline.h - A timeline for the page -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PAGE_RECORDEDTIMELINE_H
#define TRN_PAGE_RECORDEDTIMELINE_H

#include "trn/Page/Track.h"
#include "trn/Report/BufferContents.h"
#include "trn/Report/TransferRate.h"
#include "trn/Simulator/Timeline.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <memory>

namespace mlir::trn {

struct Buffer;
struct Launch;
struct LaunchPart;
struct LaunchResult;
struct Machine;
struct Program;

/// Records a run, with launches in sequence on one time axis, and the engines
/// of the other core of a logical one. A longer run needs no more memory for
/// events, but a little for each call.
/// ```
/// RecordedTimeline timeline;
/// timeline.beginLaunch(launch, machine);
/// result = simulateLaunch(launch, machine,
///                         {&timeline, timeline.otherCores()});
/// timeline.endLaunch(result, schedules);
/// ```
class RecordedTimeline final : public TimelineSink {
public:
  /// Events kept exactly, per engine and per slot of an on-chip buffer.
  struct Limits {
    size_t events = size_t(1) << 19;
    size_t lifetimes = size_t(1) << 15;
  };
  RecordedTimeline() : RecordedTimeline(Limits()) {}
  explicit RecordedTimeline(const Limits &limits);

  using Schedule = llvm::ArrayRef<std::pair<std::string, std::string>>;

  /// Programs are identified by address. `launch` must stay valid until its
  /// end.
  void beginLaunch(const Launch &launch, const Machine &machine);
  void endLaunch(const LaunchResult &result,
                 llvm::ArrayRef<Schedule> schedules = {});

  /// Sinks of the current launch, by `Program::others`.
  llvm::ArrayRef<TimelineSink *> otherCores() const { return otherSinks; }

  void instruction(const TimelineEvent &event) override;
  void lifetime(const SlotLifetime &lifetime) override;

  /// The input of lib/Page/Html/timeline.js, whose comment lists the members.
  llvm::json::Value toJson() const;

private:
  /// Positions in the tables for one program, at one end of the chip's memory.
  struct Tables {
    int64_t firstOp;
    /// By buffer: its first slot in `slots`.
    std::vector<int64_t> firstSlot;
  };
  /// What the engines of a core did.
  struct Core {
    explicit Core(size_t limit)
        : engines(numEngines, Track(limit)),
          throttled(numEngines, Track(limit)) {}
    /// `kind` is that of the op times `numWaitReasons`.
    void add(const TimelineEvent &event, int64_t origin, int64_t op);

    std::vector<Track> engines;
    /// By engine: when its throttle made it run at half rate.
    std::vector<Track> throttled;
  };
  class OtherCore final : public TimelineSink {
  public:
    OtherCore(RecordedTimeline &timeline, int64_t number)
        : core(timeline.limits.events), number(number), timeline(timeline) {}
    void instruction(const TimelineEvent &event) override;

    Core core;
    const int64_t number;
    /// Of the current launch.
    const Program *program = nullptr;

  private:
    RecordedTimeline &timeline;
  };

  /// The first op of `program`, which runs on core `core`, in `ops`.
  int64_t enterOps(const Program &program, int64_t core);
  const Tables &enter(const LaunchPart &part, bool atFarEnd,
                      const Machine &machine);
  void enterBuffers(const LaunchPart &part, const Machine &machine,
                    Tables &tables);
  /// The row of an instruction of the launch in `ops`.
  int64_t findOp(int32_t instruction) const;
  /// The position of a matrix in `matrices`; adds a new one.
  int64_t place(const HeldMatrix &matrix);

  Limits limits;
  std::map<std::pair<const Program *, bool>, Tables> known;
  const Launch *launch = nullptr;
  /// By part of the launch.
  std::vector<const Tables *> tables;
  int64_t origin = 0, overhead = 0;
  int64_t partitions = 0, sbufPartitionBytes = 0, psumBanks = 0;
  double dmaBytesPerNs = 0;
  llvm::json::Array ops, buffers, kernels, matrices;
  std::map<std::pair<std::string, bool>, int64_t> places;

  Core core;
  /// Of all launches so far, and the sinks of the current one.
  std::vector<std::unique_ptr<OtherCore>> others;
  std::vector<TimelineSink *> otherSinks;
  /// By program of another core: its first op in `ops`.
  std::map<const Program *, int64_t> otherOps;
  std::vector<Track> slots;
  /// Executions on the critical path.
  Track path;
  TransferRate loads, stores;
};

} // namespace mlir::trn

#endif // TRN_PAGE_RECORDEDTIMELINE_H
