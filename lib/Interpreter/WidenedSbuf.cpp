//===- WidenedSbuf.cpp - SBUF in f32 --------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WidenedSbuf.h"

using namespace mlir::trn;

/// Elements behind each row: an odd number of cache lines, as in `Memory`.
static constexpr int64_t pitchPadding = 528;

static constexpr int64_t narrowBytes = byteSize(ElementType::BF16);

WidenedSbuf::WidenedSbuf(const Machine &machine)
    : pitch(machine.sbufPartitionBytes / narrowBytes + pitchPadding),
      image(machine.partitions * pitch * byteSize(ElementType::F32)),
      current(machine.partitions, machine.sbufPartitionBytes) {}

char *WidenedSbuf::locate(const Region &tile) const {
  int64_t element = tile.p0 * pitch + tile.lo / narrowBytes;
  return image.data() + element * byteSize(ElementType::F32);
}

bool WidenedSbuf::refresh(const Region &tile) {
  if (!current->findHole(tile.p0, tile.p1, tile.lo, tile.hi))
    return false;
  current->set(tile.p0, tile.p1, tile.lo, tile.hi);
  return true;
}

void WidenedSbuf::invalidate(const Region &region) {
  current->clear(region.p0, region.p1, region.lo, region.hi);
}

void WidenedSbuf::widen(const OperandLayout &tile, int64_t stride,
                        const char *narrow, char *to) const {
  ElementType type = tile.access->type;
  float *row = reinterpret_cast<float *>(to);
  for (int64_t p = 0; p < tile.partitions; ++p)
    loadFloats(type, narrow + p * stride, row + p * pitch,
               tile.runBytes / narrowBytes);
}
