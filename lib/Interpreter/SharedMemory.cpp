//===- SharedMemory.cpp - HBM that two cores have -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

/// Keeps what is accessed of the memory that `first` has, too.
void Memory::follow(Memory &first) {
  shared = SharedAccesses(program);
  if (&first == this)
    return;
  for (auto [index, own] : llvm::enumerate(program.buffers))
    for (auto [other, theirs] : llvm::enumerate(first.program.buffers))
      if (isSameMemory(own, theirs))
        shared.pair(index, bases[index], first.shared, other);
}

/// Where scratch is that another core has, too; null if it is not there yet.
char *Memory::findShared(const Buffer &buffer) const {
  if (buffer.shared < 0)
    return nullptr;
  for (auto [index, own] : llvm::enumerate(program.buffers))
    if (own.shared == buffer.shared && own.bytes == buffer.bytes)
      return bases[index];
  return nullptr;
}
