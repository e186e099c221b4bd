//===- RandomProgram.h - Programs by chance ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_SIMULATOR_RANDOMPROGRAM_H
#define TRN_TEST_UNIT_SIMULATOR_RANDOMPROGRAM_H

#include "RoundMachine.h"

#include <random>

namespace mlir::trn {

/// Everything on all queues: transfers of some of the partitions, products,
/// elementwise work, rotating tiles.
inline Program randomProgram(std::mt19937 &random) {
  constexpr ElementType bf16 = ElementType::BF16, f32 = ElementType::F32;
  auto pick = [&](int64_t limit) { return int64_t(random() % limit); };
  TileBuilder b;
  int32_t hbm[2] = {b.argument(bf16, 1 << 20), b.scratch(bf16, 1 << 20)};
  int32_t result = b.argument(bf16, 1 << 20, /*isResult=*/true);
  std::vector<int32_t> tiles;
  for (int64_t i = 0; i < 6; ++i)
    tiles.push_back(b.sbuf(bf16, 128, 512, i * 4096, 1 + pick(3)));
  int32_t bank = b.psum(f32, 128, 512, 0, 1 + pick(4));
  auto tile = [&] { return tiles[pick(tiles.size())]; };
  auto transfer = [&](Engine engine) {
    int64_t first = pick(2) * 64, rows = pick(2) ? 128 - first : 64;
    int64_t columns = 32 << pick(5);
    Access chip = b.tile(tile(), first, rows, 0, {{columns, 1}});
    int32_t buffer = engine == Engine::Store && pick(2) ? result : hbm[pick(2)];
    Access outside = b.hbm(buffer, 0, {{rows, 1024}, {columns, 1}});
    b.op("trn.dma_copy");
    Instruction &added =
        engine == Engine::Load
            ? b.execute(engine, Semantics::Copy, {outside}, chip)
            : b.execute(engine, Semantics::Copy, {chip}, outside);
    added.work.bytes = rows * columns * 2;
    added.work.descriptors = rows;
  };
  b.beginLoop(1 + pick(4));
  for (int outer = 0; outer < 2; ++outer) {
    b.beginLoop(1 + pick(30));
    for (int32_t t : tiles)
      if (pick(2))
        b.alloc(t);
    b.alloc(bank);
    for (int i = 0; i < 10; ++i)
      switch (pick(5)) {
      case 0:
        transfer(Engine::Load);
        break;
      case 1:
        transfer(Engine::Store);
        break;
      case 2:
        b.matmul(bank, tile(), tile(), 64 + pick(449));
        break;
      case 3:
        b.copy(static_cast<Engine>(1 + pick(3)), tile(), bank, 1 + pick(512));
        break;
      case 4:
        b.copy(static_cast<Engine>(1 + pick(3)), tile(), tile(), 1 + pick(512));
        break;
      }
    b.endLoop();
  }
  b.endLoop();
  return b.take();
}

/// Every latency there is, and none, for some `i`.
inline Machine variedMachine(int i) {
  Machine machine = roundMachine();
  machine.portLocks = i % 2;
  machine.kernelOverheadNs = i % 3 * 1000;
  machine.semaphoreNs = i % 5 * 800;
  machine.tensorLatencyNs = i % 2 * 150;
  machine.vectorAccessCycles = machine.scalarAccessCycles =
      machine.gpsimdAccessCycles = i % 7 * 20;
  machine.vectorLatencyCycles = machine.scalarLatencyCycles =
      machine.gpsimdLatencyCycles = i % 7 * 40;
  machine.dmaLatencyNs = i % 4 * 500;
  machine.dmaMinTransferNs = i % 6 / 3 * 900;
  machine.tensorThrottleNs = i % 4 / 2 * 3000;
  return machine;
}

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_SIMULATOR_RANDOMPROGRAM_H
