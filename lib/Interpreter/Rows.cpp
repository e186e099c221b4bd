//===- Rows.cpp - Rows of elements as values in f32 -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include <algorithm>
#include <cstring>

using namespace mlir::trn;

template <typename T>
static void moveEach(const char *from, int64_t fromStride, char *to,
                     int64_t toStride, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * toStride, from + i * fromStride, sizeof(T));
}

void mlir::trn::moveElements(int64_t size, const char *from, int64_t fromStride,
                             char *to, int64_t toStride, int64_t count) {
  if (fromStride == size && toStride == size)
    std::memmove(to, from, count * size);
  else if (size == 1)
    moveEach<uint8_t>(from, fromStride, to, toStride, count);
  else if (size == 2)
    moveEach<uint16_t>(from, fromStride, to, toStride, count);
  else
    moveEach<uint32_t>(from, fromStride, to, toStride, count);
}

void mlir::trn::loadRow(ElementType type, const char *from, int64_t stride,
                        float *to, int64_t count) {
  int64_t size = byteSize(type);
  if (stride == size)
    return loadFloats(type, from, to, count);
  if (stride == 0) {
    loadFloats(type, from, to, 1);
    std::fill(to + 1, to + count, to[0]);
    return;
  }
  char gathered[chunk * sizeof(float)];
  moveElements(size, from, stride, gathered, size, count);
  loadFloats(type, gathered, to, count);
}

void mlir::trn::storeRow(ElementType type, const float *from, char *to,
                         int64_t stride, int64_t count) {
  int64_t size = byteSize(type);
  if (stride == size)
    return storeFloats(type, from, to, count);
  char rounded[chunk * sizeof(float)];
  storeFloats(type, from, rounded, count);
  moveElements(size, rounded, size, to, stride, count);
}
