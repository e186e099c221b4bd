//===- Trace.cpp - Timelines for Perfetto and Chrome ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Trace.h"

#include "trn/Machine/Machine.h"
#include "trn/Program/Launch.h"
#include "trn/Report/BufferContents.h"
#include "trn/Report/TrackNames.h"
#include "trn/Simulator/Cost.h"
#include "trn/Simulator/Simulator.h"
#include "trn/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::trn;

/// Track 0 shows the kernels; engine e has track e + 1.
static constexpr int kernelTrack = 0;
/// Most kernels run on one core, so this track is named when it is used.
static constexpr int collectives = int(Engine::Collective);

static std::string quoted(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream(result)
      << llvm::json::Value(llvm::json::fixUTF8(text));
  return result;
}

/// Picoseconds as the format's microseconds, digit by digit.
static void writeTime(llvm::raw_ostream &os, int64_t time) {
  os << time / 1000000 << '.' << llvm::format("%06d", int(time % 1000000));
}

TraceWriter::TraceWriter(llvm::raw_ostream &os, llvm::StringRef function,
                         const Machine &machine)
    : os(os), title((function + " on " + machine.name + " (modelled)").str()) {
  os << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"function\":"
     << quoted(function) << ",\"modelled_on\":" << quoted(machine.name)
     << ",\"version\":" << quoted(std::string("trn-mlir ") + getVersion())
     << "},\"traceEvents\":[";
  nameProcess(core);
}

llvm::raw_ostream &TraceWriter::next() {
  os << (isFirst ? "\n" : ",\n");
  isFirst = false;
  return os;
}

void TraceWriter::nameProcess(const Core &of) {
  const bool isFirstCore = &of == &core;
  std::string name = title;
  if (!isFirstCore)
    name += ", core " + std::to_string(of.process - core.process);
  next() << "{\"ph\":\"M\",\"pid\":" << of.process
         << ",\"name\":\"process_name\",\"args\":{\"name\":" << quoted(name)
         << "}}";
  if (isFirstCore)
    nameTrack(of, kernelTrack, "kernels");
  for (int engine = 0; engine < numEngines; ++engine)
    if (engine != collectives)
      nameTrack(of, engine + 1, trackNames[engine]);
}

void TraceWriter::nameTrack(const Core &of, int track, llvm::StringRef name) {
  next() << "{\"ph\":\"M\",\"pid\":" << of.process << ",\"tid\":" << track
         << ",\"name\":\"thread_name\",\"args\":{\"name\":" << quoted(name)
         << "}}";
  next() << "{\"ph\":\"M\",\"pid\":" << of.process << ",\"tid\":" << track
         << ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":" << track
         << "}}";
}

void TraceWriter::beginLaunch(const Launch &begun, const Machine &on) {
  launch = &begun;
  machine = &on;
  moved.clear();
  begin(core, llvm::map_to_vector(launch->parts, [](const LaunchPart &part) {
          return part.program;
        }));
  otherSinks.clear();
  for (auto [number, program] : llvm::enumerate(launch->program.others)) {
    if (number == others.size()) {
      others.push_back(std::make_unique<OtherCore>(*this));
      others.back()->core.process = core.process + 1 + int(number);
      nameProcess(others.back()->core);
    }
    begin(others[number]->core, &program);
    otherSinks.push_back(others[number].get());
  }
}

void TraceWriter::begin(Core &begun, llvm::ArrayRef<const Program *> programs) {
  begun.lastEnd.fill(origin);
  begun.texts.clear();
  for (const Program *program : programs)
    describe(*program, begun);
}

void TraceWriter::describe(const Program &kernel, Core &of) {
  std::vector<HeldMatrix> held = listHeldMatrices(kernel);
  for (auto [instruction, operands] :
       llvm::zip(kernel.instructions, describeOperands(kernel))) {
    const OpInfo &op = kernel.ops[instruction.op];
    llvm::StringRef shortName = op.name;
    shortName.consume_front("trn.");
    std::string name = shortName.str();
    if (const Access *subject = findSubject(instruction, kernel))
      name += " " + held[subject->buffer].name;
    of.texts.push_back("\"name\":" + quoted(name) +
                       ",\"args\":{\"op\":" + quoted(op.name) +
                       ",\"location\":" + quoted(op.location) +
                       ",\"reads\":" + quoted(operands.reads) +
                       ",\"writes\":" + quoted(operands.writes));
  }
}

void TraceWriter::instruction(const TimelineEvent &event) {
  int64_t start = writeEvent(event, core);
  if (start != origin + event.start)
    moved[{event.instruction, event.start}] = start;
  if (isDma(event.engine))
    transferred.add(origin + event.start, origin + event.end,
                    launch->program.instructions[event.instruction].work.bytes);
}

int64_t TraceWriter::writeEvent(const TimelineEvent &event, Core &of) {
  if (event.engine == Engine::Collective && !of.hasCollectives) {
    nameTrack(of, collectives + 1, trackNames[collectives]);
    of.hasCollectives = true;
  }
  int64_t &trackEnd = of.lastEnd[static_cast<int>(event.engine)];
  int64_t start = std::max(origin + event.start, trackEnd);
  int64_t end = std::max(origin + event.end, start);
  trackEnd = end;
  next() << "{\"ph\":\"X\",\"pid\":" << of.process
         << ",\"tid\":" << static_cast<int>(event.engine) + 1 << ",\"ts\":";
  writeTime(os, start);
  os << ",\"dur\":";
  writeTime(os, end - start);
  os << ',' << of.texts[event.instruction];
  if (event.waited > 0) {
    os << ",\"waited_for\":\"" << stringify(event.reason)
       << "\",\"waited_us\":";
    writeTime(os, event.waited);
  }
  if (event.lost > 0) {
    os << (event.engine == Engine::Scalar ? ",\"table_swap_us\":"
                                          : ",\"throttled_us\":");
    writeTime(os, event.lost);
  }
  os << "}}";
  return start;
}

void TraceWriter::lifetime(const SlotLifetime &lifetime) {
  const Buffer &buffer = launch->program.buffers[lifetime.buffer];
  bool isSbuf = buffer.space == Space::Sbuf;
  int64_t bytes = buffer.bytesPerPartition;
  int64_t amount = isSbuf ? bytes * machine->partitions : 1;
  int64_t banks = isSbuf ? 1 : machine->psumBanksOf(bytes);
  int64_t first = isSbuf ? 0 : buffer.bank + lifetime.slot * banks;
  std::vector<Change> &changes = isSbuf ? sbufBytes : psumTiles;
  for (int64_t bank = first; bank < first + banks; ++bank) {
    changes.push_back({origin + lifetime.begin, amount, bank});
    changes.push_back({origin + lifetime.end, -amount, bank});
  }
}

void TraceWriter::writeKernel(const Program &program,
                              const SimulationResult &result, Schedule schedule,
                              int64_t start) {
  next() << "{\"ph\":\"X\",\"pid\":1,\"tid\":" << kernelTrack << ",\"ts\":";
  writeTime(os, start);
  os << ",\"dur\":";
  writeTime(os, result.latency);
  os << ",\"name\":" << quoted(program.name)
     << ",\"args\":{\"note\":\"modelled\"";
  for (const auto &[key, value] : schedule)
    os << ',' << quoted(key) << ':' << quoted(value);
  os << "}}";
}

void TraceWriter::endLaunch(const LaunchResult &result,
                            llvm::ArrayRef<Schedule> schedules) {
  int64_t start = origin;
  for (auto [index, part] : llvm::enumerate(launch->parts)) {
    const SimulationResult &call = result.calls[index];
    writeKernel(*part.program, call,
                schedules.empty() ? Schedule() : schedules[index], start);
    start += call.latency;
  }
  if (result.whole.criticalPath)
    writeFlows(*result.whole.criticalPath);
  origin += result.whole.latency;
}

/// From what lets go to what is let go: an end belongs to the event that begins
/// at its time.
void TraceWriter::writeFlows(const CriticalPath &path) {
  for (size_t i = 1; i < path.steps.size(); ++i, ++flows) {
    writeFlowEnd("s", path.steps[i - 1]);
    writeFlowEnd("f", path.steps[i]);
  }
}

void TraceWriter::writeFlowEnd(llvm::StringRef phase, const PathStep &step) {
  const Instruction &instruction =
      launch->program.instructions[step.instruction];
  auto other = moved.find({step.instruction, step.start});
  next() << "{\"ph\":" << quoted(phase)
         << ",\"pid\":1,\"tid\":" << static_cast<int>(instruction.engine) + 1
         << ",\"ts\":";
  writeTime(os, other == moved.end() ? origin + step.start : other->second);
  os << ",\"id\":" << flows
     << ",\"bp\":\"e\",\"cat\":\"path\",\"name\":\"critical path\"}";
}

void TraceWriter::writeCounter(llvm::StringRef name, llvm::StringRef unit,
                               std::vector<Change> &changes, bool countBanks) {
  // At equal times what ends goes first, so that no peak shows up in between.
  llvm::sort(changes, [](const Change &a, const Change &b) {
    return std::tie(a.time, a.delta, a.bank) <
           std::tie(b.time, b.delta, b.bank);
  });
  std::map<int64_t, int64_t> users;
  int64_t value = 0;
  for (auto [index, change] : llvm::enumerate(changes)) {
    int64_t &tiles = users[change.bank];
    int64_t before = tiles;
    tiles += change.delta;
    value += countBanks ? (tiles > 0) - (before > 0) : change.delta;
    if (index + 1 < changes.size() && changes[index + 1].time == change.time)
      continue;
    next() << "{\"ph\":\"C\",\"pid\":1,\"ts\":";
    writeTime(os, change.time);
    os << ",\"name\":" << quoted(name) << ",\"args\":{" << quoted(unit) << ':'
       << value << "}}";
  }
}

void TraceWriter::writeThroughput() {
  int64_t width = transferred.binWidth();
  for (auto [index, bytes] : llvm::enumerate(transferred.bins())) {
    next() << "{\"ph\":\"C\",\"pid\":1,\"ts\":";
    writeTime(os, int64_t(index) * width);
    // Bytes a nanosecond are gigabytes a second.
    os << ",\"name\":\"DMA\",\"args\":{\"GB/s\":"
       << llvm::format("%.1f", bytes / (width / 1000)) << "}}";
  }
}

void TraceWriter::finish() {
  writeCounter("SBUF in use", "bytes", sbufBytes, /*countBanks=*/false);
  writeCounter("PSUM in use", "banks", psumTiles, /*countBanks=*/true);
  writeThroughput();
  os << "\n]}\n";
}
