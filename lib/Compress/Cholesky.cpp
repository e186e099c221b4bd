//===- Cholesky.cpp - Lower triangles L of L L^T, by threads --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cholesky.h"

#include "Algebra.h"
#include "Blas.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace mlir::trn;

/// Rows and columns of a block.
static constexpr int64_t block = 256;

template <typename T>
bool mlir::trn::factorCholesky(T *square, int64_t size, Workers &workers) {
  auto at = [&](int64_t i, int64_t j) { return square + i * size + j; };
  for (int64_t begin = 0; begin < size; begin += block) {
    const int64_t width = std::min(block, size - begin), end = begin + width;
    if (blas::potrf(width, at(begin, begin), size))
      return false;
    forEachBlock(size - end, workers, [&](int64_t start, int64_t count) {
      blas::trsm(blas::transposed, count, width, at(begin, begin), size,
                 at(end + start, begin), size);
    });
    forEachBlock(size - end, workers, [&](int64_t start, int64_t count) {
      const int64_t row = end + start;
      if (start)
        blas::gemm(blas::asIs, blas::transposed, count, start, width, T(-1),
                   at(row, begin), size, at(end, begin), size, T(1),
                   at(row, end), size);
      blas::syrk(count, width, at(row, begin), size, at(row, row), size);
    });
  }
  return true;
}

template <typename T>
double mlir::trn::largestSum(const T *square, int64_t size) {
  std::vector<double> sums(size);
  for (int64_t i = 0; i < size; ++i) {
    const T *row = square + i * size;
    double sum = std::fabs(double(row[i]));
    for (int64_t j = 0; j < i; ++j) {
      const double magnitude = std::fabs(double(row[j]));
      sum += magnitude;
      sums[j] += magnitude;
    }
    sums[i] += sum;
  }
  return *std::max_element(sums.begin(), sums.end());
}

template <typename T>
double mlir::trn::estimateCondition(const T *root, int64_t size, double norm) {
  return 1 / double(blas::pocon(size, root, T(norm)));
}

template <typename T>
void mlir::trn::divideByRoot(T *m, int64_t rows, const T *root, int64_t size,
                             bool transposed, Workers &workers) {
  forEachBlock(rows, workers, [&](int64_t row, int64_t count) {
    T *own = m + row * size;
    const int64_t blocks = llvm::divideCeil(size, block);
    for (int64_t i = 0; i < blocks; ++i) {
      const int64_t begin = (transposed ? i : blocks - 1 - i) * block,
                    width = std::min(block, size - begin), end = begin + width;
      const T *diagonal = root + begin * size + begin;
      // What was found so far, times its part of the root.
      const int64_t from = transposed ? 0 : end,
                    known = transposed ? begin : size - end;
      if (known)
        blas::gemm(blas::asIs, transposed ? blas::transposed : blas::asIs,
                   count, width, known, T(-1), own + from, size,
                   root + (transposed ? begin * size : end * size + begin),
                   size, T(1), own + begin, size);
      blas::trsm(transposed ? blas::transposed : blas::asIs, count, width,
                 diagonal, size, own + begin, size);
    }
  });
}

#define INSTANTIATE(T)                                                         \
  template bool mlir::trn::factorCholesky(T *, int64_t, Workers &);            \
  template double mlir::trn::largestSum(const T *, int64_t);                   \
  template double mlir::trn::estimateCondition(const T *, int64_t, double);    \
  template void mlir::trn::divideByRoot(T *, int64_t, const T *, int64_t,      \
                                        bool, Workers &);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE
