//===- RandomProgramTest.cpp - Random programs against a simple model -----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ByteModel.h"
#include "KernelBuilder.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

static constexpr ElementType types[] = {ElementType::BF16, ElementType::F16,
                                        ElementType::F32};
static constexpr int64_t hbmElements = 48;

/// So small that buffers collide and accesses miss now and then.
static Machine tinyMachine() {
  Machine machine = defaultMachine();
  machine.partitions = 4;
  machine.sbufPartitionBytes = 192;
  machine.psumBanks = 3;
  machine.psumBankBytes = 64;
  return machine;
}

namespace {

/// Mostly sensible: buffers are allocated, filled and used inside of loops, but
/// each choice may go wrong.
class RandomProgram {
public:
  explicit RandomProgram(unsigned seed) : random(seed) {
    hbm.push_back(kernel.argument(pickType(), hbmElements));
    hbm.push_back(kernel.argument(pickType(), hbmElements, /*result=*/true));
    int64_t offset = 0;
    for (int i = 0; i < 3; ++i) {
      ElementType type = pickType();
      int64_t elements = 4 + pick(8), slots = 1 + pick(2);
      kernel.at("sbuf");
      sbuf.push_back(kernel.sbuf(type, 2 + pick(3), elements, offset, slots));
      if (!chance(5))
        offset += elements * slots * byteSize(type);
      offset += offset % 4;
    }
    kernel.at("indices");
    indices = kernel.sbuf(ElementType::I32, 4, 1, offset);
    for (int i = 0; i < 2; ++i) {
      kernel.at("psum");
      psum.push_back(kernel.psum(ElementType::F32, 2 + pick(3), 4 + pick(8),
                                 chance(10) ? 0 : i, 1, pick(2) * 16));
    }
    if (chance(90))
      kernel.at("clear").fill(kernel.hbm(hbm[1], 0, {{hbmElements, 1}}), 0);
    for (int32_t buffer : sbuf)
      start(buffer);
    for (int32_t buffer : psum)
      start(buffer);
    start(indices);
    body(/*depth=*/0);
  }

  KernelBuilder kernel;

private:
  int64_t pick(int64_t bound) { return int64_t(random() % bound); }
  bool chance(int64_t percent) { return pick(100) < percent; }
  ElementType pickType() { return types[pick(3)]; }
  int32_t pickFrom(llvm::ArrayRef<int32_t> list) {
    return list[pick(list.size())];
  }
  const Buffer &info(int32_t buffer) {
    return kernel.program().buffers[buffer];
  }
  int64_t width(int32_t buffer) {
    return info(buffer).bytesPerPartition / byteSize(info(buffer).type);
  }

  void start(int32_t buffer) {
    kernel.alloc(buffer);
    if (chance(98))
      kernel.at("start").fill(
          kernel.tile(buffer, info(buffer).partitions, 0, width(buffer)),
          float(pick(5)));
  }

  void body(int depth) {
    for (int64_t i = 0, count = 2 + pick(6); i < count; ++i) {
      if (depth < 2 && chance(25)) {
        loops.push_back(kernel.beginLoop(pick(4)));
        body(depth + 1);
        kernel.endLoop();
        loops.pop_back();
      } else if (chance(6)) {
        int32_t buffer = pickFrom(sbuf);
        if (chance(50))
          kernel.dealloc(buffer);
        start(buffer);
      } else {
        instruction();
      }
    }
  }

  /// Mostly constant, sometimes walking with a loop.
  LinearExpr position(int64_t room) {
    int64_t bound = std::max<int64_t>(room, 0) + 1;
    if (!loops.empty() && chance(room > 1 ? 40 : 2))
      return LinearExpr::counter(loops[pick(loops.size())], 1);
    return chance(99) ? pick(bound) : bound;
  }

  Access piece(int32_t buffer, int64_t rows, int64_t columns) {
    if (info(buffer).space == Space::Hbm)
      return kernel.hbm(buffer, position(hbmElements - rows * columns),
                        {{rows, columns}, {columns, 1}});
    int64_t stride =
        columns > 1 && columns * 2 <= width(buffer) && chance(30) ? 2 : 1;
    if (chance(1))
      stride = 0;
    return kernel.tile(buffer, position(info(buffer).partitions - rows), rows,
                       position(width(buffer) - (columns - 1) * stride - 1),
                       {{columns, stride}});
  }

  /// Counted ones, of which some may be negative or too large.
  Access choose(int64_t rows) {
    Access column = kernel.tile(indices, rows, 0, 1);
    int64_t step = chance(90) ? 1 + pick(2) : pick(2) - 1;
    kernel.execute(Engine::GpSimd, Semantics::Iota, {}, column).parameters = {
        float(chance(90) ? pick(4) : pick(20) - 5), float(step), 0};
    kernel.at("rows");
    return column;
  }

  void moveRows(int64_t rows, int64_t columns) {
    Access column = choose(rows);
    bool isGather = chance(50);
    int32_t buffer = hbm[isGather == chance(95) ? 0 : 1];
    Access table = kernel.hbm(buffer, pick(4), {{10, columns}, {columns, 1}});
    Access tile = piece(pickFrom(sbuf), rows, columns);
    Instruction &moved = isGather
                             ? kernel.execute(Engine::Load, Semantics::Gather,
                                              {table, column}, tile)
                             : kernel.execute(Engine::Store, Semantics::Scatter,
                                              {tile, column}, table);
    moved.skipsMissing = chance(50);
  }

  void instruction() {
    int64_t rows = 1 + pick(3), columns = 1 + pick(4);
    int32_t from = pickFrom(sbuf), to = pickFrom(sbuf);
    kernel.at("instruction");
    switch (pick(13)) {
    case 0:
      return kernel.fill(piece(to, rows, columns), float(pick(7)) - 3);
    case 1:
      return kernel.copy(piece(hbm[chance(97) ? 0 : 1], rows, columns),
                         piece(to, rows, columns));
    case 2:
      return kernel.copy(piece(from, rows, columns),
                         piece(hbm[chance(99) ? 1 : 0], rows, columns));
    case 3:
      return kernel.copy(
          piece(chance(50) ? pickFrom(psum) : from, rows, columns),
          piece(chance(20) ? pickFrom(psum) : to, rows, columns));
    case 4:
      kernel.execute(Engine::Vector, Semantics::Transpose,
                     {piece(from, rows, columns)}, piece(to, columns, rows));
      return;
    case 5: {
      Access out = piece(to, rows, columns);
      Instruction &map = kernel.execute(
          Engine::Scalar, Semantics::Map,
          {chance(50) ? out : piece(from, rows, columns),
           piece(pickFrom(sbuf), rows, chance(50) ? 1 : columns)},
          out);
      map.formula = {{Function::Copy, Source::Constant, Source::Read}};
      map.parameters = {2, 0};
      if (chance(70))
        return;
      map.fold = Fold{Function::Add, /*accumulates=*/chance(50)};
      map.writes.push_back(piece(pickFrom(sbuf), rows, 1));
      if (map.fold->accumulates)
        map.reads.push_back(map.writes.back());
      return;
    }
    case 6:
      kernel
          .execute(Engine::Vector, Semantics::Reduce,
                   {piece(chance(50) ? pickFrom(psum) : from, rows, columns)},
                   piece(to, rows, 1))
          .fold = Fold{Function::Add};
      return;
    case 7:
      kernel
          .execute(Engine::GpSimd, Semantics::Iota, {},
                   piece(to, rows, columns))
          .parameters = {1, 3, -2};
      return;
    case 8: {
      Access out = piece(to, rows, columns);
      Instruction &scan =
          kernel.execute(Engine::Vector, Semantics::Scan,
                         {chance(50) ? out : piece(from, rows, columns),
                          piece(pickFrom(sbuf), rows, columns)},
                         out);
      scan.formula = {{Function::Mul}, {Function::Add, Source::Read}};
      scan.parameters = {-1};
      return;
    }
    case 9:
    case 10:
      return moveRows(rows, columns);
    default: {
      int64_t k = 1 + pick(3);
      int32_t into = pickFrom(psum);
      Access result = kernel.tile(into, rows, 0, columns);
      kernel.matmul(piece(from, k, rows), piece(to, k, columns), result);
      for (int64_t i = pick(3); i > 0; --i)
        kernel.accumulateAlways(
            kernel.matmul(piece(from, k, rows), piece(to, k, columns), result));
    }
    }
  }

  std::mt19937 random;
  std::vector<int32_t> hbm, sbuf, psum, loops;
  int32_t indices;
};

} // namespace

TEST(RandomProgram, FaultsAndValuesAreThoseOfTheByteModel) {
  Machine machine = tinyMachine();
  int faulted = 0, compared = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    RandomProgram random(seed);
    const Program &program = random.kernel.program();
    Array x(program.buffers[0].type, hbmElements);
    std::vector<float> small(hbmElements);
    for (int64_t i = 0; i < hbmElements; ++i)
      small[i] = float((i * 7 + seed) % 9) - 4;
    storeFloats(x.type, small.data(), x.bytes.data(), hbmElements);
    ByteModel model(program, machine);
    model.setArgument(0, x.values());
    std::optional<int32_t> expected = model.run();
    faulted += expected.has_value();
    for (unsigned threads : {1, 3}) {
      if (threads > 1 && seed % 8 != 0)
        continue;
      Array y(program.buffers[1].type, hbmElements);
      Array input = x;
      std::optional<Fault> fault = interpret(
          program, machine, {input.bytes.data(), y.bytes.data()}, {threads});
      ASSERT_EQ(fault.has_value(), expected.has_value())
          << "seed " << seed << (fault ? ": " + fault->message : "");
      if (fault) {
        ASSERT_EQ(fault->op, *expected)
            << "seed " << seed << ": " << fault->message;
        continue;
      }
      if (!model.isExact())
        continue;
      ++compared;
      std::vector<float> values = y.values();
      for (int64_t i = 0; i < hbmElements; ++i)
        if (std::optional<float> value = model.result(1, i))
          ASSERT_EQ(values[i], *value) << "seed " << seed << ", element " << i;
    }
  }
  // The generator must keep producing both kinds.
  EXPECT_GT(faulted, 300);
  EXPECT_GT(compared, 300);
}
