//===- MachineIOTest.cpp - Tests of machines as JSON ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/MachineIO.h"

#include "trn/Machine/KnownMachines.h"
#include "trn/Machine/MachineFields.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

static std::string print(const Machine &machine) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printMachine(machine, os);
  return text;
}

static Machine parse(llvm::StringRef text) {
  llvm::Expected<Machine> machine = parseMachine(text, "my.json");
  EXPECT_TRUE(bool(machine)) << toString(machine.takeError());
  return machine ? *machine : Machine();
}

/// The message with which `text` is refused.
static std::string refusal(llvm::StringRef text) {
  llvm::Expected<Machine> machine = parseMachine(text, "my.json");
  return machine ? "accepted" : toString(machine.takeError());
}

static std::string withBase(llvm::StringRef constants) {
  return ("{\"base\": \"trn1\", " + constants + "}").str();
}

TEST(MachineIO, WhatIsPrintedReadsBack) {
  for (const Machine &machine : knownMachines()) {
    Machine again = parse(print(machine));
    EXPECT_EQ(print(again), print(machine));
    for (const MachineField &field : machineFields())
      EXPECT_EQ(field.get(again), field.get(machine)) << field.key.str();
  }
}

TEST(MachineIO, OverridesSingleConstants) {
  Machine machine = parse(withBase("\"sbuf_partition_bytes\": 393216"));
  EXPECT_EQ(machine.name, "my");
  EXPECT_EQ(machine.sbufPartitionBytes, 393216);
  EXPECT_EQ(machine.psumBanks, defaultMachine().psumBanks);
}

TEST(MachineIO, OverrideBecomesTheSource) {
  Machine machine = parse(withBase("\"semaphore_ns\": 1, \"psum_banks\": 4, "
                                   "\"dma_latency_ns\": 1"));
  const Origin &limit = machine.origins[*findMachineField("psum_banks")];
  EXPECT_EQ(limit.source, "my.json");
  EXPECT_EQ(limit.kind, FactKind::Legality);
  const Origin &cost = machine.origins[*findMachineField("dma_latency_ns")];
  EXPECT_EQ(cost.kind, FactKind::Assumed);
}

TEST(MachineIO, OverrideMayStateKindAndSource) {
  Machine machine = parse(withBase(
      R"("semaphore_ns": {"value": 90, "unit": "ns", "kind": "fitted",
                          "source": "our own runs"})"));
  const Origin &origin = machine.origins[*findMachineField("semaphore_ns")];
  EXPECT_EQ(machine.semaphoreNs, 90);
  EXPECT_EQ(origin.kind, FactKind::Fitted);
  EXPECT_EQ(origin.source, "our own runs");
}

TEST(MachineIO, NameIsOverridden) {
  EXPECT_EQ(parse(withBase("\"name\": \"big\"")).name, "big");
}

TEST(MachineIO, OverridesOfAnAttribute) {
  Machine machine = defaultMachine();
  llvm::json::Object overrides{{"psum_banks", 4}};
  EXPECT_FALSE(errorToBool(applyOverrides(machine, overrides, "#trn.machine")));
  EXPECT_EQ(machine.psumBanks, 4);
}

TEST(MachineIO, LoadsKnownMachinesAndFiles) {
  EXPECT_EQ(llvm::cantFail(loadMachine("trn2")).name, "trn2");
  llvm::SmallString<64> path;
  int fd;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("machine", "json", fd, path));
  llvm::raw_fd_ostream(fd, /*shouldClose=*/true)
      << withBase("\"psum_banks\": 2");
  EXPECT_EQ(llvm::cantFail(loadMachine(path)).psumBanks, 2);
  llvm::sys::fs::remove(path);
}

TEST(MachineIO, UnknownMachine) {
  EXPECT_EQ(toString(loadMachine("trn9").takeError()),
            "machine: unknown machine 'trn9'; known are trn1, trn2, or give "
            "the path of a JSON file that ends in .json");
  EXPECT_EQ(refusal("{\"base\": \"trn9\"}"),
            "my.json: unknown machine 'trn9'; known are trn1, trn2, or give "
            "the path of a JSON file that ends in .json");
}

TEST(MachineIO, MissingFile) {
  EXPECT_EQ(toString(loadMachine("no/such.json").takeError()),
            "no/such.json: cannot read the machine: No such file or directory");
}

TEST(MachineIO, Malformed) {
  EXPECT_TRUE(llvm::StringRef(refusal("{\"base\": "))
                  .starts_with("my.json: not JSON: [1:9"));
  EXPECT_TRUE(
      llvm::StringRef(refusal("\xff\xfe")).starts_with("my.json: not JSON: "));
  EXPECT_EQ(refusal("[1]"),
            "my.json: a machine is an object of constants, such as {\"base\": "
            "\"trn1\", \"sbuf_partition_bytes\": 393216}");
  EXPECT_EQ(refusal(std::string(1000000, '[')),
            "my.json: not JSON: the JSON is nested more than 64 deep");
}

TEST(MachineIO, UnknownKeySuggestsTheNearest) {
  EXPECT_EQ(refusal(withBase("\"sbuf_partition_byte\": 1")),
            "my.json: unknown key 'sbuf_partition_byte'; did you mean "
            "'sbuf_partition_bytes'?");
  EXPECT_EQ(refusal(withBase("\"frobnicate\": 1")),
            "my.json: unknown key 'frobnicate'");
  EXPECT_EQ(refusal(withBase("\"psum_banks\": {\"val\": 1}")),
            "my.json: unknown key 'val' in 'psum_banks'; known are value, "
            "unit, range, kind and source");
}

TEST(MachineIO, RangesAreKept) {
  auto machine = parseMachine(
      withBase("\"semaphore_ns\": {\"value\": 150, \"range\": [90, 300]}"),
      "my.json");
  ASSERT_TRUE(bool(machine));
  size_t index = *findMachineField("semaphore_ns");
  EXPECT_EQ(machine->origins[index].range, std::pair(90.0, 300.0));
  std::string printed;
  llvm::raw_string_ostream os(printed);
  printMachine(*machine, os);
  EXPECT_NE(printed.find("\"range\": [90, 300]"), std::string::npos);

  // A value of one's own has no range but what is said with it.
  auto plain = parseMachine(withBase("\"semaphore_ns\": 150"), "my.json");
  ASSERT_TRUE(bool(plain));
  EXPECT_EQ(plain->origins[index].range, std::nullopt);
}

TEST(MachineIO, RangesHoldTheirValue) {
  auto range = [](llvm::StringRef text) {
    return refusal(withBase(
        "\"semaphore_ns\": {\"value\": 150, \"range\": " + text.str() + "}"));
  };
  EXPECT_EQ(range("[200, 300]"),
            "my.json: 'semaphore_ns' is 150, but its 'range' is 200 to 300");
  EXPECT_EQ(range("[150]"), "my.json: 'range' of 'semaphore_ns' is [150], but "
                            "must be the lowest and the highest value: [low, "
                            "high]");
  EXPECT_EQ(range("[100, 1e9]"),
            "my.json: 'semaphore_ns' is 1e+09, but must be at most 1e+06");
  EXPECT_EQ(
      refusal(withBase("\"psum_banks\": {\"value\": 8, \"range\": [4, 8]}")),
      "my.json: 'psum_banks' has a 'range', but only times and rates "
      "may");
}

TEST(MachineIO, WrongTypes) {
  EXPECT_EQ(refusal(withBase("\"psum_banks\": \"eight\"")),
            "my.json: 'psum_banks' is \"eight\", but must be a whole number");
  EXPECT_EQ(refusal(withBase("\"psum_banks\": 7.5")),
            "my.json: 'psum_banks' is 7.5, but must be a whole number");
  EXPECT_EQ(refusal(withBase("\"semaphore_ns\": null")),
            "my.json: 'semaphore_ns' is null, but must be a number");
  EXPECT_EQ(refusal(withBase("\"port_locks\": 1")),
            "my.json: 'port_locks' is 1, but must be true or false");
  EXPECT_EQ(refusal("{\"base\": 1}"),
            "my.json: 'base' is 1, but must be the name of a machine");
  EXPECT_EQ(refusal(withBase("\"name\": \"\"")),
            "my.json: 'name' is \"\", but must be a name");
}

TEST(MachineIO, WrongDetails) {
  EXPECT_EQ(refusal(withBase("\"psum_banks\": {\"unit\": \"banks\"}")),
            "my.json: 'psum_banks' has no 'value'");
  EXPECT_EQ(
      refusal(withBase("\"psum_banks\": {\"value\": 8, \"unit\": \"KiB\"}")),
      "my.json: 'psum_banks' is given in 'KiB', but its unit is 'banks'");
  EXPECT_EQ(
      refusal(withBase("\"psum_banks\": {\"value\": 8, \"kind\": \"wild\"}")),
      "my.json: 'kind' of 'psum_banks' is 'wild', but must be legality, "
      "published, fitted or assumed");
  EXPECT_EQ(refusal(withBase("\"psum_banks\": {\"value\": 8, \"source\": 3}")),
            "my.json: 'source' of 'psum_banks' is 3, but must be text");
}

TEST(MachineIO, MissingConstantWithoutBase) {
  EXPECT_EQ(refusal("{}"),
            "my.json: 'partitions' is missing; give every constant, or name "
            "the machine to start from as \"base\": \"trn1\"");
}

TEST(MachineIO, OutOfRange) {
  EXPECT_EQ(refusal(withBase("\"psum_banks\": -4")),
            "my.json: 'psum_banks' is -4, but must be positive");
  EXPECT_EQ(refusal(withBase("\"semaphore_ns\": -0.5")),
            "my.json: 'semaphore_ns' is -0.5, but must be zero or more");
  EXPECT_EQ(refusal(withBase("\"dma_transpose_efficiency\": 1.5")),
            "my.json: 'dma_transpose_efficiency' is 1.5, but must be above 0 "
            "and at most 1");
  EXPECT_EQ(refusal(withBase("\"psum_bank_bytes\": 9000000000000000000")),
            "my.json: 'psum_bank_bytes' is 9e+18, but must be at most 1e+09");
  EXPECT_EQ(refusal(withBase("\"sbuf_partition_bytes\": 9223372036854775807")),
            "my.json: 'sbuf_partition_bytes' is 9.223372036854776e+18, but "
            "must be at most 1e+09");
  EXPECT_EQ(refusal(withBase("\"psum_banks\": 1000000000000")),
            "my.json: 'psum_banks' is 1e+12, but must be at most 65536");
  EXPECT_EQ(refusal(withBase("\"dma_engines\": 100000000")),
            "my.json: 'dma_engines' is 1e+08, but must be at most 65536");
}

TEST(MachineIO, RatesAndTimesStayWhatCanBeCounted) {
  EXPECT_EQ(refusal(withBase("\"dma_gb_per_second_per_engine\": 1e-6")),
            "my.json: 'dma_gb_per_second_per_engine' is 1e-06, but must be at "
            "least 0.001");
  EXPECT_EQ(refusal(withBase("\"vector_ghz\": 1e-300")),
            "my.json: 'vector_ghz' is 1e-300, but must be at least 0.001");
  EXPECT_EQ(refusal(withBase("\"dma_transpose_efficiency\": 1e-9")),
            "my.json: 'dma_transpose_efficiency' is 1e-09, but must be at "
            "least 0.001");
  EXPECT_EQ(refusal(withBase("\"dma_ns_per_descriptor\": 1e300")),
            "my.json: 'dma_ns_per_descriptor' is 1e+300, but must be at most "
            "1e+06");
  EXPECT_EQ(refusal(withBase("\"min_cycles\": 1e6")),
            "my.json: 'min_cycles' is 1e+06, but must be at most 65536");
  EXPECT_EQ(refusal(withBase("\"semaphore_ns\": 1e999")),
            "my.json: 'semaphore_ns' is inf, but must be a number");
}

TEST(MachineIO, ExtremesOfEveryConstant) {
  // Refused with the constant's name, or accepted, but never undefined.
  for (const MachineField &field : machineFields())
    for (const char *value :
         {"9223372036854775807", "-9223372036854775808", "18446744073709551615",
          "1e-300", "1e300", "1e999", "0", "-0.0", "-1", "null"}) {
      std::string text = "\"" + field.key.str() + "\": " + value;
      llvm::Expected<Machine> machine = parseMachine(withBase(text), "my.json");
      if (machine)
        continue;
      EXPECT_NE(toString(machine.takeError()).find(field.key.str()),
                std::string::npos)
          << text;
    }
}

TEST(MachineIO, AKeyIsGivenOnce) {
  EXPECT_EQ(refusal(withBase("\"psum_banks\": 2, \"psum_banks\": 4")),
            "my.json: not JSON: the JSON has the key \"psum_banks\" twice in "
            "one object");
}

TEST(MachineIO, ContradictoryMemories) {
  EXPECT_EQ(refusal(withBase("\"psum_bank_bytes\": 1024")),
            "my.json: 'moving_free_max' is 512, so an f32 result row takes "
            "2048 bytes, but 'psum_bank_bytes' is 1024");
  EXPECT_EQ(refusal(withBase("\"sbuf_partition_bytes\": 1024")),
            "my.json: 'moving_free_max' is 512, so an f32 operand row takes "
            "2048 bytes, but 'sbuf_partition_bytes' is 1024");
}

TEST(MachineIO, ContradictoryPartitions) {
  EXPECT_EQ(refusal(withBase("\"partitions\": 64")),
            "my.json: 'stationary_free_max' is 128, and each of its columns "
            "becomes a partition of PSUM, but 'partitions' is 64");
  EXPECT_EQ(refusal(withBase("\"partition_granule\": 48")),
            "my.json: 'partitions' is 128, but must be a multiple of "
            "'partition_granule', which is 48");
  EXPECT_EQ(refusal(withBase("\"vector_transpose_size\": 256")),
            "my.json: 'vector_transpose_size' is 256, but 'partitions' is 128");
}

TEST(MachineIO, LogicalCoresShareHbm) {
  EXPECT_EQ(refusal(withBase("\"lnc\": 4")),
            "my.json: 'lnc' is 4, but the cores of a logical core share HBM, "
            "and 'hbm_cores' is 2");
}

TEST(MachineIO, StaticDescriptorsNeedTheirRate) {
  EXPECT_EQ(refusal(withBase("\"dma_static_descriptors\": true")),
            "my.json: 'dma_static_descriptors' is true, but "
            "'dma_static_gb_per_second_per_engine' is 0; it must be at least "
            "0.001");
}

TEST(MachineIO, TablesOfFunctionsAreFew) {
  EXPECT_EQ(refusal(withBase("\"function_table_exp\": 65")),
            "my.json: 'function_table_exp' is 65, but must be at most 64");
  EXPECT_EQ(refusal(withBase("\"function_table_exp\": 1.5")),
            "my.json: 'function_table_exp' is 1.5, but must be a whole number");
}

TEST(MachineIO, ContradictoryRates) {
  EXPECT_EQ(refusal(withBase("\"tensor_peak_tflops_f32\": 100")),
            "my.json: 'tensor_peak_tflops_f32' is 100, but "
            "'tensor_peak_tflops_bf16' is only 91.75");
  // 2 * 128 * 128 FLOP in 0.2 ns.
  EXPECT_EQ(refusal(withBase("\"tensor_ns_per_column\": 0.2")),
            "my.json: 'tensor_ns_per_column' is 0.2, which is 163.84 TFLOP/s, "
            "but 'tensor_peak_tflops_bf16' is only 91.75; raise the peak too");
}
