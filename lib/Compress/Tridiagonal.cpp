//===- Tridiagonal.cpp - Symmetric matrices by threads --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// As LAPACK's xSYTRD, xLATRD and xORMTR, but shared out in pieces that do not
// depend on the number of threads. OpenBLAS sums up in another order for each
// number of them.

#include "Tridiagonal.h"

#include "Blas.h"
#include "SymmetricTile.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::trn;

/// Rows of a piece of a matrix; such a square fits into a core's cache.
static constexpr int64_t tile = 256;
/// Reflections that change what is right of and below them all at once.
static constexpr int64_t panel = 32;

//===----------------------------------------------------------------------===//
// To a tridiagonal matrix
//===----------------------------------------------------------------------===//

namespace {
template <typename T>
class Reduction {
public:
  Reduction(std::vector<T> matrix, int64_t size, Workers &workers)
      : size(size), tiles(llvm::divideCeil(size, tile)), workers(workers),
        a(std::move(matrix)), partial(tiles * size), w(panel * size),
        left(2 * panel * size), right(2 * panel * size) {}

  Tridiagonal<T> run();

private:
  T *row(int64_t i) { return a.data() + i * size; }
  void reduceRow(int64_t start, int64_t i, Tridiagonal<T> &result);
  void multiply(int64_t from, const T *x, T *y);
  void update(int64_t start, int64_t end);

  int64_t size, tiles;
  Workers &workers;
  std::vector<T> a, partial;
  std::vector<T> w;           // of each reflection of a panel
  std::vector<T> left, right; // v and w of a panel, w and v of it
};
} // namespace

/// y = A x for rows and columns from `from` on: each row of tiles by itself,
/// and then what their transposed tiles add.
template <typename T>
void Reduction<T>::multiply(int64_t from, const T *x, T *y) {
  const int64_t first = from / tile;
  workers.forEach(tiles - first, [&](size_t number) {
    const int64_t i = first + int64_t(number);
    const int64_t begin = std::max(from, i * tile),
                  end = std::min(size, (i + 1) * tile), rows = end - begin;
    blas::symv(rows, row(begin) + begin, size, x + begin, y + begin);
    T *transposed = partial.data() + i * size;
    std::fill(transposed + end, transposed + size, T(0));
    addTileAndTurned(row(begin) + end, size, rows, size - end, x + begin,
                     x + end, y + begin, transposed + end);
  });
  for (int64_t i = first; i + 1 < tiles; ++i) {
    const int64_t end = (i + 1) * tile;
    blas::axpy(size - end, T(1), partial.data() + i * size + end, y + end);
  }
}

/// Makes `v` that of a reflection which leaves only the first of its elements,
/// and returns its tau.
template <typename T>
static T reflect(T *v, int64_t count, T &left) {
  T tail = count > 1 ? blas::norm(count - 1, v + 1) : T(0), tau = 0;
  left = v[0];
  if (tail > 0) {
    left = -std::copysign(std::hypot(v[0], tail), v[0]);
    tau = (left - v[0]) / left;
    blas::scale(count - 1, 1 / (v[0] - left), v + 1);
  }
  v[0] = 1;
  return tau;
}

/// Row `i` of the panel that starts at `start`: brings it up to date, and finds
/// its v and its w = tau (A v - tau / 2 (v^T A v) v).
template <typename T>
void Reduction<T>::reduceRow(int64_t start, int64_t i, Tridiagonal<T> &result) {
  const int64_t before = i - start, next = i + 1, count = size - next;
  // From the diagonal on: a -= v_i w + w_i v of each reflection before.
  blas::gemv(blas::transposed, before, size - i, T(-1), w.data() + i, size,
             row(start) + i, size, T(1), row(i) + i);
  blas::gemv(blas::transposed, before, size - i, T(-1), row(start) + i, size,
             w.data() + i, size, T(1), row(i) + i);
  result.diagonal[i] = row(i)[i];
  if (!count)
    return;
  T *v = row(i) + next, *own = w.data() + before * size;
  T tau = reflect(v, count, result.offDiagonal[i]);
  result.taus[i] = tau;
  multiply(next, row(i), own);
  T fromV[panel], fromW[panel];
  blas::gemv(blas::asIs, before, count, T(1), row(start) + next, size, v, 1,
             T(0), fromV);
  blas::gemv(blas::asIs, before, count, T(1), w.data() + next, size, v, 1, T(0),
             fromW);
  blas::gemv(blas::transposed, before, count, T(-1), w.data() + next, size,
             fromV, 1, T(1), own + next);
  blas::gemv(blas::transposed, before, count, T(-1), row(start) + next, size,
             fromW, 1, T(1), own + next);
  blas::scale(count, tau, own + next);
  blas::axpy(count, -tau / 2 * blas::dot(count, own + next, v), v, own + next);
}

/// A -= v w^T + w v^T for what is right of and below a panel.
template <typename T>
void Reduction<T>::update(int64_t start, int64_t end) {
  const int64_t count = end - start, rest = size - end;
  for (int64_t i = 0; i < count; ++i) {
    const T *v = row(start + i) + end, *own = w.data() + i * size + end;
    std::copy_n(v, rest, left.data() + i * rest);
    std::copy_n(own, rest, left.data() + (count + i) * rest);
    std::copy_n(own, rest, right.data() + i * rest);
    std::copy_n(v, rest, right.data() + (count + i) * rest);
  }
  const int64_t first = end / tile;
  workers.forEach(tiles - first, [&](size_t number) {
    const int64_t i = first + int64_t(number);
    const int64_t begin = std::max(end, i * tile),
                  rows = std::min(size, (i + 1) * tile) - begin;
    blas::gemm(blas::transposed, blas::asIs, rows, size - begin, 2 * count,
               T(-1), left.data() + (begin - end), rest,
               right.data() + (begin - end), rest, T(1), row(begin) + begin,
               size);
  });
}

template <typename T>
Tridiagonal<T> Reduction<T>::run() {
  Tridiagonal<T> result;
  result.size = size;
  result.diagonal.resize(size);
  result.offDiagonal.resize(size);
  result.taus.resize(size);
  for (int64_t start = 0; start < size; start += panel) {
    const int64_t end = std::min(size, start + panel);
    for (int64_t i = start; i < end; ++i)
      reduceRow(start, i, result);
    if (end < size)
      update(start, end);
  }
  for (int64_t i = 0; i < size; ++i)
    std::fill_n(row(i), i + 1, T(0));
  result.reflectors = std::move(a);
  return result;
}

template <typename T>
Tridiagonal<T> mlir::trn::tridiagonalize(std::vector<T> matrix, int64_t size,
                                         Workers &workers) {
  return Reduction<T>(std::move(matrix), size, workers).run();
}

//===----------------------------------------------------------------------===//
// And back
//===----------------------------------------------------------------------===//

/// The lower triangular F [count, count] for which the product of reflections
/// is I - V^T F V, the rows of V from the last one on.
template <typename T>
static void findFactor(const T *v, const T *taus, int64_t count, int64_t length,
                       int64_t pitch, T *factor) {
  std::vector<T> products(count * count);
  blas::gemm(blas::asIs, blas::transposed, count, count, length, T(1), v, pitch,
             v, pitch, T(0), products.data(), count);
  for (int64_t i = 0; i < count; ++i) {
    std::fill_n(factor + i * count, count, T(0));
    factor[i * count + i] = taus[i];
    for (int64_t j = 0; j < i; ++j) {
      T sum = 0;
      for (int64_t k = j; k < i; ++k)
        sum += products[i * count + k] * factor[k * count + j];
      factor[i * count + j] = -taus[i] * sum;
    }
  }
}

template <typename T>
void mlir::trn::turnBack(const Tridiagonal<T> &tridiagonal, T *rows,
                         int64_t count, Workers &workers) {
  const int64_t size = tridiagonal.size, width = 2 * panel;
  const int64_t panels = llvm::divideCeil(size, width);
  std::vector<T> factors(panels * width * width);
  auto lengthOf = [&](int64_t p) { return std::min(width, size - p * width); };
  const T *reflectors = tridiagonal.reflectors.data();
  workers.forEach(panels, [&](size_t p) {
    const int64_t at = int64_t(p) * width;
    findFactor(reflectors + at * size + at, tridiagonal.taus.data() + at,
               lengthOf(p), size - at, size,
               factors.data() + int64_t(p) * width * width);
  });
  workers.forEach(llvm::divideCeil(count, tile), [&](size_t number) {
    const int64_t first = int64_t(number) * tile,
                  own = std::min(tile, count - first);
    std::vector<T> along(own * width), transposed(own * width);
    for (int64_t p = panels - 1; p >= 0; --p) {
      const int64_t at = p * width, length = lengthOf(p), rest = size - at;
      const T *v = reflectors + at * size + at;
      T *x = rows + first * size + at;
      // x (I - V^T F V) for the product of reflections in their order.
      blas::gemm(blas::asIs, blas::transposed, own, length, rest, T(1), x, size,
                 v, size, T(0), along.data(), length);
      blas::gemm(blas::asIs, blas::asIs, own, length, length, T(1),
                 along.data(), length, factors.data() + p * width * width,
                 length, T(0), transposed.data(), length);
      blas::gemm(blas::asIs, blas::asIs, own, rest, length, T(-1),
                 transposed.data(), length, v, size, T(1), x, size);
    }
  });
}

template Tridiagonal<float> mlir::trn::tridiagonalize(std::vector<float>,
                                                      int64_t, Workers &);
template Tridiagonal<double> mlir::trn::tridiagonalize(std::vector<double>,
                                                       int64_t, Workers &);
template void mlir::trn::turnBack(const Tridiagonal<float> &, float *, int64_t,
                                  Workers &);
template void mlir::trn::turnBack(const Tridiagonal<double> &, double *,
                                  int64_t, Workers &);
