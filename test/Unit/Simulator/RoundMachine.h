//===- RoundMachine.h - A machine to compute with by hand -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_SIMULATOR_ROUNDMACHINE_H
#define TRN_TEST_UNIT_SIMULATOR_ROUNDMACHINE_H

#include "trn/Machine/KnownMachines.h"
#include "trn/Program/ProgramBuilder.h"
#include "trn/Simulator/Simulator.h"

namespace mlir::trn {

/// trn1 with round rates: a moving column takes 0.5 ns, a cycle of the other
/// engines 1 ns, a kilobyte on a DMA engine 64 ns.
inline Machine roundMachine() {
  Machine machine = defaultMachine();
  machine.tensorNsPerColumn = 0.5;
  machine.tensorLatencyNs = 150;
  machine.vectorGHz = machine.scalarGHz = machine.gpsimdGHz = 1;
  machine.minCycles = 64;
  machine.vectorAccessCycles = machine.scalarAccessCycles =
      machine.gpsimdAccessCycles = 60;
  machine.vectorLatencyCycles = machine.scalarLatencyCycles =
      machine.scalarFunctionLatencyCycles = machine.gpsimdLatencyCycles =
          machine.memsetLatencyCycles = 160;
  machine.minLatencyCycles = 224;
  machine.semaphoreNs = 200;
  machine.dmaGBPerSecondPerEngine = 16;
  machine.dmaNsPerDescriptor = 10;
  machine.dmaMinNsPerDescriptor = machine.dmaMinTransferNs = 0;
  machine.dmaLatencyNs = 1000;
  machine.kernelOverheadNs = 0;
  machine.portLocks = false;
  return machine;
}

/// Nanoseconds in the unit of the simulator.
constexpr int64_t ns(int64_t count) { return count * 1000; }

/// Keeps every event, in program order.
struct Recorder final : TimelineSink {
  std::vector<TimelineEvent> events;
  std::vector<SlotLifetime> lifetimes;

  void instruction(const TimelineEvent &event) override {
    events.push_back(event);
  }
  void lifetime(const SlotLifetime &lifetime) override {
    lifetimes.push_back(lifetime);
  }
};

inline SimulationResult run(const Program &program, const Machine &machine,
                            Recorder &recorder) {
  SimulationOptions options;
  options.timeline = &recorder;
  return simulate(program, machine, options);
}

/// Builds programs out of whole tiles of bf16 rows with 128 partitions.
struct TileBuilder : ProgramBuilder {
  TileBuilder() : ProgramBuilder("test") {}

  /// Moves `columns` of 128 rows between `argument`, from element `at` with
  /// rows of `pitch`, and all of `tile`.
  Instruction &load(int32_t tile, int32_t argument, LinearExpr at,
                    int64_t columns, int64_t pitch) {
    op("trn.dma_copy");
    Instruction &added =
        execute(Engine::Load, Semantics::Copy,
                {hbm(argument, std::move(at), {{128, pitch}, {columns, 1}})},
                this->tile(tile, 128, 0, columns));
    setDma(added);
    return added;
  }
  void store(int32_t argument, int32_t tile, LinearExpr at, int64_t columns,
             int64_t pitch) {
    op("trn.dma_copy");
    setDma(execute(Engine::Store, Semantics::Copy,
                   {this->tile(tile, 128, 0, columns)},
                   hbm(argument, std::move(at), {{128, pitch}, {columns, 1}})));
  }
  /// An elementwise instruction over `columns` from column `at` of both tiles.
  Instruction &copy(Engine engine, int32_t to, int32_t from, int64_t columns,
                    LinearExpr at = 0) {
    op("trn.tensor_copy");
    Instruction &added =
        execute(engine, Semantics::Copy, {tile(from, 128, at, columns)},
                tile(to, 128, at, columns));
    added.work.cycles = std::max<int64_t>(64, columns);
    return added;
  }
  Instruction &fill(Engine engine, int32_t to, int64_t columns,
                    LinearExpr at = 0) {
    op("trn.memset");
    Instruction &added = execute(engine, Semantics::Fill, {},
                                 tile(to, 128, std::move(at), columns));
    added.parameters = {0};
    added.work.cycles = std::max<int64_t>(64, columns);
    return added;
  }
  /// All of `moving` times 128 columns of `stationary`.
  Instruction &matmul(int32_t into, int32_t stationary, int32_t moving,
                      int64_t columns, LinearExpr intoAt = 0) {
    op("trn.matmul");
    Instruction &added =
        execute(Engine::Tensor, Semantics::Matmul,
                {tile(stationary, 128, 0, 128), tile(moving, 128, 0, columns)},
                tile(into, 128, std::move(intoAt), columns));
    added.work.cycles = columns;
    added.work.flops = 2 * 128 * 128 * columns;
    return added;
  }

private:
  static void setDma(Instruction &dma) {
    dma.work.bytes = dma.reads.front().numBytes();
    dma.work.descriptors = 128;
  }
};

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_SIMULATOR_ROUNDMACHINE_H
