//===- OracleTest.cpp - Random programs against a byte-wise model ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundMachine.h"
#include "trn/Program/Walker.h"
#include "trn/Simulator/Cost.h"
#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace mlir::trn;

namespace {

constexpr int64_t semaphore = ns(200);

/// The rules of docs/CostModel.md for the compute engines, word for word: a
/// state for every byte of every partition, no grid and no shortcuts.
class Oracle {
public:
  Oracle(const Program &program, const Costs &costs)
      : program(program), costs(costs) {}

  /// Runs the program; afterwards `starts` and `path` are known.
  void run() {
    path.instructions.resize(program.instructions.size());
    Walker walker(program);
    while (const Step *step = walker.next())
      if (step->kind == Step::Kind::Execute)
        execute(step->index, walker);
    followPath();
  }

  std::vector<int64_t> starts;
  CriticalPath path;

private:
  /// An event, and when it was past something.
  struct Past {
    int64_t time;
    size_t event;
  };
  struct Byte {
    std::map<Engine, Past> visible, readUntil;
  };
  struct Event {
    int32_t instruction;
    int64_t start, end, done;
    /// Who let it go, after a semaphore or not; absent: the start of the
    /// kernel.
    std::optional<Past> released;
    bool bySemaphore;
  };

  template <typename Visit>
  void forEachByte(const Access &access, const Walker &walker, Visit visit) {
    const Buffer &buffer = program.buffers[access.buffer];
    int64_t base = buffer.space == Space::Psum ? (1 << 24) + (buffer.bank << 11)
                                               : buffer.offset;
    base += walker.slot(access.buffer) *
            (buffer.space == Space::Psum ? 2048 : buffer.bytesPerPartition);
    int64_t element = byteSize(access.type);
    int64_t partition = access.partition.evaluate(walker.counters());
    int64_t offset = access.offset.evaluate(walker.counters());
    // At most two free dims in these programs.
    Access::Dim outer =
        access.dims.size() > 2 ? access.dims[1] : Access::Dim{1, 0};
    Access::Dim inner = access.dims.back();
    // Partitions in steps of 32: that is how they are used here.
    for (int64_t p = partition; p < partition + access.dims[0].size; p += 32)
      for (int64_t i = 0; i < outer.size; ++i)
        for (int64_t j = 0; j < inner.size * element; ++j)
          visit(bytes[{p, base + (offset + i * outer.stride) * element + j}]);
  }

  void execute(int32_t index, const Walker &walker) {
    const Instruction &instruction = program.instructions[index];
    Engine engine = instruction.engine;
    Event event{index, 0, 0, 0, std::nullopt, false};
    if (auto previous = last.find(engine); previous != last.end()) {
      event.start = previous->second.time;
      event.released = previous->second;
    }
    auto after = [&](Engine other, Past past) {
      int64_t time = past.time + (other == engine ? 0 : semaphore);
      if (time <= event.start)
        return;
      event.start = time;
      event.released = past;
      event.bySemaphore = other != engine;
    };
    for (const Access &access : instruction.reads)
      forEachByte(access, walker, [&](Byte &byte) {
        for (auto [other, past] : byte.visible)
          after(other, past);
      });
    for (const Access &access : instruction.writes)
      forEachByte(access, walker, [&](Byte &byte) {
        for (const auto &pasts : {byte.visible, byte.readUntil})
          for (auto [other, past] : pasts)
            if (other != engine)
              after(other, past);
      });
    event.end = event.start + costs.occupied(instruction);
    event.done = event.start + costs.visible(instruction);
    last[engine] = {event.end, events.size()};
    for (const Access &access : instruction.reads)
      forEachByte(access, walker, [&](Byte &byte) {
        byte.readUntil[engine] = {event.end, events.size()};
      });
    for (const Access &access : instruction.writes)
      forEachByte(access, walker, [&](Byte &byte) {
        byte.visible[engine] = {event.done, events.size()};
      });
    events.push_back(event);
    starts.push_back(event.start);
  }

  /// From what ends last back to the start of the kernel.
  void followPath() {
    const Event *event = &*std::max_element(
        events.begin(), events.end(),
        [](const Event &a, const Event &b) { return a.done < b.done; });
    int64_t until = event->done;
    while (event) {
      auto &times = path.instructions[event->instruction];
      times[int(PathReason::ResultLatency)] += until - event->end;
      times[int(PathReason::Busy)] += event->end - event->start;
      if (!event->released)
        return;
      times[int(PathReason::Semaphore)] += event->bySemaphore ? semaphore : 0;
      until = event->released->time;
      event = &events[event->released->event];
    }
  }

  const Program &program;
  const Costs &costs;
  std::vector<Event> events;
  std::map<Engine, Past> last;
  std::map<std::pair<int64_t, int64_t>, Byte> bytes;
};

/// Elementwise instructions over random tiles of four buffers in a loop, with
/// rotating slots. Tiles are multiples of a size of the buffer's own.
Program randomProgram(std::mt19937 &random) {
  auto pick = [&](int64_t limit) { return int64_t(random() % limit); };
  TileBuilder b;
  struct Tiled {
    int32_t buffer;
    int64_t rows, columns, tile;
  };
  std::vector<Tiled> buffers;
  int64_t offset = 0;
  for (int i = 0; i < 3; ++i) {
    int64_t tile = 1 + pick(40), columns = (1 + pick(4)) * tile;
    int64_t rows = 1 + pick(4), slots = 1 + pick(3);
    buffers.push_back(
        {b.sbuf(ElementType::BF16, 128, rows * columns, offset, slots), rows,
         columns, tile});
    offset += rows * columns * 2 * slots;
  }
  buffers.push_back(
      {b.psum(ElementType::F32, 128, 4 * 32, 1, 1 + pick(4)), 1, 4 * 32, 32});

  int32_t loop = b.beginLoop(4);
  for (const Tiled &tiled : buffers)
    b.alloc(tiled.buffer);
  auto access = [&] {
    const Tiled &tiled = buffers[pick(buffers.size())];
    LinearExpr at = pick(tiled.columns / tiled.tile) * tiled.tile;
    int64_t first = pick(3) ? 0 : 64, rows = 1;
    if (pick(2))
      rows = tiled.rows;
    else
      at += LinearExpr::counter(loop) * (tiled.rows == 4 ? tiled.columns : 0);
    return b.tile(tiled.buffer, first, first ? 64 : 128, at,
                  {{rows, tiled.columns}, {tiled.tile, 1}});
  };
  for (int i = 0; i < 12; ++i) {
    b.op("trn.tensor_copy");
    auto engine = static_cast<Engine>(1 + pick(3));
    b.execute(engine, Semantics::Copy, {access()}, access()).work.cycles =
        64 + pick(500);
  }
  b.endLoop();
  return b.take();
}

TEST(Oracle, StartsAndPathAgreeWithTheByteWiseModel) {
  std::mt19937 random(20240607);
  Machine machine = roundMachine();
  Costs costs(machine);
  for (int i = 0; i < 200; ++i) {
    Program program = randomProgram(random);
    Oracle oracle(program, costs);
    oracle.run();
    Recorder recorder;
    SimulationOptions options;
    options.timeline = &recorder;
    options.criticalPath = true;
    SimulationResult result = simulate(program, machine, options);
    std::vector<int64_t> starts;
    for (const TimelineEvent &event : recorder.events)
      starts.push_back(event.start);
    ASSERT_EQ(starts, oracle.starts) << "program " << i;
    ASSERT_EQ(result.criticalPath->instructions, oracle.path.instructions)
        << "program " << i;
  }
}

} // namespace
