//===- ReportTest.cpp - Tests of the report -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Report.h"

#include "trn/Machine/KnownMachines.h"
#include "trn/Program/ProgramBuilder.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

Machine machine() {
  Machine machine = defaultMachine();
  machine.tensorNsPerColumn = 0.5;
  machine.tensorPeakTflopsBF16 = 100;
  machine.dmaGBPerSecondPerEngine = 16;
  machine.dmaNsPerDescriptor = 0;
  return machine;
}

Program program(std::string name = "xuv") {
  ProgramBuilder b(std::move(name));
  b.argument(ElementType::BF16, 500'000);
  b.argument(ElementType::BF16, 140'000, /*isResult=*/true);
  return b.take();
}

const std::vector<std::pair<std::string, std::string>> schedule = {
    {"blocks", "m=512"}, {"schedule", "nests = []"}};

KernelCall callOf(const Program &program, const SimulationResult &simulation) {
  KernelCall call = {&program, &simulation};
  call.modelFlops = 131'072'000'000; // 2 ms at 2 * 128 * 128 / 0.5 a ns
  call.schedule = schedule;
  return call;
}

SimulationResult simulation() {
  SimulationResult result;
  result.latency = 4'000'000'000; // 4 ms
  result.busy = {3'000'000'000, 1'000'000'000, 2'000'000'000, 0, 0, 0};
  result.dmaBusy = {1'000'000'000, 3'000'000'000};
  result.hbmReadBytes = 30'000'000;
  result.hbmWriteBytes = 10'000'000;
  result.spillSaveBytes = 1000;
  result.spillReloadBytes = 5000;
  result.executedFlops = 150'000'000'000;
  result.transposeFlops = 7'000'000;
  result.instructions = 12;
  result.instructionCounts = {{"dma_copy", 4}, {"matmul", 8}};
  result.sbufPeakPartitionBytes = 44 * 1024;
  result.psumPeakBanks = 6;
  return result;
}

/// The JSON text, read back.
llvm::json::Object readBack(const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printJson(report, os);
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    ADD_FAILURE() << llvm::toString(parsed.takeError());
    return {};
  }
  return std::move(*parsed->getAsObject());
}

std::string textOf(const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printText(report, os);
  return text;
}

double number(const llvm::json::Object &object, llvm::StringRef key) {
  std::optional<double> value = object.getNumber(key);
  EXPECT_TRUE(value) << key.str();
  return value.value_or(-1);
}

TEST(Report, DerivesItsNumbersFromTheSums) {
  Program kernel = program();
  SimulationResult result = simulation();
  llvm::json::Object json =
      readBack(makeReport(callOf(kernel, result), machine()));
  EXPECT_EQ(number(json, "latency_ms"), 4);
  EXPECT_EQ(number(json, "bound_ms"), 2);
  EXPECT_EQ(json.getString("bound_by"), "tensor_engine");
  EXPECT_EQ(number(json, "hbm_bytes"), 40'000'000);
  EXPECT_EQ(number(json, "hbm_lower_bound_bytes"), 2 * 640'000);
  EXPECT_EQ(number(json, "arithmetic_intensity"), 131'072'000'000. / 4e7);
  EXPECT_EQ(number(json, "flops"), 131'072'000'000);
  EXPECT_EQ(number(json, "executed_flops"), 150'000'000'000);
  // 131.072 GFLOP in 4 ms are 32.768 TFLOP/s, of 100.
  EXPECT_NEAR(number(json, "mfu_percent"), 32.768, 1e-9);
  EXPECT_EQ(number(json, "tensor_engine_active_percent"), 75);
  EXPECT_EQ(number(json, "vector_engine_active_percent"), 25);
  EXPECT_EQ(number(json, "scalar_engine_active_percent"), 50);
  EXPECT_EQ(number(json, "gpsimd_engine_active_percent"), 0);
  EXPECT_EQ(number(json, "dma_active_percent"), 50); // mean of 25 and 75
  EXPECT_EQ(number(json, "dma_gb_per_s"), 10);       // 40 MB in 4 ms
  EXPECT_EQ(number(json, "sbuf_peak_bytes"), 44 * 1024 * 128);
  EXPECT_EQ(number(json, "sbuf_peak_percent"), 25); // of 176 KiB
  EXPECT_EQ(number(json, "psum_peak_banks"), 6);
  EXPECT_EQ(number(*json.getObject("instruction_counts"), "matmul"), 8);
}

TEST(Report, TrafficCanBeTheBound) {
  Program kernel = program();
  SimulationResult result = simulation();
  KernelCall call = callOf(kernel, result);
  call.modelFlops = 1000;
  llvm::json::Object json = readBack(makeReport(call, machine()));
  EXPECT_EQ(json.getString("bound_by"), "traffic");
  EXPECT_EQ(number(json, "bound_ms"), 0.005); // 1.28 MB at 256 GB/s
}

TEST(Report, FindingsStandBeforeTheNumbers) {
  Program kernel = program();
  SimulationResult result = simulation(); // of 4 ms
  Report report = makeReport(callOf(kernel, result), machine());
  EXPECT_EQ(readBack(report).getArray("findings"), nullptr);

  Finding tried{"few_slots", "v", "kernel", "x.mlir:1:2", "it waits", "do it"};
  tried.latencyWithout = 1'000'000'000;
  tried.isTried = true;
  tried.compile = "";
  Finding known{"short_rows"};
  known.latencyWithout = 3'000'000'000;
  report.findings = {tried, known};
  llvm::json::Array findings = *readBack(report).getArray("findings");
  ASSERT_EQ(findings.size(), 2u);
  const llvm::json::Object &first = *findings[0].getAsObject();
  EXPECT_EQ(first.getString("cause"), "few_slots");
  EXPECT_EQ(number(first, "percent"), 75);
  EXPECT_EQ(number(first, "modelled_ms"), 1);
  EXPECT_EQ(first.getString("try"), "do it");
  EXPECT_EQ(first.getString("compile"), "");
  EXPECT_FALSE(findings[1].getAsObject()->getString("try"));

  std::string text = textOf(report);
  size_t line = text.find("    75.0 % few slots of v: it waits (x.mlir:1:2); "
                          "try: do it: 1 ms\n");
  EXPECT_LT(text.find("latency_ms"), line);
  EXPECT_LT(line, text.find("    also costs time: short rows 25.0 %"));
}

TEST(Report, CallsOfAKernelAddUp) {
  Program first = program("first"), second = program("second");
  SimulationResult result = simulation();
  KernelCall calls[] = {callOf(first, result), callOf(second, result),
                        callOf(first, result)};
  llvm::json::Object json = readBack(makeReport(calls, machine()));
  EXPECT_EQ(number(json, "latency_ms"), 12);
  EXPECT_EQ(number(json, "instructions"), 36);
  EXPECT_EQ(number(json, "psum_peak_banks"), 6); // a peak, not a sum
  EXPECT_EQ(number(json, "tensor_engine_active_percent"), 75);
  const llvm::json::Array &kernels = *json.getArray("kernels");
  ASSERT_EQ(kernels.size(), 2u);
  const llvm::json::Object &entry = *kernels[0].getAsObject();
  EXPECT_EQ(entry.getString("name"), "first");
  EXPECT_EQ(number(entry, "calls"), 2);
  EXPECT_EQ(number(entry, "latency_ms"), 8);
  EXPECT_EQ(entry.getString("blocks"), "m=512");
  EXPECT_EQ(entry.getString("schedule"), "nests = []");
}

TEST(Report, TextHasTheKeysOfJson) {
  Program first = program("first"), second = program("second");
  SimulationResult result = simulation();
  Report report =
      makeReport({callOf(first, result), callOf(second, result)}, machine());
  report.host = {{"interpret_s", 1.5}};
  report.hostOps = {{"linalg.generic", "a.mlir:1:2", 2, 6, 1'234'567},
                    {"tensor.pad", "a.mlir:3:4", 1, 1, std::nullopt}};
  report.loadOps = {{"linalg.transpose", "a.mlir:5:6", 1, 1, 64}};
  std::string text = textOf(report);
  for (const auto &entry : readBack(report)) {
    std::string key = entry.first.str();
    if (key == "kernels" || key == "modelled_on")
      continue;
    EXPECT_NE(text.find(key), std::string::npos) << key;
  }
  EXPECT_NE(text.find("modelled on trn1"), std::string::npos);
  EXPECT_NE(text.find("80,000,000"), std::string::npos);
}

TEST(Report, HostOpsAreListedAndCounted) {
  Report report = makeReport({}, machine());
  llvm::json::Object json = readBack(report);
  EXPECT_TRUE(json.getArray("host_ops")->empty());
  EXPECT_EQ(describeHostOps(countHostOps(report)), "");

  report.hostOps = {{"linalg.generic", "a.mlir:1:2", 2, 6, 48},
                    {"tensor.pad", "a.mlir:3:4", 1, 1, std::nullopt}};
  json = readBack(report);
  const llvm::json::Array &ops = *json.getArray("host_ops");
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops[0].getAsObject()->getString("op"), "linalg.generic");
  EXPECT_EQ(ops[0].getAsObject()->getString("location"), "a.mlir:1:2");
  EXPECT_EQ(number(*ops[0].getAsObject(), "count"), 2);
  EXPECT_EQ(number(*ops[0].getAsObject(), "executions"), 6);
  EXPECT_EQ(number(*ops[0].getAsObject(), "bytes"), 48);
  EXPECT_EQ(ops[1].getAsObject()->get("bytes"), nullptr);
  EXPECT_EQ(describeHostOps(countHostOps(report)),
            "latency_ms leaves out 3 host ops");
}

TEST(Report, TextSumsUpManyHostOps) {
  Report report = makeReport({}, machine());
  for (int line = 0; line < 11; ++line)
    report.hostOps.push_back(
        {"math.exp", "a.mlir:" + std::to_string(line), 1, 2, 100});
  std::string text = textOf(report);
  EXPECT_NE(text.find("   11          22  1,100  math.exp\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("latency_ms leaves out 11 host ops\n"),
            std::string::npos);
}

TEST(Report, TextGroupsKernelsThatDoTheSame) {
  std::vector<Program> programs = {program("a"), program("b"), program("c"),
                                   program("d")};
  SimulationResult result = simulation(), longer = simulation();
  longer.latency *= 2;
  std::vector<KernelCall> calls;
  for (const Program &program : programs)
    calls.push_back(callOf(program, program.name == "c" ? longer : result));
  calls.push_back(callOf(programs[1], result));
  Report report = makeReport(calls, machine());
  EXPECT_EQ(readBack(report).getArray("kernels")->size(), 4u);
  std::string text = textOf(report);
  auto [a, c] = llvm::StringRef(text).split("kernel c\n");
  EXPECT_TRUE(a.contains("kernel a and 2 more of the same work\n")) << text;
  EXPECT_FALSE(llvm::StringRef(text).contains("kernel b")) << text;
  // The sums of four calls of 4 ms, and one of 8.
  auto line = [](llvm::StringRef part, llvm::StringRef key) {
    return part.split("kernel ")
        .second.split(key)
        .second.split('\n')
        .first.trim();
  };
  EXPECT_EQ(line(a, "calls"), "4");
  EXPECT_EQ(line(a, "latency_ms"), "16");
  EXPECT_EQ(line(("kernel " + c).str(), "latency_ms"), "8");
}

TEST(Report, NothingRunIsNoDivisionByZero) {
  llvm::json::Object json = readBack(makeReport({}, machine()));
  EXPECT_EQ(number(json, "latency_ms"), 0);
  EXPECT_EQ(number(json, "mfu_percent"), 0);
  EXPECT_EQ(number(json, "dma_active_percent"), 0);
}

} // namespace
