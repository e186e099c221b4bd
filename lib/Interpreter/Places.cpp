//===- Places.cpp - Parts of memories that regions share ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"

#include "trn/Machine/Machine.h"
#include "trn/Program/Program.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;

/// Most tiles are smaller, so that they have one place or two.
static constexpr int64_t sbufPlaceBytes = 4096;

Places::Places(const Program &program, const Machine &machine) {
  int32_t sbuf = add(machine.sbufPartitionBytes, sbufPlaceBytes);
  int32_t widened = add(machine.sbufPartitionBytes, sbufPlaceBytes);
  int32_t psum = add(machine.psumPartitionBytes(), machine.psumBankBytes);
  for (const Buffer &buffer : program.buffers)
    memoryOf.push_back(buffer.space == Space::Sbuf   ? sbuf
                       : buffer.space == Space::Psum ? psum
                                                     : add(1, 1));
  memoryOf.resize(2 * program.buffers.size(), widened);
}

int32_t Places::add(int64_t bytes, int64_t bytesEach) {
  int32_t number = int32_t(llvm::divideCeil(bytes, bytesEach));
  memories.push_back({count, count + number - 1, bytesEach});
  count += number;
  return int32_t(memories.size()) - 1;
}
