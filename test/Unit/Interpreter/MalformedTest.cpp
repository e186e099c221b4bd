//===- MalformedTest.cpp - Tests of malformed instructions ----------------===//
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

using K = KernelBuilder &;

TEST(Fault, program_c1__MalformedInstructions) {
  auto run = [](auto build, const char *message) {
    KernelBuilder kernel;
    int32_t a = kernel.at("alloc").sbuf(f32, 128, 64, 0);
    int32_t b = kernel.sbuf(bf16, 128, 64, 256);
    kernel.alloc(a);
    kernel.alloc(b);
    kernel.fill(kernel.tile(a, 128, 0, 64), 0);
    kernel.fill(kernel.tile(b, 128, 0, 64), 0);
    kernel.at("bad");
    build(kernel, a, b);
    std::optional<Fault> fault = kernel.run();
    ASSERT_TRUE(fault) << message;
    EXPECT_EQ(kernel.nameOf(fault->op), "bad");
    EXPECT_NE(fault->message.find(message), std::string::npos)
        << fault->message;
  };
  run([](K k, int32_t a,
         int32_t b) { k.copy(k.tile(a, 128, 0, 6), k.tile(b, 128, 0, 4)); },
      "reads 128x6 elements, but writes 128x4");
  run(
      [](K k, int32_t a, int32_t b) {
        Access access = k.tile(b, 128, 0, 4);
        access.type = f32;
        k.copy(k.tile(a, 128, 0, 4), access);
      },
      "accesses f32 elements of a buffer of bf16");
  run(
      [](K k, int32_t a, int32_t b) {
        k.execute(Engine::Vector, Semantics::Transpose, {k.tile(a, 128, 0, 32)},
                  k.tile(b, 128, 0, 32));
      },
      "transposes 128x32 to 128x32");
  run(
      [](K k, int32_t a, int32_t b) {
        k.execute(Engine::Vector, Semantics::Copy, {}, k.tile(b, 128, 0, 32));
      },
      "reads 0 operands");
  run(
      [](K k, int32_t a, int32_t b) {
        k.execute(Engine::Vector, Semantics::Map, {k.tile(a, 128, 0, 32)},
                  k.tile(b, 128, 0, 32));
      },
      "computes a function that is not given");
  run(
      [](K k, int32_t a, int32_t b) {
        k.execute(Engine::Vector, Semantics::Reduce, {k.tile(a, 128, 0, 32)},
                  k.tile(b, 128, 0, 1));
      },
      "computes a function that is not given");
  auto compute = [](K k, Semantics semantics, int32_t a, int32_t b,
                    int64_t reads) -> Instruction & {
    llvm::SmallVector<Access> from(reads, k.tile(a, 128, 0, 1));
    return k.execute(Engine::Vector, semantics, from, k.tile(b, 128, 0, 1));
  };
  run(
      [&](K k, int32_t a, int32_t b) {
        compute(k, Semantics::Map, a, b, 2).formula = {{Function::Exp}};
      },
      "cannot compute exp of 2 operands");
  run(
      [&](K k, int32_t a, int32_t b) {
        compute(k, Semantics::Map, a, b, 2).formula = {
            {Function::Select, Source::Read, Source::Read}};
      },
      "cannot compute select of 2 operands");
  run(
      [&](K k, int32_t a, int32_t b) {
        compute(k, Semantics::Map, a, b, 2).formula = {
            {Function::Mul, Source::Read}, {Function::Add, Source::Read}};
      },
      "cannot compute mul of 2 operands");
  run(
      [&](K k, int32_t a, int32_t b) {
        compute(k, Semantics::Reduce, a, b, 1).fold = Fold{Function::Sub};
      },
      "cannot compute sub of 1 operands");
  run(
      [&](K k, int32_t a, int32_t b) {
        Instruction &exp = compute(k, Semantics::Map, a, b, 1);
        exp.formula = {{Function::Exp}};
        exp.parameters = {1};
      },
      "computes a function of constants that are not given");
  run(
      [](K k, int32_t a, int32_t b) {
        k.execute(Engine::GpSimd, Semantics::Iota, {}, k.tile(b, 128, 0, 32));
      },
      "counts with a start or steps that are not given");
  run(
      [](K k, int32_t a, int32_t b) {
        k.execute(Engine::GpSimd, Semantics::Iota, {},
                  k.tile(b, 0, 128, 0, {{4, 8}, {8, 1}}))
            .parameters = {0, 1, 2};
      },
      "counts with a start or steps that are not given");
  run(
      [](K k, int32_t a, int32_t b) {
        k.execute(Engine::Vector, Semantics::Partition, {k.tile(a, 128, 0, 7)},
                  k.tile(b, 128, 0, 8))
            .partitionFunction = PartitionFunction::Max8;
      },
      "has operands whose sizes do not fit");
  run(
      [](K k, int32_t a, int32_t b) {
        k.execute(Engine::Vector, Semantics::Shuffle, {k.tile(a, 2, 0, 8)},
                  k.tile(b, 2, 0, 8))
            .parameters = {0, 2};
      },
      "moves partition 2 of a quadrant, which it does not have");
  auto rows = [](K k, int32_t indices, int64_t columns, int64_t count) {
    int32_t y = k.scratch(f32, 512);
    k.execute(Engine::Load, Semantics::Gather,
              {k.hbm(y, 0, {{8, columns}, {columns, 1}}),
               k.tile(indices, count, 0, 1)},
              k.tile(0, 4, 0, 8));
  };
  run([&](K k, int32_t a, int32_t b) { rows(k, a, 8, 4); },
      "has indices of f32");
  auto counted = [](K k) {
    int32_t indices = k.sbuf(ElementType::I32, 128, 1, 512);
    k.alloc(indices);
    k.fill(k.tile(indices, 128, 0, 1), 0);
    k.at("bad");
    return indices;
  };
  run([&](K k, int32_t a, int32_t b) { rows(k, counted(k), 8, 5); },
      "has 5x1 indices for 4 partitions");
  run([&](K k, int32_t a, int32_t b) { rows(k, counted(k), 6, 4); },
      "moves rows of 8x6 to or from 4x8");
  run(
      [&](K k, int32_t a, int32_t b) {
        int32_t column = counted(k);
        k.execute(Engine::Load, Semantics::Gather,
                  {k.tile(a, 4, 0, 8), k.tile(column, 4, 0, 1)},
                  k.tile(b, 4, 0, 8));
      },
      "has no rows in HBM");
  run(
      [&](K k, int32_t a, int32_t b) {
        int32_t column = counted(k);
        int32_t sums = k.psum(f32, 128, 1, 0);
        k.alloc(sums);
        k.at("bad").matmul(k.tile(column, 128, 0, 1), k.tile(a, 128, 0, 1),
                           k.tile(sums, 1, 0, 1));
      },
      "multiplies integers");
  run(
      [](K k, int32_t a, int32_t b) {
        Instruction &scan =
            k.execute(Engine::Vector, Semantics::Scan, {k.tile(a, 64, 0, 8)},
                      k.tile(b, 128, 0, 8));
        scan.formula = {{Function::Add}};
        scan.parameters = {0};
      },
      "has operands of 64 and 128 partitions");
  run(
      [](K k, int32_t a, int32_t b) {
        Instruction &map =
            k.execute(Engine::Vector, Semantics::Map, {k.tile(a, 128, 0, 8)},
                      k.tile(b, 128, 0, 8));
        map.fold = Fold{Function::Add};
      },
      "writes 1 operands, but two are expected");
  run(
      [](K k, int32_t a, int32_t b) {
        Instruction &map =
            k.execute(Engine::Vector, Semantics::Map, {k.tile(a, 128, 0, 8)},
                      k.tile(b, 128, 0, 8));
        map.fold = Fold{Function::Add};
        map.writes.push_back(k.tile(b, 128, 8, 2));
      },
      "folds a partition into 128x2");
  run(
      [](K k, int32_t a, int32_t b) {
        int32_t y = k.scratch(ElementType::F32, 128);
        k.execute(Engine::GpSimd, Semantics::Iota, {},
                  k.hbm(y, 0, {{128, 1}, {1, 1}}))
            .parameters = {0, 1, 2};
      },
      "has an operand in HBM");
  auto sum = [](K k, const Access &from, const Access &to) {
    k.execute(Engine::Vector, Semantics::Reduce, {from}, to).fold =
        Fold{Function::Add};
  };
  run([&](K k, int32_t a,
          int32_t b) { sum(k, k.tile(a, 128, 0, 32), k.tile(b, 128, 0, 2)); },
      "reduces 128x32 to 128x2");
  run([&](K k, int32_t a,
          int32_t b) { sum(k, k.tile(a, 128, 0, 32), k.tile(b, 64, 0, 1)); },
      "reduces 128x32 to 64x1");
  run(
      [&](K k, int32_t a, int32_t b) {
        int32_t y = k.scratch(ElementType::F32, 128);
        sum(k, k.tile(a, 128, 0, 32), k.hbm(y, 0, {{128, 1}, {1, 1}}));
      },
      "has an operand in HBM");
  run([](K k, int32_t a,
         int32_t b) { k.fill(k.tile(a, 0, -1, 0, {{5, 1}}), 0); },
      "accesses a region of impossible size, -1x5");
  run([](K k, int32_t a,
         int32_t b) { k.fill(k.tile(a, 1, int64_t(1) << 60, 1), 0); },
      "has an address that overflows 64 bits");
  run(
      [](K k, int32_t a, int32_t b) {
        k.matmul(k.tile(a, 128, 0, 4), k.tile(b, 128, 0, 4),
                 k.tile(b, 4, 0, 4));
      },
      "must write f32 values to PSUM");
}
