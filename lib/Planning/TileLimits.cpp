//===- TileLimits.cpp - The tiles that kernels are cut into ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/TileLimits.h"

#include "trn/Machine/KnownMachines.h"
#include "trn/Support/Refuse.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;

llvm::Expected<Machine> mlir::trn::limitTiles(const Machine &machine) {
  auto refuseField = [&](llvm::StringRef field, int64_t value) {
    return refuse(
        "'{0}' of the machine is {1}, but kernels are cut into tiles of "
        "'partitions' rows and columns, so it must be at least {2}",
        field, value, machine.partitions);
  };
  if (machine.stationaryFreeMax < machine.partitions)
    return refuseField("stationary_free_max", machine.stationaryFreeMax);
  Machine limited = machine;
  for (auto [field, value] :
       {std::pair{"moving_free_max", machine.movingFreeMax},
        std::pair{"sbuf_free_max", machine.sbufFreeMax},
        std::pair{"psum_free_max", machine.psumFreeMax}}) {
    if (value < machine.partitions)
      return refuseField(field, value);
    limited.movingFreeMax = std::min(limited.movingFreeMax, value);
  }
  // Instructions stay within what all known machines take.
  for (const Machine &known : knownMachines())
    limited.movingFreeMax =
        std::min(limited.movingFreeMax, known.movingFreeMax);
  // A piece of a strip starts where a tile starts.
  limited.movingFreeMax =
      llvm::alignDown(limited.movingFreeMax, machine.partitions);
  return limited;
}

int64_t planning::stackPitch(const Machine &machine) {
  return machine.partitions / maxStack;
}

int64_t planning::stackSize(int64_t jam, const Machine &machine) {
  int64_t pitch = stackPitch(machine), most = pitch ? maxStack : 0;
  return jam <= most ? jam : most && jam % most == 0 ? most : 0;
}

int64_t planning::groupSizeFor(int64_t rows, int64_t batches,
                               const Machine &machine) {
  int64_t pitch = stackPitch(machine);
  if (!rows || !pitch || rows % pitch)
    return 1;
  int64_t size = std::clamp<int64_t>(machine.partitions / rows, 1, batches);
  while (batches % size)
    --size;
  return size;
}
