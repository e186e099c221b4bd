//===- Algebra.cpp - Dense matrices in f64, by threads --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Algebra.h"

#include "Blas.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir::trn;

/// Rows and columns of a block of a result.
static constexpr int64_t block = 256;

void mlir::trn::forEachBlock(int64_t count, Workers &workers,
                             llvm::function_ref<void(int64_t, int64_t)> body) {
  workers.forEach(llvm::divideCeil(count, block), [&](size_t i) {
    const int64_t begin = int64_t(i) * block;
    body(begin, std::min(block, count - begin));
  });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

template <typename T>
static std::vector<T>
multiplyIn(llvm::ArrayRef<T> left, llvm::ArrayRef<T> right, int64_t rows,
           int64_t inner, int64_t columns, bool transposed, Workers &workers) {
  std::vector<T> result(rows * columns);
  forEachBlock(columns, workers, [&](int64_t begin, int64_t count) {
    blas::gemm(blas::asIs, transposed ? blas::transposed : blas::asIs, rows,
               count, inner, T(1), left.data(), inner,
               right.data() + begin * (transposed ? inner : 1),
               transposed ? inner : columns, T(0), result.data() + begin,
               columns);
  });
  return result;
}

Matrix mlir::trn::multiply(const Matrix &left, const Matrix &right,
                           int64_t rows, int64_t inner, int64_t columns,
                           bool transposed, Workers &workers) {
  return multiplyIn<double>(left, right, rows, inner, columns, transposed,
                            workers);
}

static std::vector<float> projectInF64(const Matrix &left,
                                       llvm::ArrayRef<float> right,
                                       int64_t rows, int64_t inner,
                                       int64_t columns, bool transposed,
                                       Workers &workers) {
  std::vector<float> result(rows * columns);
  forEachBlock(columns, workers, [&](int64_t begin, int64_t count) {
    Matrix part(inner * count), product(rows * count);
    if (transposed)
      std::copy_n(right.begin() + begin * inner, count * inner, part.begin());
    else
      for (int64_t i = 0; i < inner; ++i)
        std::copy_n(right.begin() + i * columns + begin, count,
                    part.begin() + i * count);
    blas::gemm(blas::asIs, transposed ? blas::transposed : blas::asIs, rows,
               count, inner, 1.0, left.data(), inner, part.data(),
               transposed ? inner : count, 0.0, product.data(), count);
    for (int64_t i = 0; i < rows; ++i)
      std::copy_n(product.begin() + i * count, count,
                  result.begin() + i * columns + begin);
  });
  return result;
}

std::vector<float> mlir::trn::project(const Matrix &left,
                                      llvm::ArrayRef<float> right, int64_t rows,
                                      int64_t inner, int64_t columns,
                                      bool transposed, bool inF64,
                                      Workers &workers) {
  if (inF64)
    return projectInF64(left, right, rows, inner, columns, transposed, workers);
  const std::vector<float> narrow(left.begin(), left.end());
  return multiplyIn<float>(narrow, right, rows, inner, columns, transposed,
                           workers);
}

//===----------------------------------------------------------------------===//
// Gram matrices
//===----------------------------------------------------------------------===//

void mlir::trn::mirrorLower(Matrix &square, int64_t size, Workers &workers) {
  forEachBlock(size, workers, [&](int64_t begin, int64_t count) {
    // By what stays in the cache.
    for (int64_t at = begin, few = 32; at < size; at += few)
      for (int64_t i = begin; i < begin + count; ++i)
        for (int64_t j = std::max(at, i + 1); j < std::min(size, at + few); ++j)
          square[i * size + j] = square[j * size + i];
  });
}

/// Adds the product of some columns, or rows, of a matrix to the lower triangle
/// of `sum` [size, size].
template <typename T>
static void addGram(const T *part, int64_t size, int64_t inner, bool ofColumns,
                    Matrix &sum, Workers &workers) {
  const int64_t blocks = llvm::divideCeil(size, block);
  workers.forEach(blocks * (blocks + 1) / 2, [&](size_t number) {
    // The number of a pair i, j <= i.
    int64_t i = (std::sqrt(8 * double(number) + 1) - 1) / 2,
            j = int64_t(number) - i * (i + 1) / 2;
    const int64_t row = i * block, rows = std::min(block, size - row),
                  column = j * block, columns = std::min(block, size - column);
    const int64_t pitch = ofColumns ? size : inner,
                  step = ofColumns ? 1 : inner;
    double *to = sum.data() + row * size + column;
    const auto turnLeft = ofColumns ? blas::transposed : blas::asIs,
               turnRight = ofColumns ? blas::asIs : blas::transposed;
    if constexpr (std::is_same_v<T, double>) {
      blas::gemm(turnLeft, turnRight, rows, columns, inner, 1.0,
                 part + row * step, pitch, part + column * step, pitch, 1.0, to,
                 size);
    } else {
      std::vector<T> product(rows * columns);
      blas::gemm(turnLeft, turnRight, rows, columns, inner, T(1),
                 part + row * step, pitch, part + column * step, pitch, T(0),
                 product.data(), columns);
      for (int64_t k = 0; k < rows; ++k)
        for (int64_t l = 0; l < columns; ++l)
          to[k * size + l] += double(product[k * columns + l]);
    }
  });
}

Matrix mlir::trn::gram(const Matrix &m, int64_t rows, int64_t columns,
                       bool ofColumns, Workers &workers) {
  const int64_t size = ofColumns ? columns : rows;
  Matrix result(size * size);
  addGram(m.data(), size, ofColumns ? rows : columns, ofColumns, result,
          workers);
  mirrorLower(result, size, workers);
  return result;
}

/// Some of the inner elements at a time, so that no copy is as large as `m`.
template <typename T>
static Matrix gramIn(llvm::ArrayRef<float> m, int64_t rows, int64_t columns,
                     bool ofColumns, llvm::ArrayRef<double> scales,
                     Workers &workers) {
  const int64_t size = ofColumns ? columns : rows,
                inner = ofColumns ? rows : columns, atOnce = 2 * block;
  Matrix result(size * size);
  std::vector<T> part(size * std::min(atOnce, inner));
  for (int64_t begin = 0; begin < inner; begin += atOnce) {
    const int64_t count = std::min(atOnce, inner - begin);
    const int64_t first = ofColumns ? 0 : begin,
                  width = ofColumns ? columns : count;
    forEachBlock(
        ofColumns ? count : rows, workers, [&](int64_t start, int64_t many) {
          for (int64_t i = start; i < start + many; ++i) {
            const float *from =
                m.data() + (ofColumns ? begin + i : i) * columns + first;
            T *to = part.data() + i * width;
            for (int64_t j = 0; j < width; ++j)
              to[j] =
                  scales.empty() ? T(from[j]) : T(from[j] * scales[first + j]);
          }
        });
    addGram(part.data(), size, count, ofColumns, result, workers);
  }
  mirrorLower(result, size, workers);
  return result;
}

Matrix mlir::trn::gram(llvm::ArrayRef<float> m, int64_t rows, int64_t columns,
                       bool ofColumns, llvm::ArrayRef<double> scales,
                       bool inF64, Workers &workers) {
  return (inF64 ? gramIn<double> : gramIn<float>)(m, rows, columns, ofColumns,
                                                  scales, workers);
}

//===----------------------------------------------------------------------===//
// Norms and roots
//===----------------------------------------------------------------------===//

double mlir::trn::squareOf(llvm::ArrayRef<float> values) {
  constexpr int64_t lanes = 8;
  double sums[lanes] = {}, sum = 0;
  int64_t i = 0;
  for (; i + lanes <= int64_t(values.size()); i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane)
      sums[lane] += double(values[i + lane]) * double(values[i + lane]);
  for (; i < int64_t(values.size()); ++i)
    sum += double(values[i]) * double(values[i]);
  for (double value : sums)
    sum += value;
  return sum;
}

double mlir::trn::meanDiagonal(const Matrix &square, int64_t size) {
  double trace = 0;
  for (int64_t i = 0; i < size; ++i)
    trace += square[i * size + i];
  return trace / double(size);
}
