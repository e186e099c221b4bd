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

  std::vector<int64_t> starts() {
    std::vector<int64_t> result;
    Walker walker(program);
    while (const Step *step = walker.next())
      if (step->kind == Step::Kind::Execute)
        result.push_back(execute(program.instructions[step->index], walker));
    return result;
  }

private:
  struct Byte {
    std::map<Engine, int64_t> visible, readUntil;
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

  int64_t execute(const Instruction &instruction, const Walker &walker) {
    Engine engine = instruction.engine;
    int64_t start = free[engine];
    auto after = [&](Engine other, int64_t time) {
      start = std::max(start, time + (other == engine ? 0 : semaphore));
    };
    for (const Access &access : instruction.reads)
      forEachByte(access, walker, [&](Byte &byte) {
        for (auto [other, time] : byte.visible)
          after(other, time);
      });
    for (const Access &access : instruction.writes)
      forEachByte(access, walker, [&](Byte &byte) {
        for (const auto &times : {byte.visible, byte.readUntil})
          for (auto [other, time] : times)
            if (other != engine)
              after(other, time);
      });
    free[engine] = start + costs.occupied(instruction);
    for (const Access &access : instruction.reads)
      forEachByte(access, walker,
                  [&](Byte &byte) { byte.readUntil[engine] = free[engine]; });
    for (const Access &access : instruction.writes)
      forEachByte(access, walker, [&](Byte &byte) {
        byte.visible[engine] = start + costs.visible(instruction);
      });
    return start;
  }

  const Program &program;
  const Costs &costs;
  std::map<Engine, int64_t> free;
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

TEST(Oracle, StartsAgreeWithTheByteWiseModel) {
  std::mt19937 random(20240607);
  Machine machine = roundMachine();
  Costs costs(machine);
  for (int i = 0; i < 200; ++i) {
    Program program = randomProgram(random);
    Recorder recorder;
    run(program, machine, recorder);
    std::vector<int64_t> starts;
    for (const TimelineEvent &event : recorder.events)
      starts.push_back(event.start);
    ASSERT_EQ(starts, Oracle(program, costs).starts()) << "program " << i;
  }
}

} // namespace
