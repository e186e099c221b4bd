//===- PathTracker.cpp - Follows the critical path ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathTracker.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir::trn;

/// Executions of each engine over the whole program.
static std::array<int64_t, numEngines> countExecutions(const Program &program) {
  std::array<int64_t, numEngines> counts = {};
  std::vector<int64_t> repeats = {1};
  for (const Step &step : program.steps)
    if (step.kind == Step::Kind::BeginLoop)
      repeats.push_back(repeats.back() * program.loops[step.index].tripCount);
    else if (step.kind == Step::Kind::EndLoop)
      repeats.pop_back();
    else if (step.kind == Step::Kind::Execute)
      counts[static_cast<int>(program.instructions[step.index].engine)] +=
          repeats.back();
  return counts;
}

PathTracker::PathTracker(const Program &program, const Costs &costs,
                         size_t groups, int64_t window, int64_t limit,
                         bool keepsSteps)
    : program(program), semaphore(costs.semaphore),
      dmaLatency(costs.dmaLatency), groups(groups),
      window(std::max<int64_t>(std::min(window, limit), 2)),
      limit(std::max<int64_t>(limit, 2)), keepsSteps(keepsSteps),
      remaining(countExecutions(program)), latestDone(costs.kernelOverhead) {
  folded.kernelOverhead = costs.kernelOverhead;
  folded.instructions.resize(program.instructions.size());
  for (int engine = 0; engine < numEngines; ++engine)
    engineOfTrack.resize(track(static_cast<Engine>(engine), groups),
                         static_cast<Engine>(engine));
  tracks.resize(engineOfTrack.size());
  last.assign(tracks.size(), start);
  for (Release &trigger : triggers)
    trigger = {start, costs.kernelOverhead};
  progress.fill(costs.kernelOverhead);
  records.reserve(this->window + groups);
  records.push_back({0, 0, costs.kernelOverhead, root, -1, 0, false, false, 0});
}

/// Engines that compute have one track, whatever `group`.
size_t PathTracker::track(Engine engine, size_t group) const {
  size_t queue = static_cast<size_t>(engine);
  size_t firstQueue = static_cast<size_t>(Engine::Load);
  return queue < firstQueue
             ? queue + (group > 0)
             : firstQueue + (queue - firstQueue) * groups + group;
}

/// The latest entry whose `time` is the given one; null if there is none.
template <typename Entry>
static const Entry *findTime(const std::vector<Entry> &entries,
                             int64_t Entry::*key, int64_t time) {
  // Mostly it is one of the latest.
  size_t step = 1, end = entries.size(), begin = end;
  while (begin > 0 && entries[begin - 1].*key > time) {
    end = begin;
    begin -= std::min(step, begin);
    step *= 2;
  }
  auto found = std::partition_point(
      entries.begin() + begin, entries.begin() + end,
      [&](const Entry &entry) { return entry.*key <= time; });
  if (found == entries.begin())
    return nullptr;
  const Entry *latest = &*std::prev(found);
  return latest->*key == time ? latest : nullptr;
}

PathTracker::Release PathTracker::find(const Hazards::Cause &cause) const {
  for (int engine = 0; engine < numEngines; ++engine) {
    if (!(cause.engines & (1u << engine)))
      continue;
    size_t begin = track(static_cast<Engine>(engine), 0);
    size_t end =
        isDma(static_cast<Engine>(engine)) ? begin + groups : begin + 1;
    for (size_t i = begin; i < end; ++i)
      for (bool byEnd : {cause.isRead, !cause.isRead})
        if (const Entry *entry = findTime(
                tracks[i], byEnd ? &Entry::end : &Entry::done, cause.time))
          return {entry->record, cause.time, cause.bySemaphore};
  }
  return {lost, cause.time, cause.bySemaphore};
}

int32_t PathTracker::add(size_t track, int32_t instruction,
                         const Release &release, bool isTriggered, int64_t busy,
                         int64_t lostTime, int64_t end) {
  records.push_back({release.time, busy, end, release.from, instruction,
                     static_cast<int32_t>(lostTime), release.bySemaphore,
                     isTriggered, static_cast<int16_t>(track)});
  return records.size() - 1;
}

void PathTracker::enter(size_t track, int32_t record, int64_t end,
                        int64_t done) {
  // Instructions complete in order. What does not is not found later, and the
  // result says so.
  std::vector<Entry> &entries = tracks[track];
  if (entries.empty() ||
      (end >= entries.back().end && done >= entries.back().done))
    entries.push_back({end, done, record});
  if (done > latestDone) {
    latestDone = done;
    latest = record;
  }
}

void PathTracker::compute(const TimelineEvent &event,
                          std::optional<Hazards::Cause> cause) {
  int queue = static_cast<int>(event.engine);
  size_t own = track(event.engine, 0);
  Release release = cause ? find(*cause) : Release{last[own], progress[queue]};
  last[own] = add(own, event.instruction, release, /*isTriggered=*/false,
                  event.end - event.start, event.lost, event.end);
  enter(own, last[own], event.end, event.done);
  progress[queue] = event.end;
  --remaining[queue];
  if (records.size() >= window)
    fold();
}

void PathTracker::trigger(Engine queue, const Hazards::Cause &cause) {
  triggers[queue == Engine::Load ? 0 : 1] = find(cause);
  progress[static_cast<int>(queue)] =
      cause.time + (cause.bySemaphore ? semaphore : 0);
}

void PathTracker::transfer(const TimelineEvent &event,
                           llvm::ArrayRef<DmaEngines::Share> shares,
                           std::optional<Hazards::Cause> cause) {
  int queue = static_cast<int>(event.engine);
  Release ready =
      cause ? find(*cause) : triggers[event.engine == Engine::Load ? 0 : 1];
  // A transfer is done when its last share is.
  int32_t lastShare = lost;
  size_t lastTrack = track(event.engine, 0);
  for (const DmaEngines::Share &share : shares) {
    size_t own = track(event.engine, share.group);
    // Behind the previous transfer, or as soon as it could move?
    bool inQueue = share.queueEnd >= share.ready;
    Release release = inQueue ? Release{last[own], share.queueEnd} : ready;
    last[own] = add(own, event.instruction, release, !inQueue && !cause,
                    share.time, /*lostTime=*/0, share.end);
    if (share.done == event.done && lastShare == lost) {
      lastShare = last[own];
      lastTrack = own;
    }
  }
  if (lastShare == lost) // it takes no time
    lastShare =
        add(lastTrack, event.instruction, ready, !cause, 0, 0, event.end);
  enter(lastTrack, lastShare, event.done, event.done);
  --remaining[queue];
  if (records.size() >= window)
    fold();
}

void PathTracker::account(int32_t index, CriticalPath &path) const {
  const Record &record = records[index];
  auto &times = path.instructions[record.instruction];
  auto add = [&](PathReason reason, int64_t time) {
    times[static_cast<int>(reason)] += time;
  };
  int64_t before = record.end - record.released - record.busy;
  Engine engine = program.instructions[record.instruction].engine;
  add(PathReason::Busy, record.busy - record.lostTime);
  if (record.lostTime != 0)
    add(engine == Engine::Scalar ? PathReason::TableSwap : PathReason::Throttle,
        record.lostTime);
  if (before != 0) { // it mostly follows at once
    int64_t handoff = record.bySemaphore ? semaphore : 0;
    int64_t latency = record.isTriggered ? dmaLatency : 0;
    add(PathReason::Semaphore, handoff);
    add(PathReason::DmaLatency, latency);
    add(isDma(engine) ? PathReason::DmaQueue : PathReason::Port,
        before - handoff - latency);
  }

  if (record.parent == start) {
    path.kernelOverhead = record.released;
  } else if (record.parent == lost) {
    path.notFollowed = record.released;
  } else if (const Record &parent = records[record.parent];
             parent.instruction >= 0) {
    path.instructions[parent.instruction]
                     [static_cast<int>(PathReason::ResultLatency)] +=
        record.released - parent.end;
  }
}

/// Everything until the end of `index`.
CriticalPath PathTracker::follow(int32_t index) const {
  CriticalPath path;
  path.instructions.resize(folded.instructions.size());
  for (; index > root; index = records[index].parent)
    account(index, path);
  if (index != root)
    return path;
  path.kernelOverhead = folded.kernelOverhead;
  path.notFollowed = folded.notFollowed;
  for (auto [sum, before] : llvm::zip(path.instructions, folded.instructions))
    for (auto [into, time] : llvm::zip(sum, before))
      into += time;
  return path;
}

/// Adds the steps from the root to a record; a path of its own from the start
/// has none before.
void PathTracker::addSteps(int32_t index) {
  if (!keepsSteps)
    return;
  std::vector<PathStep> steps;
  std::vector<int16_t> stepTracks;
  for (; index > root; index = records[index].parent) {
    const Record &record = records[index];
    steps.push_back({record.instruction, record.released,
                     record.end - record.busy, record.end});
    stepTracks.push_back(record.track);
  }
  if (index != root) {
    foldedSteps.clear();
    foldedTracks.clear();
  }
  foldedSteps.insert(foldedSteps.end(), steps.rbegin(), steps.rend());
  foldedTracks.insert(foldedTracks.end(), stepTracks.rbegin(),
                      stepTracks.rend());
}

CriticalPath PathTracker::finish() {
  CriticalPath path = follow(latest);
  if (records[latest].instruction >= 0)
    path.instructions[records[latest].instruction]
                     [static_cast<int>(PathReason::ResultLatency)] +=
        latestDone - records[latest].end;
  addSteps(latest);
  path.steps = std::move(foldedSteps);
  return path;
}

void PathTracker::mark(int32_t record) {
  if (record >= root)
    kept[record] = 1;
}

int64_t PathTracker::oldestCause() const {
  std::array<int64_t, numEngines> since = progress;
  // A transfer that waits behind the previous ones waits for nothing else.
  for (Engine queue : {Engine::Load, Engine::Store}) {
    int64_t end = INT64_MAX;
    for (auto [engine, record] : llvm::zip(engineOfTrack, last))
      if (engine == queue)
        end = std::min(end, record >= root ? records[record].end : 0);
    int64_t &time = since[static_cast<int>(queue)];
    time = std::max(time, end - dmaLatency);
  }
  int64_t oldest = INT64_MAX;
  for (auto [time, executions] : llvm::zip(since, remaining))
    if (executions > 0)
      oldest = std::min(oldest, time);
  return oldest;
}

/// Marks what can still let an instruction go, and its ancestors down to the
/// latest one that all have in common, which is returned.
int32_t PathTracker::markLive() {
  int64_t oldest = oldestCause();
  for (const std::vector<Entry> &entries : tracks)
    for (const Entry &entry : llvm::reverse(entries)) {
      if (entry.done + semaphore < oldest)
        break;
      mark(entry.record);
    }
  for (auto [engine, record] : llvm::zip(engineOfTrack, last))
    if (remaining[static_cast<int>(engine)] > 0)
      mark(record);
  for (const Release &trigger : triggers)
    mark(trigger.from);
  mark(latest);

  // Parents are older than their children. A path of its own from the start has
  // nothing but the root in common with the others.
  int64_t open = llvm::count(kept, 1);
  int32_t index = records.size() - 1;
  for (; index > root; --index) {
    if (!kept[index])
      continue;
    if (open == 1)
      break;
    int32_t &parent = kept[std::max(records[index].parent, root)];
    open -= parent;
    parent = 1;
  }
  return index;
}

/// Gives up what is older than half of the window, but for the path of what
/// ends last; returns where it leaves the older half.
int32_t PathTracker::markLatest() {
  int32_t half = records.size() / 2, index = latest;
  while (index >= half)
    index = records[index].parent;
  index = std::max(index, root);
  std::fill(kept.begin(), kept.begin() + half, 0);
  std::fill(kept.begin() + half, kept.end(), 1);
  mark(index);
  return index;
}

/// Drops all records that are not kept; what is before the new root, too, which
/// is added up instead.
void PathTracker::compact(int32_t newRoot) {
  addSteps(newRoot);
  folded = follow(newRoot);
  records[newRoot].parent = newRoot;
  int32_t size = 0;
  for (int32_t &index : kept)
    index = index ? size++ : lost;
  auto rename = [&](int32_t &record) {
    if (record >= root)
      record = kept[record];
  };
  for (auto [record, index] : llvm::zip(records, kept)) {
    if (index == lost)
      continue;
    rename(record.parent);
    records[index] = record;
  }
  records.resize(size, records.front());
  for (std::vector<Entry> &entries : tracks) {
    llvm::erase_if(entries, [&](const Entry &entry) {
      return kept[entry.record] == lost;
    });
    for (Entry &entry : entries)
      rename(entry.record);
  }
  for (int32_t &record : last)
    rename(record);
  for (Release &trigger : triggers)
    rename(trigger.from);
  rename(latest);
}

void PathTracker::fold() {
  kept.assign(records.size(), 0);
  int32_t common = markLive();
  compact(common);
  while (records.size() > window / 2 && window < limit)
    window = std::min(2 * window, limit);
  if (records.size() <= window / 2)
    return;
  kept.assign(records.size(), 0);
  compact(markLatest());
}
