//===- CoresTest.cpp - Cores that meet ------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Interpreter/CoreGroup.h"

#include "KernelBuilder.h"

#include "gtest/gtest.h"
#include <thread>

using namespace mlir::trn;

static constexpr ElementType f32 = ElementType::F32;

namespace {
/// A program of collectives over arguments 0 and 1, of which it writes the
/// second one, and what each core has.
struct CoreProgram {
  Program program;
  std::vector<Array> arrays;
};

/// A collective over arrays of so many elements.
struct Met {
  Semantics semantics;
  int64_t pieceElements = 0;
};
} // namespace

static constexpr int64_t whole = 24;

/// A program that comes to all of `meetings`, each of which has arguments of
/// its own.
static CoreProgram build(const std::vector<Met> &meetings, int64_t cores,
                         unsigned seed) {
  KernelBuilder kernel;
  CoreProgram built;
  for (auto [number, met] : llvm::enumerate(meetings)) {
    int64_t read = whole, written = whole;
    if (met.semantics == Semantics::AllGather)
      read /= cores;
    if (met.semantics == Semantics::ReduceScatter)
      written /= cores;
    int32_t from = kernel.argument(f32, read);
    int32_t to = kernel.argument(f32, written, /*result=*/true);
    built.arrays.push_back(Array::random(f32, read, seed + number));
    built.arrays.emplace_back(f32, written);
    std::string name = "meeting" + std::to_string(number);
    kernel.at(name.c_str());
    Collective &of =
        kernel
            .execute(Engine::Collective, met.semantics,
                     {kernel.hbm(from, 0, {{read, 1}})},
                     kernel.hbm(to, 0, {{written, 1}}))
            .collective.emplace(Collective{cores, met.pieceElements});
    if (met.semantics == Semantics::Permute)
      for (int64_t core = 0; core < cores; ++core)
        of.sources.push_back((core + 1) % cores);
  }
  built.program = kernel.take();
  return built;
}

/// Runs one program a core; the faults, by core.
static std::vector<std::optional<Fault>> run(std::vector<CoreProgram> &cores) {
  auto group = makeCoreGroup(int64_t(cores.size()));
  std::vector<std::optional<Fault>> faults(cores.size());
  std::vector<std::thread> threads;
  const char *ignored = std::getenv("TRN_IGNORED_RULE");
  for (size_t i = 0; i < cores.size(); ++i)
    threads.emplace_back([&, i] {
      std::vector<void *> pointers;
      for (Array &array : cores[i].arrays)
        pointers.push_back(array.bytes.data());
      InterpreterOptions options;
      options.threads = 1;
      options.ignoredRule = ignored ? ignored : "";
      options.cores = group[i].get();
      faults[i] =
          interpret(cores[i].program, defaultMachine(), pointers, options);
      group[i]->leave();
    });
  for (std::thread &thread : threads)
    thread.join();
  return faults;
}

static std::vector<CoreProgram> buildAll(const std::vector<Met> &meetings,
                                         int64_t count) {
  std::vector<CoreProgram> cores;
  for (int64_t core = 0; core < count; ++core)
    cores.push_back(build(meetings, count, 100 * unsigned(core)));
  return cores;
}

TEST(Cores, SumGatherAndScatter) {
  constexpr int64_t count = 3, piece = whole / count, row = 4;
  std::vector<CoreProgram> cores = buildAll({{Semantics::AllReduce},
                                             {Semantics::AllGather, row},
                                             {Semantics::ReduceScatter, row}},
                                            count);
  for (const std::optional<Fault> &fault : run(cores))
    ASSERT_FALSE(fault) << fault->message;
  auto sumAt = [&](size_t array, int64_t i) {
    float sum = cores[0].arrays[array].values()[i];
    for (int64_t core = 1; core < count; ++core)
      sum += cores[core].arrays[array].values()[i];
    return sum;
  };
  for (int64_t core = 0; core < count; ++core) {
    const std::vector<Array> &arrays = cores[core].arrays;
    for (int64_t i = 0; i < whole; ++i) {
      EXPECT_EQ(arrays[1].values()[i], sumAt(0, i));
      // Two rows of four columns from each core.
      int64_t owner = i % (row * count) / row;
      int64_t at = i / (row * count) * row + i % row;
      EXPECT_EQ(arrays[3].values()[i], cores[owner].arrays[2].values()[at]);
    }
    for (int64_t i = 0; i < piece; ++i)
      EXPECT_EQ(arrays[5].values()[i],
                sumAt(4, i / row * row * count + core * row + i % row));
  }
}

/// Everything is rounded once.
TEST(Cores, SumsAreOfFloats) {
  std::vector<CoreProgram> cores;
  const float addends[] = {1.0f, 0.00390625f, 0.00390625f};
  for (float addend : addends) {
    KernelBuilder kernel;
    int32_t from = kernel.argument(ElementType::BF16, 1);
    int32_t to = kernel.argument(ElementType::BF16, 1, /*result=*/true);
    kernel
        .execute(Engine::Collective, Semantics::AllReduce,
                 {kernel.hbm(from, 0, {{1, 1}})}, kernel.hbm(to, 0, {{1, 1}}))
        .collective = Collective{3};
    CoreProgram &core = cores.emplace_back();
    core.program = kernel.take();
    core.arrays = {Array(ElementType::BF16, 1), Array(ElementType::BF16, 1)};
    storeFloats(ElementType::BF16, &addend, core.arrays[0].bytes.data(), 1);
  }
  for (const std::optional<Fault> &fault : run(cores))
    ASSERT_FALSE(fault) << fault->message;
  // One after the other, rounded each time, would give 1.
  EXPECT_EQ(cores[2].arrays[1].values()[0], 1.0078125f);
}

TEST(CoresFault, cores_c2__AsManyRunIt) {
  std::vector<CoreProgram> cores = {build({{Semantics::AllReduce}}, 2, 0)};
  std::optional<Fault> fault = run(cores).front();
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule, "cores_c2");
  EXPECT_EQ(fault->message, "is of 2 cores, but the program runs on 1");
}

TEST(CoresFault, cores_c1__BothAreNamed) {
  std::vector<CoreProgram> cores;
  cores.push_back(build({{Semantics::AllReduce}}, 2, 0));
  cores.push_back(build({{Semantics::ReduceScatter, 12}}, 2, 0));
  cores[1].program.ops.back().name = "scattering";
  std::vector<std::optional<Fault>> faults = run(cores);
  ASSERT_TRUE(faults[0] && faults[1]);
  EXPECT_EQ(faults[0]->rule, "cores_c1");
  EXPECT_NE(
      faults[0]->message.find("core 0 is at all_reduce of 96 bytes (meeting0)"),
      std::string::npos)
      << faults[0]->message;
  EXPECT_NE(faults[0]->message.find(
                "core 1 is at reduce_scatter of 96 bytes (scattering)"),
            std::string::npos)
      << faults[0]->message;
}

TEST(CoresFault, program_c1__WhatCoresExchangeFits) {
  auto faultOf = [](auto change) {
    std::vector<CoreProgram> cores = {build({{Semantics::AllToAll}}, 1, 0)};
    change(cores[0].program.instructions[0]);
    std::optional<Fault> fault = run(cores).front();
    return fault ? fault->rule.str() + ": " + fault->message : "";
  };
  EXPECT_EQ(faultOf([](Instruction &) {}), "");
  EXPECT_EQ(
      faultOf([](Instruction &exchange) { exchange.collective->cores = 5; }),
      "program_c1: cuts 24 along dimension 0 for 5 cores, and joins "
      "dimension 0");
  EXPECT_EQ(faultOf([](Instruction &exchange) {
              exchange.collective->concatDim = 1;
            }),
            "program_c1: cuts 24 along dimension 0 for 1 cores, and joins "
            "dimension 1");
  EXPECT_EQ(faultOf([](Instruction &exchange) {
              exchange.collective->groups = {0, 0};
            }),
            "program_c1: has groups of 1 cores that do not name each of 2 "
            "once");
  EXPECT_EQ(faultOf([](Instruction &exchange) {
              exchange.writes[0].dims[0].size = 12;
            }),
            "program_c1: makes 12 of pieces that make 24");
  EXPECT_EQ(faultOf([](Instruction &exchange) {
              exchange.semantics = Semantics::Permute;
            }),
            "program_c1: has no source for each of 1 cores");
  EXPECT_EQ(faultOf([](Instruction &exchange) {
              exchange.semantics = Semantics::Permute;
              exchange.collective->sources = {1};
            }),
            "program_c1: has no source for each of 1 cores");
}

/// Of random programs, those that are broken end, and say so; all others do
/// not.
TEST(Cores, NobodyWaitsForEver) {
  std::mt19937 random(7);
  const Semantics kinds[] = {Semantics::AllReduce, Semantics::AllGather,
                             Semantics::ReduceScatter, Semantics::AllToAll,
                             Semantics::Permute};
  for (unsigned trial = 0; trial < 200; ++trial) {
    const int64_t count = 2 + random() % 3;
    std::vector<Met> meetings(1 + random() % 6);
    for (Met &met : meetings)
      met = {kinds[random() % 5], whole / count};
    std::vector<CoreProgram> cores = buildAll(meetings, count);
    const bool isBroken = trial % 2 == 0;
    if (isBroken) {
      // One core lacks a collective, or has another one there.
      std::vector<Met> others = meetings;
      size_t at = random() % meetings.size();
      if (random() % 2)
        others.erase(others.begin() + at);
      else
        others[at].semantics =
            kinds[(int(others[at].semantics) - int(Semantics::AllReduce) + 1) %
                  5];
      cores[random() % count] = build(others, count, 5);
    }
    size_t numFaults = 0;
    for (const std::optional<Fault> &fault : run(cores))
      if (fault) {
        ++numFaults;
        EXPECT_EQ(fault->rule, "cores_c1") << fault->message;
      }
    EXPECT_EQ(numFaults > 0, isBroken) << "trial " << trial;
  }
}
