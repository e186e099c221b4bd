//===- VectorProduct.cpp - Products of matrices with a vector -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Product.h"

#include "trn/Support/ForEachCPU.h"
#include "llvm/ADT/bit.h"
#include <cassert>

using namespace mlir::trn;

// The order of sums is that of so many lanes on each CPU.
static constexpr int64_t lanes = 32;

static inline float widen(float value) { return value; }
static inline float widen(uint16_t bf16) {
  return llvm::bit_cast<float>(uint32_t(bf16) << 16);
}

/// What limits this is how fast rows come from memory, one after the other:
/// several at once, as libraries read them, come at half of the speed.
template <typename Element>
__attribute__((always_inline)) static inline void
multiplyRows(const Element *row, int64_t rows, int64_t columns, const float *x,
             float *result) {
  constexpr int64_t line = 64 / sizeof(Element);
  constexpr int64_t ahead = 8192 / sizeof(Element);
  for (const float *end = result + rows; result != end; ++result) {
    float sums[lanes] = {}, rest = 0;
    int64_t i = 0;
    for (; i + lanes <= columns; i += lanes) {
      for (int64_t at = 0; at < lanes; at += line)
        __builtin_prefetch(row + i + at + ahead);
      for (int64_t lane = 0; lane < lanes; ++lane)
        sums[lane] += widen(row[i + lane]) * x[i + lane];
    }
    for (; i < columns; ++i)
      rest += widen(row[i]) * x[i];
    for (int64_t half = lanes / 2; half; half /= 2)
      for (int64_t lane = 0; lane < half; ++lane)
        sums[lane] += sums[lane + half];
    *result = sums[0] + rest;
    row += columns;
  }
}

TRN_FOR_EACH_CPU
static void multiplyF32(const float *matrix, int64_t rows, int64_t columns,
                        const float *x, float *result) {
  multiplyRows(matrix, rows, columns, x, result);
}

TRN_FOR_EACH_CPU
static void multiplyBF16(const uint16_t *matrix, int64_t rows, int64_t columns,
                         const float *x, float *result) {
  multiplyRows(matrix, rows, columns, x, result);
}

void mlir::trn::multiplyVector(ElementType type, const void *matrix,
                               int64_t rows, int64_t columns, const float *x,
                               float *result) {
  assert(type == ElementType::F32 || type == ElementType::BF16);
  if (type == ElementType::BF16)
    multiplyBF16(static_cast<const uint16_t *>(matrix), rows, columns, x,
                 result);
  else
    multiplyF32(static_cast<const float *>(matrix), rows, columns, x, result);
}
