//===- SymmetricTile.cpp - A tile of a symmetric matrix, times x ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymmetricTile.h"

#include "trn/Support/ForEachCPU.h"
#include <cstring>

namespace {
/// Elements of which each has a sum of its own, whatever the CPU.
template <typename T>
struct Lanes;
template <>
struct Lanes<float> {
  using Type = float __attribute__((vector_size(64)));
};
template <>
struct Lanes<double> {
  using Type = double __attribute__((vector_size(64)));
};

template <typename T>
using Vector = typename Lanes<T>::Type;
} // namespace

template <typename T>
[[gnu::always_inline]] static inline void load(const T *from,
                                               Vector<T> &vector) {
  std::memcpy(&vector, from, sizeof vector);
}

/// `count` rows at a time.
template <int count, typename T>
[[gnu::always_inline]] static inline void
addRows(const T *a, int64_t pitch, int64_t columns, const T *left,
        const T *right, T *toRows, T *toColumns) {
  constexpr int64_t lanes = sizeof(Vector<T>) / sizeof(T);
  Vector<T> sums[count] = {};
  int64_t column = 0;
  for (; column + lanes <= columns; column += lanes) {
    Vector<T> other, sum, own;
    load(right + column, other);
    load(toColumns + column, sum);
    for (int row = 0; row < count; ++row) {
      load(a + row * pitch + column, own);
      sums[row] += own * other;
      sum += own * left[row];
    }
    std::memcpy(toColumns + column, &sum, sizeof sum);
  }
  for (int row = 0; row < count; ++row) {
    T sum = 0;
    for (int64_t lane = 0; lane < lanes; ++lane)
      sum += sums[row][lane];
    for (int64_t rest = column; rest < columns; ++rest) {
      sum += a[row * pitch + rest] * right[rest];
      toColumns[rest] += a[row * pitch + rest] * left[row];
    }
    toRows[row] += sum;
  }
}

template <typename T>
[[gnu::always_inline]] static inline void
addTile(const T *a, int64_t pitch, int64_t rows, int64_t columns, const T *left,
        const T *right, T *toRows, T *toColumns) {
  constexpr int64_t atOnce = 4;
  int64_t row = 0;
  for (; row + atOnce <= rows; row += atOnce)
    addRows<atOnce>(a + row * pitch, pitch, columns, left + row, right,
                    toRows + row, toColumns);
  for (; row < rows; ++row)
    addRows<1>(a + row * pitch, pitch, columns, left + row, right, toRows + row,
               toColumns);
}

TRN_FOR_EACH_CPU
static void addF32(const float *a, int64_t pitch, int64_t rows, int64_t columns,
                   const float *left, const float *right, float *toRows,
                   float *toColumns) {
  addTile(a, pitch, rows, columns, left, right, toRows, toColumns);
}

TRN_FOR_EACH_CPU
static void addF64(const double *a, int64_t pitch, int64_t rows,
                   int64_t columns, const double *left, const double *right,
                   double *toRows, double *toColumns) {
  addTile(a, pitch, rows, columns, left, right, toRows, toColumns);
}

void mlir::trn::addTileAndTurned(const float *a, int64_t pitch, int64_t rows,
                                 int64_t columns, const float *left,
                                 const float *right, float *toRows,
                                 float *toColumns) {
  addF32(a, pitch, rows, columns, left, right, toRows, toColumns);
}

void mlir::trn::addTileAndTurned(const double *a, int64_t pitch, int64_t rows,
                                 int64_t columns, const double *left,
                                 const double *right, double *toRows,
                                 double *toColumns) {
  addF64(a, pitch, rows, columns, left, right, toRows, toColumns);
}
