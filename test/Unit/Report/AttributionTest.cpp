//===- AttributionTest.cpp - Where the report says that time goes ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Attribution.h"

#include "trn/Machine/KnownMachines.h"
#include "trn/Program/ProgramBuilder.h"
#include "trn/Report/Keys.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using llvm::json::Array;
using llvm::json::Object;

namespace {

constexpr ElementType bf16 = ElementType::BF16;
constexpr int64_t ms = 1'000'000'000;

/// A load of each of two arguments, twice a matmul of the same op of the source
/// (as peeling makes), a store, and scratch in HBM.
Program program() {
  ProgramBuilder b("kernel");
  int32_t x = b.argument(bf16, 1000), w = b.argument(bf16, 3000);
  int32_t o = b.argument(bf16, 500, /*isResult=*/true);
  b.scratch(bf16, 200);
  int32_t tile = b.sbuf(bf16, 128, 512, 0);
  Access chip = b.tile(tile, 128, 0, 512);
  b.op("trn.dma_copy", "model.mlir:1:1");
  b.execute(Engine::Load, Semantics::Copy, {b.hbm(x, 0, {{1, 1}})}, chip);
  b.op("trn.dma_copy", "model.mlir:1:1");
  b.execute(Engine::Load, Semantics::Copy, {b.hbm(w, 0, {{1, 1}})}, chip);
  for (int i = 0; i < 2; ++i) {
    b.op("trn.matmul", "model.mlir:7:10");
    b.execute(Engine::Tensor, Semantics::Matmul, {chip, chip}, chip);
  }
  b.op("trn.dma_copy", "model.mlir:9:3");
  b.execute(Engine::Store, Semantics::Copy, {chip}, b.hbm(o, 0, {{1, 1}}));
  Program result = b.take();
  result.buffers[1].location = "model.mlir:1:30";
  return result;
}

/// 10 ms: 1 of overhead, 2 of the load of W, 6 of matmuls, 1 of the store.
SimulationResult simulation() {
  SimulationResult result;
  result.latency = 10 * ms;
  result.totals.resize(5);
  for (auto [index, times] : {std::tuple(0, std::pair(1 * ms, 0 * ms)),
                              {1, {2 * ms, 1 * ms}},
                              {2, {4 * ms, 0}},
                              {3, {2 * ms, 3 * ms}},
                              {4, {1 * ms, 9 * ms}}}) {
    InstructionTotals &totals = result.totals[index];
    totals.executions = 10;
    std::tie(totals.busy, totals.waited) = times;
    totals.waits[int(WaitReason::Data)] = totals.waited / 3;
    totals.waits[int(WaitReason::Buffer)] = totals.waited - totals.waited / 3;
  }
  result.waits[int(Engine::Tensor)][int(WaitReason::Data)] = 1 * ms;
  result.waits[int(Engine::Tensor)][int(WaitReason::Buffer)] = 2 * ms;
  result.traffic = {{2000, 0}, {54000, 0}, {0, 1000}, {800, 400}, {}};
  CriticalPath path;
  path.kernelOverhead = 1 * ms;
  path.instructions.resize(5);
  path.instructions[1][int(PathReason::Busy)] = 2 * ms;
  path.instructions[2][int(PathReason::Busy)] = 3 * ms;
  path.instructions[3][int(PathReason::Busy)] = 2 * ms;
  path.instructions[3][int(PathReason::ResultLatency)] = 1 * ms;
  path.instructions[4][int(PathReason::Semaphore)] = 1 * ms;
  result.criticalPath = path;
  return result;
}

/// The report of `calls` calls.
Report reportOf(const Program &program, const SimulationResult &simulation,
                int calls) {
  llvm::SmallVector<KernelCall> all(calls, KernelCall{&program,
                                                      &simulation,
                                                      {},
                                                      /*modelFlops=*/0});
  return makeReport(all, defaultMachine());
}

/// The rows of a table of the only kernel.
Array rows(const Report &report, llvm::StringRef table) {
  for (const auto &[key, value] : kernelEntries(report.kernels.front()))
    if (key == table)
      return *value.getAsArray();
  ADD_FAILURE() << "no " << table.str();
  return {};
}

/// One object for comparison with a literal.
void expectRow(const Array &rows, size_t index, Object expected) {
  ASSERT_LT(index, rows.size());
  EXPECT_EQ(rows[index], llvm::json::Value(std::move(expected)));
}

llvm::json::Value metric(const Report &report, llvm::StringRef key) {
  return findMetricKey(key)->value(report.total, report.machine);
}

TEST(Attribution, ThePathAddsUpToTheLatency) {
  Program kernel = program();
  SimulationResult result = simulation();
  Report report = reportOf(kernel, result, 2);
  llvm::json::Value path = metric(report, "critical_path");
  double sum = 0;
  for (const llvm::json::Value &row : *path.getAsArray())
    sum += *row.getAsObject()->getNumber("ms");
  EXPECT_DOUBLE_EQ(sum, 20);
  // The longest first, both matmuls and both calls together.
  expectRow(*path.getAsArray(), 0,
            Object{{"engine", "tensor"},
                   {"reason", "busy"},
                   {"ms", 10.0},
                   {"percent", 50.0}});
  // Equal ones by name.
  expectRow(*path.getAsArray(), 2,
            Object{{"engine", "kernel"},
                   {"reason", "kernel_overhead"},
                   {"ms", 2.0},
                   {"percent", 10.0}});
}

TEST(Attribution, WhatCouldNotBeFollowedIsARow) {
  Program kernel = program();
  SimulationResult result = simulation();
  result.criticalPath->kernelOverhead = 0;
  result.criticalPath->notFollowed = 1 * ms;
  llvm::json::Value path = metric(reportOf(kernel, result, 1), "critical_path");
  expectRow(*path.getAsArray(), 2,
            Object{{"engine", "kernel"},
                   {"reason", "not_followed"},
                   {"ms", 1.0},
                   {"percent", 10.0}});
}

TEST(Attribution, WaitsAreByEngineWithoutZeros) {
  Program kernel = program();
  SimulationResult result = simulation();
  EXPECT_EQ(metric(reportOf(kernel, result, 2), "engine_waits"),
            llvm::json::Value(
                Object{{"tensor", Object{{"data", 2.0}, {"buffer", 4.0}}}}));
}

TEST(Attribution, OpsOfOnePlaceCountTogether) {
  Program kernel = program();
  SimulationResult result = simulation();
  Array ops = rows(reportOf(kernel, result, 2), "top_ops");
  ASSERT_EQ(ops.size(), 4u);
  expectRow(ops, 0,
            Object{{"op", "matmul"},
                   {"engine", "tensor"},
                   {"location", "model.mlir:7:10"},
                   {"executions", 40},
                   {"busy_ms", 12.0},
                   {"waited_ms", 6.0},
                   {"wait_reason", "buffer"},
                   {"critical_ms", 12.0}});
  // The loads have the same location, but move different buffers.
  EXPECT_EQ(ops[1].getAsObject()->getString("buffer"), "argument 1");
  EXPECT_EQ(ops[3].getAsObject()->getString("buffer"), "argument 0");
  EXPECT_EQ(ops[3].getAsObject()->getString("wait_reason"), "none");
}

TEST(Attribution, OpsThatCountTogetherAreKnownByTheFirst) {
  Program kernel = program();
  Report report = reportOf(kernel, simulation(), 2);
  std::vector<int64_t> executions(kernel.ops.size());
  for (const OpTimes &op : report.kernels[0].ops) {
    EXPECT_EQ(kernel.ops[op.index].name, "trn." + op.op);
    EXPECT_EQ(kernel.ops[op.index].location, op.location);
    executions[op.index] += op.executions;
  }
  // The kernel; two loads, two products, and a store.
  EXPECT_EQ(executions, (std::vector<int64_t>{0, 40, 0, 40, 0, 20}));
}

TEST(Attribution, ThereAreAtMostTenOps) {
  Program kernel = program();
  SimulationResult result = simulation();
  for (int i = 0; i < 20; ++i) {
    kernel.ops.push_back({"trn.memset", "model.mlir:" + std::to_string(i)});
    Instruction fill = kernel.instructions[2];
    fill.op = kernel.ops.size() - 1;
    kernel.instructions.push_back(fill);
    result.totals.push_back({1, i * ms, 0});
    result.criticalPath->instructions.push_back({});
  }
  Array ops = rows(reportOf(kernel, result, 1), "top_ops");
  ASSERT_EQ(ops.size(), 10u);
  // Those on the path first, then the busiest.
  EXPECT_EQ(ops[2].getAsObject()->getString("op"), "dma_copy");
  EXPECT_EQ(ops[3].getAsObject()->getString("location"), "model.mlir:19");
}

TEST(Attribution, BuffersAreMeasuredAgainstTheirSize) {
  Program kernel = program();
  SimulationResult result = simulation();
  Array buffers = rows(reportOf(kernel, result, 2), "buffers");
  ASSERT_EQ(buffers.size(), 4u); // nothing on chip
  // W: read 9.0 times.
  expectRow(buffers, 1,
            Object{{"buffer", "argument 1"},
                   {"location", "model.mlir:1:30"},
                   {"bytes", 12000},
                   {"compulsory_bytes", 12000},
                   {"read_bytes", 108000},
                   {"read_times", 9.0},
                   {"write_bytes", 0},
                   {"write_times", 0.0}});
  const Object &scratch = *buffers[3].getAsObject();
  EXPECT_EQ(scratch.getString("buffer"), "scratch 0");
  EXPECT_EQ(scratch.getInteger("compulsory_bytes"), 0);
  EXPECT_EQ(scratch.getNumber("read_times"), 2.0);
  EXPECT_EQ(scratch.getNumber("write_times"), 1.0);
}

/// Positions name what the kernel does not; tiles on chip have no name here.
TEST(Attribution, BuffersHaveTheNamesOfTheirMatrices) {
  Program kernel = program();
  kernel.buffers[1].matrix = "w";
  kernel.buffers[4].matrix = "wt";
  EXPECT_EQ(bufferNames(kernel),
            (std::vector<std::string>{"argument 0", "w", "result 0",
                                      "scratch 0", ""}));
}

TEST(Attribution, TextHasEveryColumnAndRow) {
  Program kernel = program();
  SimulationResult result = simulation();
  std::string text;
  llvm::raw_string_ostream os(text);
  printText(reportOf(kernel, result, 1), os);
  for (const char *line :
       {"    percent       ms  engine  reason\n"
        "      50.00  5.00000  tensor  busy\n"
        "      20.00  2.00000  load    busy\n",
        "               data   buffer\n"
        "    tensor  1.00000  2.00000\n",
        "critical_ms  busy_ms  waited_ms  executions  wait_reason  engine  "
        "op        buffer      location\n",
        "    6.00000  6.00000    3.00000          20  buffer       tensor  "
        "matmul                model.mlir:7:10\n",
        "read_times  read_bytes  write_times  write_bytes  "
        "compulsory_bytes  bytes  buffer      location\n",
        "       9.0      54,000          0.0            0             6,000  "
        "6,000  argument 1  model.mlir:1:30\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

} // namespace
