//===- RecordedTimeline.cpp - A timeline for the page ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Page/RecordedTimeline.h"

#include "Pack.h"
#include "trn/Machine/Machine.h"
#include "trn/Program/Launch.h"
#include "trn/Report/BufferContents.h"
#include "trn/Report/TrackNames.h"
#include "trn/Simulator/Cost.h"
#include "trn/Simulator/Simulator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir::trn;
namespace json = llvm::json;

RecordedTimeline::RecordedTimeline(const Limits &limits)
    : limits(limits), core(limits.events), path(limits.events) {}

int64_t RecordedTimeline::enterOps(const Program &entered, int64_t of) {
  const int64_t first = ops.size();
  for (const OpInfo &op : entered.ops)
    ops.push_back(json::Object{{"name", json::fixUTF8(op.name)},
                               {"location", json::fixUTF8(op.location)}});
  std::vector<HeldMatrix> held = listHeldMatrices(entered);
  for (auto [instruction, operands] :
       llvm::zip(entered.instructions, describeOperands(entered))) {
    json::Object &op = *ops[first + instruction.op].getAsObject();
    op["reads"] = operands.reads;
    op["writes"] = operands.writes;
    op["engine"] = of * numEngines + static_cast<int>(instruction.engine);
    if (const Access *subject = findSubject(instruction, entered))
      op["matrix"] = place(held[subject->buffer]);
  }
  return first;
}

static json::Object describeBuffer(const Buffer &buffer, llvm::StringRef holds,
                                   int64_t firstOp, const Machine &machine) {
  bool isSbuf = buffer.space == Space::Sbuf;
  int64_t bytes = buffer.bytesPerPartition;
  return json::Object{{"op", firstOp + buffer.op},
                      {"space", isSbuf ? "sbuf" : "psum"},
                      {"holds", holds.str()},
                      {"type", mlir::trn::stringify(buffer.type)},
                      {"slots", buffer.slots},
                      {"bytes", bytes},
                      {"start", isSbuf ? buffer.offset : buffer.bank},
                      {"size", isSbuf ? bytes : machine.psumBanksOf(bytes)}};
}

const RecordedTimeline::Tables &
RecordedTimeline::enter(const LaunchPart &part, bool atFarEnd,
                        const Machine &machine) {
  const Program &entered = *part.program;
  auto [it, isNew] = known.try_emplace({&entered, atFarEnd});
  Tables &added = it->second;
  if (!isNew)
    return added;
  added.firstOp = ops.size();
  enterBuffers(part, machine, added);
  enterOps(entered, /*core=*/0);
  return added;
}

void RecordedTimeline::enterBuffers(const LaunchPart &part,
                                    const Machine &machine, Tables &added) {
  const Program &entered = *part.program;
  std::vector<HeldMatrix> held = listHeldMatrices(entered);
  for (auto [index, matrix] : llvm::enumerate(held)) {
    Buffer buffer = launch->program.buffers[part.buffers[index]];
    buffer.op = entered.buffers[index].op;
    added.firstSlot.push_back(slots.size());
    if (buffer.space == Space::Hbm)
      continue;
    slots.resize(slots.size() + buffer.slots, Track(limits.lifetimes));
    json::Object entry =
        describeBuffer(buffer, matrix.name, added.firstOp, machine);
    entry["matrix"] = place(matrix);
    buffers.push_back(std::move(entry));
  }
}

int64_t RecordedTimeline::place(const HeldMatrix &matrix) {
  auto [it, isNew] =
      places.try_emplace({matrix.name, matrix.isArgument}, matrices.size());
  if (isNew)
    matrices.push_back(
        json::Object{{"name", json::fixUTF8(matrix.name)},
                     {"role", matrix.isArgument ? "argument" : "product"}});
  return it->second;
}

void RecordedTimeline::beginLaunch(const Launch &begun,
                                   const Machine &machine) {
  launch = &begun;
  tables.clear();
  for (auto [index, part] : llvm::enumerate(launch->parts))
    tables.push_back(&enter(part, index % 2 != 0, machine));
  otherSinks.clear();
  const Program &first = *launch->parts.front().program;
  for (auto [number, program] : llvm::enumerate(first.others)) {
    if (number == others.size())
      others.push_back(std::make_unique<OtherCore>(*this, number + 1));
    others[number]->program = &program;
    otherSinks.push_back(others[number].get());
  }
  overhead = Costs(machine).kernelOverhead;
  partitions = machine.partitions;
  sbufPartitionBytes = machine.sbufPartitionBytes;
  psumBanks = machine.psumBanks;
  dmaBytesPerNs = machine.dmaSustainedGBPerSecond();
}

int64_t RecordedTimeline::findOp(int32_t instruction) const {
  size_t index = launch->findPart(instruction);
  const LaunchPart &part = launch->parts[index];
  return tables[index]->firstOp +
         part.program->instructions[instruction - part.firstInstruction].op;
}

void RecordedTimeline::Core::add(const TimelineEvent &event, int64_t origin,
                                 int64_t op) {
  const auto engine = static_cast<int>(event.engine);
  const int64_t start = origin + event.start;
  engines[engine].add(start, origin + event.end,
                      op * numWaitReasons + static_cast<int>(event.reason));
  // At half rate, what the throttle costs is half of the time that it lasts.
  if (event.engine == Engine::Tensor && event.lost > 0)
    throttled[engine].add(start, start + 2 * event.lost);
}

void RecordedTimeline::instruction(const TimelineEvent &event) {
  core.add(event, origin, findOp(event.instruction));
  if (isDma(event.engine))
    (event.engine == Engine::Load ? loads : stores)
        .add(origin + event.start, origin + event.end,
             launch->program.instructions[event.instruction].work.bytes);
}

void RecordedTimeline::OtherCore::instruction(const TimelineEvent &event) {
  auto [it, isNew] = timeline.otherOps.try_emplace(program, 0);
  if (isNew)
    it->second = timeline.enterOps(*program, number);
  core.add(event, timeline.origin,
           it->second + program->instructions[event.instruction].op);
}

void RecordedTimeline::lifetime(const SlotLifetime &lifetime) {
  const Launch::Origin &from = launch->origins[lifetime.buffer];
  slots[tables[from.part]->firstSlot[from.buffer] + lifetime.slot].add(
      origin + lifetime.begin, origin + lifetime.end);
}

void RecordedTimeline::endLaunch(const LaunchResult &result,
                                 llvm::ArrayRef<Schedule> schedules) {
  if (result.whole.criticalPath)
    for (const PathStep &step : result.whole.criticalPath->steps)
      path.add(origin + step.start, origin + step.end,
               findOp(step.instruction));
  int64_t start = origin;
  for (auto [index, part] : llvm::enumerate(launch->parts)) {
    json::Object entries;
    if (!schedules.empty())
      for (const auto &[key, value] : schedules[index])
        entries[json::fixUTF8(key)] = json::fixUTF8(value);
    int64_t end = start + result.calls[index].latency;
    kernels.push_back(json::Object{{"name", json::fixUTF8(part.program->name)},
                                   {"start", start},
                                   {"end", end},
                                   {"overhead", index == 0 ? overhead : 0},
                                   {"schedule", std::move(entries)}});
    start = end;
  }
  origin += result.whole.latency;
}

static json::Object describeTrack(const Track &events) {
  json::Object object = pack(events.encode());
  object["count"] = events.get().size();
  object["resolution"] = events.resolution();
  return object;
}

static json::Object describeRate(const TransferRate &rate) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  for (double moved : rate.bins())
    llvm::encodeULEB128(std::llround(moved), os);
  json::Object object = pack(bytes);
  object["count"] = rate.bins().size();
  object["width"] = rate.binWidth();
  return object;
}

json::Value RecordedTimeline::toJson() const {
  json::Array reasons, tracks, lifetimes;
  for (int reason = 0; reason < numWaitReasons; ++reason)
    reasons.push_back(stringify(static_cast<WaitReason>(reason)));
  auto addTracks = [&](const Core &of, const std::string &prefix) {
    for (int engine = 0; engine < numEngines; ++engine) {
      json::Object track = describeTrack(of.engines[engine]);
      track["name"] = prefix + trackNames[engine].str();
      if (!of.throttled[engine].get().empty())
        track["throttled"] = describeTrack(of.throttled[engine]);
      tracks.push_back(std::move(track));
    }
  };
  addTracks(core, "");
  for (const std::unique_ptr<OtherCore> &other : others)
    addTracks(other->core, "core " + std::to_string(other->number) + ": ");
  for (const Track &slot : slots)
    lifetimes.push_back(describeTrack(slot));
  return json::Object{{"end", origin},
                      {"kernels", json::Array(kernels)},
                      {"matrices", json::Array(matrices)},
                      {"ops", json::Array(ops)},
                      {"reasons", std::move(reasons)},
                      {"tracks", std::move(tracks)},
                      {"buffers", json::Array(buffers)},
                      {"lifetimes", std::move(lifetimes)},
                      {"path", describeTrack(path)},
                      {"loads", describeRate(loads)},
                      {"stores", describeRate(stores)},
                      {"dma_gb_per_s", dmaBytesPerNs},
                      {"partitions", partitions},
                      {"sbuf_partition_bytes", sbufPartitionBytes},
                      {"psum_banks", psumBanks}};
}
