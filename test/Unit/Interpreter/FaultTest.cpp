//===- FaultTest.cpp - Tests of what the interpreter refuses --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

static constexpr ElementType bf16 = ElementType::BF16, f32 = ElementType::F32;

/// Checks where the fault is, what it says, and the ops of its notes.
static void expectFault(const KernelBuilder &kernel,
                        const std::optional<Fault> &fault, const char *op,
                        const char *message,
                        std::vector<std::string> notes = {}) {
  ASSERT_TRUE(fault);
  EXPECT_EQ(kernel.nameOf(fault->op), op);
  EXPECT_NE(fault->message.find(message), std::string::npos) << fault->message;
  std::vector<std::string> noted;
  for (const auto &[index, text] : fault->notes)
    noted.push_back(kernel.nameOf(index));
  EXPECT_EQ(noted, notes);
}

TEST(Fault, memory_c2__ReadOfWhatWasNeverWritten) {
  KernelBuilder kernel;
  int32_t a = kernel.at("alloc a").sbuf(bf16, 128, 64, 0);
  int32_t b = kernel.at("alloc b").sbuf(bf16, 128, 64, 128);
  kernel.alloc(a);
  kernel.alloc(b);
  kernel.at("fill").fill(kernel.tile(a, 0, 127, 0, {{64, 1}}), 1);
  kernel.at("copy").copy(kernel.tile(a, 128, 0, 64),
                         kernel.tile(b, 128, 0, 64));
  expectFault(
      kernel, kernel.run(), "copy",
      "reads partition 127, byte 0 of a buffer, which was never written",
      {"alloc a"});
}

TEST(Fault, memory_c2__ReadOfWhatAnEarlierOwnerOfTheBytesWrote) {
  KernelBuilder kernel;
  int32_t a = kernel.at("alloc a").sbuf(bf16, 128, 64, 0);
  int32_t b = kernel.at("alloc b").sbuf(bf16, 128, 64, 64);
  int32_t c = kernel.at("alloc c").sbuf(bf16, 128, 64, 512);
  kernel.alloc(a);
  kernel.at("fill").fill(kernel.tile(a, 128, 0, 64), 1);
  kernel.dealloc(a);
  kernel.alloc(b);
  kernel.alloc(c);
  kernel.at("copy").copy(kernel.tile(b, 128, 0, 8), kernel.tile(c, 128, 0, 8));
  expectFault(kernel, kernel.run(), "copy", "partition 0, byte 0",
              {"alloc b", "fill", "alloc a"});
}

TEST(Fault, memory_c2__ReadAfterTheSlotRotatedAway) {
  KernelBuilder kernel;
  int32_t a = kernel.at("alloc a").sbuf(bf16, 128, 64, 0, /*slots=*/2);
  int32_t b = kernel.at("alloc b").sbuf(bf16, 128, 64, 1024);
  kernel.alloc(b);
  kernel.at("fill b").fill(kernel.tile(b, 128, 0, 64), 1);
  int32_t loop = kernel.beginLoop(3);
  kernel.alloc(a);
  // Partition k is written in iteration k: the third one finds slot 0 again.
  kernel.at("fill a").fill(
      kernel.tile(a, LinearExpr::counter(loop), 1, 0, {{64, 1}}), 1);
  kernel.at("copy").copy(
      kernel.tile(a, LinearExpr::counter(loop, -1) + 2, 1, 0, {{64, 1}}),
      kernel.tile(b, 0, 1, 0, {{64, 1}}));
  kernel.endLoop();
  expectFault(kernel, kernel.run(), "copy", "partition 2, byte 0", {"alloc a"});

  KernelBuilder later;
  a = later.at("alloc a").sbuf(bf16, 128, 64, 0, /*slots=*/2);
  b = later.at("alloc b").sbuf(bf16, 128, 64, 1024);
  later.alloc(b);
  later.alloc(a);
  later.at("fill").fill(later.tile(a, 128, 0, 64), 1);
  later.alloc(a);
  later.alloc(a);
  later.at("copy").copy(later.tile(a, 128, 0, 64), later.tile(b, 128, 0, 64));
  expectFault(later, later.run(), "copy", "was never written",
              {"alloc a", "fill"});
}

TEST(Fault, memory_c1__UseAfterDealloc) {
  KernelBuilder kernel;
  int32_t a = kernel.at("alloc a").sbuf(bf16, 128, 64, 0);
  int32_t b = kernel.at("alloc b").sbuf(bf16, 128, 64, 64);
  kernel.alloc(a);
  kernel.dealloc(a);
  kernel.alloc(b);
  kernel.at("fill").fill(kernel.tile(a, 128, 0, 64), 1);
  expectFault(kernel, kernel.run(), "fill",
              "writes a buffer after it was freed", {"alloc a", "alloc b"});
}

TEST(Fault, memory_c1__UseBeforeAlloc) {
  KernelBuilder kernel;
  int32_t a = kernel.at("alloc a").sbuf(bf16, 128, 64, 0);
  kernel.at("fill").fill(kernel.tile(a, 128, 0, 64), 1);
  expectFault(kernel, kernel.run(), "fill",
              "writes a buffer before it is allocated", {"alloc a"});
}

TEST(Fault, memory_c1__DeallocTwice) {
  KernelBuilder kernel;
  int32_t a = kernel.at("alloc a").sbuf(bf16, 128, 64, 0);
  kernel.alloc(a);
  kernel.dealloc(a);
  kernel.dealloc(a);
  expectFault(kernel, kernel.run(), "alloc a",
              "frees a buffer after it was freed", {"alloc a"});
}

TEST(Fault, placed_c6__OverlapOfLiveBuffers) {
  KernelBuilder kernel;
  int32_t a = kernel.at("alloc a").sbuf(bf16, 128, 64, 0, /*slots=*/2);
  int32_t b = kernel.at("alloc b").sbuf(bf16, 64, 64, 200);
  kernel.alloc(a);
  kernel.alloc(a);
  kernel.alloc(b);
  expectFault(kernel, kernel.run(), "alloc b",
              "takes bytes [200, 328) of each partition, which overlap a live "
              "buffer",
              {"alloc a"});
}

TEST(Fault, BuffersInTheSameBytesOneAfterTheOtherAreFine) {
  KernelBuilder kernel;
  int32_t a = kernel.sbuf(bf16, 128, 64, 0);
  int32_t b = kernel.sbuf(f32, 128, 64, 64);
  kernel.beginLoop(2);
  for (int32_t buffer : {a, b}) {
    kernel.alloc(buffer);
    kernel.fill(kernel.tile(buffer, 128, 0, 64), 1);
    kernel.dealloc(buffer);
  }
  kernel.endLoop();
  EXPECT_FALSE(kernel.run());
}

/// Allocates what `place` makes.
template <typename Place>
static void expectMisplaced(Place place, const char *message) {
  KernelBuilder kernel;
  kernel.at("alloc");
  kernel.alloc(place(kernel));
  expectFault(kernel, kernel.run(), "alloc", message);
}

using K = KernelBuilder &;

TEST(Fault, placed_c2__TooManyPartitions) {
  expectMisplaced([](K k) { return k.sbuf(bf16, 129, 8, 0); },
                  "takes 129 partitions");
}

TEST(Fault, placed_c3__BeyondSbuf) {
  expectMisplaced(
      [](K k) { return k.sbuf(bf16, 128, 8, 180220); },
      "takes bytes [180220, 180236) of each partition, but there are 180224");
}

TEST(Fault, placed_c4__BeyondTheBanks) {
  expectMisplaced([](K k) { return k.psum(f32, 128, 8, 8); },
                  "takes PSUM bank 8");
  expectMisplaced([](K k) { return k.psum(f32, 128, 1024, 7); },
                  "takes PSUM bank 8");
}

TEST(Fault, placed_c5__AcrossBanks) {
  expectMisplaced([](K k) { return k.psum(f32, 128, 512, 0, 1, 4); },
                  "takes bytes [4, 2052) of a bank, but banks have 2048");
}

TEST(Fault, alloc_c3__InsideOfAnElement) {
  expectMisplaced([](K k) { return k.sbuf(f32, 128, 8, 2); },
                  "starts at byte 2");
}

TEST(Fault, ImpossibleNumbers) {
  expectMisplaced([](K k) { return k.sbuf(f32, 128, 8, 0, 0); }, "has 0 slots");
  expectMisplaced([](K k) { return k.sbuf(f32, 128, 8, -4); }, "impossible");
}

TEST(Fault, access_c1__AccessOutsideOfItsBuffer) {
  auto run = [](auto access, const char *message) {
    KernelBuilder kernel;
    int32_t a = kernel.at("alloc").sbuf(bf16, 64, 100, 0);
    kernel.alloc(a);
    kernel.at("fill").fill(access(kernel, a), 1);
    expectFault(kernel, kernel.run(), "fill", message, {"alloc"});
  };
  run([](K k, int32_t a) { return k.tile(a, 1, 64, 0, {{100, 1}}); },
      "writes partitions [1, 65) of a buffer that has 64");
  run([](K k, int32_t a) { return k.tile(a, -1, 2, 0, {{100, 1}}); },
      "writes partitions [-1, 1)");
  run([](K k, int32_t a) { return k.tile(a, 0, 64, 1, {{100, 1}}); },
      "writes bytes [2, 202) of each partition of a buffer that has 200");
  run([](K k, int32_t a) { return k.tile(a, 0, 64, 0, {{2, -1}}); },
      "writes bytes [-2, 2)");
}

TEST(Fault, access_c1__AccessOutsideOfHbm) {
  KernelBuilder kernel;
  int32_t x = kernel.argument(f32, 100);
  int32_t a = kernel.at("alloc").sbuf(f32, 10, 11, 0);
  kernel.alloc(a);
  kernel.at("copy").copy(kernel.hbm(x, 0, {{10, 10}, {11, 1}}),
                         kernel.tile(a, 10, 0, 11));
  Array data = Array::random(f32, 100, 1);
  expectFault(kernel, kernel.run(data), "copy",
              "reads bytes [0, 404) of a buffer that has 400", {"kernel"});
}

TEST(Fault, memory_c3__WriteToAnInput) {
  KernelBuilder kernel;
  int32_t x = kernel.argument(f32, 100);
  kernel.at("fill").fill(kernel.hbm(x, 0, {{100, 1}}), 0);
  Array data(f32, 100);
  expectFault(kernel, kernel.run(data), "fill",
              "writes argument 0, which is not a result", {"kernel"});
}

TEST(Fault, memory_c2__ReadOfAResultThatWasNeverWritten) {
  KernelBuilder kernel;
  int32_t y = kernel.argument(f32, 100, /*result=*/true);
  int32_t a = kernel.at("alloc").sbuf(f32, 1, 50, 0);
  kernel.alloc(a);
  kernel.at("fill").fill(kernel.hbm(y, 0, {{40, 1}}), 0);
  kernel.at("copy").copy(kernel.hbm(y, 0, {{1, 50}, {50, 1}}),
                         kernel.tile(a, 1, 0, 50));
  Array data(f32, 100);
  expectFault(kernel, kernel.run(data), "copy",
              "reads byte 160 of a result, which was never written",
              {"kernel"});
}

TEST(Fault, memory_c2__ReadOfScratchThatWasNeverWritten) {
  KernelBuilder kernel;
  int32_t scratch = kernel.at("scratch").scratch(f32, 50);
  int32_t a = kernel.at("alloc").sbuf(f32, 1, 50, 0);
  kernel.alloc(a);
  kernel.at("copy").copy(kernel.hbm(scratch, 0, {{1, 50}, {50, 1}}),
                         kernel.tile(a, 1, 0, 50));
  expectFault(kernel, kernel.run(), "copy", "reads byte 0 of a buffer",
              {"scratch"});
}

TEST(Fault, memory_c4__RegionsThatOverlapInPart) {
  KernelBuilder kernel;
  int32_t a = kernel.at("alloc").sbuf(f32, 128, 64, 0);
  kernel.alloc(a);
  kernel.at("fill").fill(kernel.tile(a, 128, 0, 64), 0);
  // In place, and interleaved: fine.
  kernel.copy(kernel.tile(a, 128, 0, 32), kernel.tile(a, 128, 0, 32));
  kernel.copy(kernel.tile(a, 0, 128, 0, {{32, 2}}),
              kernel.tile(a, 0, 128, 1, {{32, 2}}));
  kernel.at("copy").copy(kernel.tile(a, 128, 0, 32),
                         kernel.tile(a, 128, 16, 32));
  expectFault(kernel, kernel.run(), "copy",
              "reads and writes regions that overlap in part", {"alloc"});
}

TEST(Fault, access_c6__ElementWrittenTwice) {
  KernelBuilder kernel;
  int32_t a = kernel.at("alloc").sbuf(f32, 128, 64, 0);
  kernel.alloc(a);
  kernel.at("fill").fill(kernel.tile(a, 0, 128, 0, {{4, 7}, {8, 1}}), 0);
  expectFault(kernel, kernel.run(), "fill", "writes an element more than once");
}

TEST(Fault, memory_c1__ScratchAfterDealloc) {
  KernelBuilder kernel;
  int32_t scratch = kernel.at("scratch").scratch(f32, 50);
  kernel.alloc(scratch);
  kernel.at("fill").fill(kernel.hbm(scratch, 0, {{50, 1}}), 0);
  kernel.at("dealloc").dealloc(scratch);
  kernel.at("again").fill(kernel.hbm(scratch, 0, {{50, 1}}), 0);
  expectFault(kernel, kernel.run(), "again",
              "writes a buffer after it was freed", {"scratch"});
}

TEST(Fault, memory_c2__ScratchOfTheLastIteration) {
  KernelBuilder kernel;
  int32_t scratch = kernel.at("scratch").scratch(f32, 4);
  int32_t a = kernel.at("alloc").sbuf(f32, 1, 4, 0);
  kernel.alloc(a);
  int32_t loop = kernel.beginLoop(2);
  kernel.alloc(scratch);
  kernel.at("fill").fill(
      kernel.hbm(scratch, LinearExpr::counter(loop), {{1, 1}}), 0);
  kernel.at("copy").copy(kernel.hbm(scratch, 0, {{1, 1}, {1, 1}}),
                         kernel.tile(a, 1, 0, 1));
  kernel.dealloc(scratch);
  kernel.endLoop();
  expectFault(kernel, kernel.run(), "copy", "reads byte 0 of a buffer",
              {"scratch", "fill"});
}

namespace {
/// Moves rows of a table of 10 x 4 elements to or from a tile of 4 partitions,
/// chosen by start, start + step, ...
struct Rows {
  Rows(bool isGather, float start, float step, bool skips = false)
      : table(f32, 40), tile(f32, 16) {
    int32_t hbm = kernel.at("table").argument(f32, 40, /*isResult=*/!isGather);
    int32_t column = kernel.at("indices").sbuf(ElementType::I32, 4, 1, 0);
    int32_t data = kernel.at("tile").sbuf(f32, 4, 4, 16);
    int32_t out = kernel.argument(f32, 16, /*isResult=*/isGather);
    kernel.alloc(column);
    kernel.alloc(data);
    kernel.at("count")
        .execute(Engine::GpSimd, Semantics::Iota, {},
                 kernel.tile(column, 4, 0, 1))
        .parameters = {start, step, 0};
    Access rows = kernel.hbm(hbm, 0, {{10, 4}, {4, 1}});
    Access own = kernel.tile(data, 4, 0, 4);
    Access outside = kernel.hbm(out, 0, {{4, 4}, {4, 1}});
    if (isGather)
      kernel.at("rows")
          .execute(Engine::Load, Semantics::Gather,
                   {rows, kernel.tile(column, 4, 0, 1)}, own)
          .skipsMissing = skips;
    kernel.at("copy").copy(isGather ? own : outside, isGather ? outside : own);
    if (!isGather)
      kernel.at("rows")
          .execute(Engine::Store, Semantics::Scatter,
                   {own, kernel.tile(column, 4, 0, 1)}, rows)
          .skipsMissing = skips;
  }

  std::optional<Fault> run() {
    std::vector<Array> arrays = {table, tile};
    return kernel.run(arrays);
  }

  KernelBuilder kernel;
  Array table, tile;
};
} // namespace

TEST(Fault, indirect_c1__IndexBeyondTheRows) {
  Rows rows(/*isGather=*/true, 4, 2);
  expectFault(rows.kernel, rows.run(), "rows",
              "has index 10 for partition 3, but there are 10 rows, 0 to 9; "
              "correct it, or let the transfer skip what is not there",
              {"kernel"});
}

TEST(Fault, indirect_c1__NegativeIndexOfAScatter) {
  Rows rows(/*isGather=*/false, -1, 1);
  expectFault(rows.kernel, rows.run(), "rows",
              "has index -1 for partition 0, but there are 10 rows",
              {"kernel"});
}

TEST(Fault, indirect_c2__RowThatIsWrittenTwice) {
  Rows rows(/*isGather=*/false, 3, 0);
  expectFault(rows.kernel, rows.run(), "rows",
              "writes an element of rows 3 and 3 from both partition 0 and 1",
              {"kernel"});
}

TEST(Fault, indirect_c3__ElementBeyondThePartition) {
  KernelBuilder kernel;
  int32_t data = kernel.at("data").sbuf(f32, 4, 4, 0);
  int32_t places = kernel.at("places").sbuf(ElementType::UI32, 4, 1, 16);
  int32_t found = kernel.at("found").sbuf(f32, 4, 1, 20);
  for (int32_t tile : {data, places, found})
    kernel.alloc(tile);
  Access chosen = kernel.tile(places, 4, 0, 1),
         all = kernel.tile(data, 4, 0, 4);
  kernel.execute(Engine::GpSimd, Semantics::Iota, {}, all).parameters = {0, 0,
                                                                         1};
  // 2, 3, 4, 5.
  kernel.execute(Engine::GpSimd, Semantics::Iota, {}, chosen).parameters = {
      2, 1, 0};
  kernel.at("choose")
      .execute(Engine::GpSimd, Semantics::Partition, {all, chosen},
               kernel.tile(found, 4, 0, 1))
      .partitionFunction = PartitionFunction::Gather;
  std::vector<Array> none;
  expectFault(kernel, kernel.run(none), "choose",
              "has index 4 in partition 2, but a partition of data has 4 "
              "elements, 0 to 3; correct it",
              {"data"});
}

TEST(Fault, memory_c2__PartitionThatAGatherSkipped) {
  Rows rows(/*isGather=*/true, 7, 1, /*skips=*/true);
  expectFault(rows.kernel, rows.run(), "copy",
              "reads partition 3, byte 0 of a buffer, which was never written",
              {"tile"});
}

TEST(Fault, memory_c5__RowsThatAScatterLeaves) {
  Rows rows(/*isGather=*/false, 2, 1);
  expectFault(rows.kernel, rows.run(), "kernel",
              "never writes element 0 of its result, argument 0");
}

TEST(Fault, integer_c1__IntegerThatF32DoesNotHold) {
  KernelBuilder kernel;
  int32_t x = kernel.argument(ElementType::I32, 1);
  int32_t a = kernel.at("a").sbuf(ElementType::I32, 1, 1, 0);
  int32_t b = kernel.at("b").sbuf(f32, 1, 1, 4);
  kernel.alloc(a);
  kernel.alloc(b);
  // As it is, it may be moved.
  kernel.at("load").copy(kernel.hbm(x, 0, {{1, 1}, {1, 1}}),
                         kernel.tile(a, 1, 0, 1));
  kernel.at("convert").copy(kernel.tile(a, 1, 0, 1), kernel.tile(b, 1, 0, 1));
  Array data(ElementType::I32, 1);
  storeFloats(data.type, std::array{0x1p24f}.data(), data.bytes.data(), 1);
  expectFault(kernel, kernel.run(data), "convert",
              "reads the integer 16777216 in a buffer of i32, but engines "
              "compute in f32, where integers are exact below 16777216",
              {"a"});
}

TEST(Fault, integer_c1__FractionInABufferOfIntegers) {
  KernelBuilder kernel;
  int32_t a = kernel.at("a").sbuf(ElementType::UI32, 1, 1, 0);
  kernel.alloc(a);
  kernel.at("fill").fill(kernel.tile(a, 1, 0, 1), 0.5f);
  expectFault(kernel, kernel.run(), "fill",
              "leaves what is no such integer in a buffer of ui32", {"a"});
}

TEST(Fault, memory_c5__ResultWrittenInPart) {
  KernelBuilder kernel;
  int32_t y = kernel.argument(bf16, 100, /*result=*/true);
  kernel.at("fill").fill(kernel.hbm(y, 0, {{40, 1}}), 0);
  kernel.at("fill").fill(kernel.hbm(y, 42, {{58, 1}}), 0);
  Array data(bf16, 100);
  expectFault(kernel, kernel.run(data), "kernel",
              "never writes element 40 of its result, argument 0");
}

TEST(Fault, memory_c5__ResultNeverWritten) {
  KernelBuilder kernel;
  kernel.argument(f32, 4, /*result=*/true);
  Array data(f32, 4);
  expectFault(kernel, kernel.run(data), "kernel",
              "never writes element 0 of its result, argument 0");
}

TEST(Fault, MissingArgument) {
  KernelBuilder kernel;
  kernel.argument(f32, 4);
  expectFault(kernel, kernel.run(), "kernel", "needs data for argument 0");
}

TEST(Fault, EmptyRegionsDoNothing) {
  KernelBuilder kernel;
  int32_t a = kernel.sbuf(f32, 128, 64, 0);
  kernel.alloc(a);
  kernel.copy(kernel.tile(a, 128, 0, 0), kernel.tile(a, 128, 0, 0));
  kernel.fill(kernel.tile(a, 0, 0, 0), 0);
  EXPECT_FALSE(kernel.run());
}
