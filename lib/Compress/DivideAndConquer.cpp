//===- DivideAndConquer.cpp - Eigenvectors of tridiagonal matrices --------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// As LAPACK's xLAED0, xLAED1 and xLAED3, but shared out in pieces that do not
// depend on the number of threads. What is left to LAPACK needs no products of
// matrices. An eigenvector is a row here, for LAPACK a column.

#include "Tridiagonal.h"

#include "Blas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <cmath>
#include <lapacke.h>

// LAPACKE has no names for these.
extern "C" {
void dlaed2_(int *k, const int *n, const int *n1, double *d, double *q,
             const int *ldq, int *indxq, double *rho, double *z, double *dlamda,
             double *w, double *q2, int *indx, int *indxc, int *indxp,
             int *coltyp, int *info);
void dlaed4_(const int *n, const int *i, const double *d, const double *z,
             double *delta, const double *rho, double *dlam, int *info);
void dlamrg_(const int *n1, const int *n2, const double *a, const int *strd1,
             const int *strd2, int *index);
}

using namespace mlir::trn;

namespace {
/// Sizes up to this are left to LAPACK whole.
constexpr int64_t leaf = 256;
/// Eigenvectors that are made at a time.
constexpr int64_t block = leaf / 4;

class Solver {
public:
  Solver(std::vector<double> diagonal, std::vector<double> offDiagonal,
         int64_t count, Workers &workers)
      : size(diagonal.size()), count(count), workers(workers),
        d(std::move(diagonal)), e(std::move(offDiagonal)), q(size * size),
        order(size) {}

  TridiagonalEigen run();

private:
  /// Where part `i` of `parts` starts.
  int64_t startOf(int64_t i, int64_t parts) const { return i * size / parts; }
  void solve(int64_t begin, int64_t end);
  void merge(int64_t begin, int64_t middle, int64_t end);

  int64_t size, count;
  Workers &workers;
  std::vector<double> d, e, q;
  std::vector<int> order; // of eigenvalues within their part, from 1 on
  std::atomic<bool> failed = false;
};

/// Two parts whose eigenvectors are known become one.
class Merge {
public:
  Merge(int64_t first, int64_t second, double *d, double *q, int64_t pitch,
        int *order, Workers &workers)
      : first(first), second(second), all(first + second), pitch(pitch), d(d),
        q(q), order(order), workers(workers), poles(all), weights(all),
        parts(all * all), place(all) {}

  /// `rho` connects the parts; the eigenvectors of the `count` largest
  /// eigenvalues are made.
  bool run(double rho, int64_t count);

private:
  double *row(int64_t i) { return q + i * pitch; }
  void deflate();
  bool findRoots();
  void refineWeights();
  void makeVectors(int64_t begin, int64_t end);

  int64_t first, second, all, pitch;
  double *d, *q;
  int *order;
  Workers &workers;
  double rho = 0;
  int left = 0;                       // so many are not known yet
  std::vector<double> poles, weights; // of the secular equation
  std::vector<double> parts; // eigenvectors of both, and what is split off
  std::vector<int> place;    // where a pole's eigenvector is in `parts`
  int kinds[4];              // so many of the first part, both and second
};
} // namespace

/// Splits off eigenvectors that stay as they are.
void Merge::deflate() {
  const int n = all, n1 = first, ld = pitch;
  std::vector<double> z(all);
  for (int64_t i = 0; i < first; ++i)
    z[i] = row(i)[first - 1];
  for (int64_t i = first; i < all; ++i)
    z[i] = row(i)[first];
  std::vector<int> sorted(all), packed(all), kindOf(std::max<int64_t>(all, 4));
  int info = 0;
  dlaed2_(&left, &n, &n1, d, q, &ld, order, &rho, z.data(), poles.data(),
          weights.data(), parts.data(), sorted.data(), place.data(),
          packed.data(), kindOf.data(), &info);
  std::copy_n(kindOf.begin(), 4, kinds);
}

/// Row i becomes the distances of eigenvalue i from all poles.
bool Merge::findRoots() {
  std::atomic<bool> failed = false;
  workers.forEach(llvm::divideCeil(left, block), [&](size_t number) {
    const int64_t begin = int64_t(number) * block;
    for (int64_t i = begin; i < std::min<int64_t>(left, begin + block); ++i) {
      const int root = i + 1;
      int info = 0;
      dlaed4_(&left, &root, poles.data(), weights.data(), row(i), &rho, d + i,
              &info);
      if (info)
        failed = true;
    }
  });
  return !failed;
}

/// The weights for which the roots are exact, by Gu and Eisenstat: with them
/// eigenvectors are orthogonal.
void Merge::refineWeights() {
  workers.forEach(llvm::divideCeil(left, block), [&](size_t number) {
    const int64_t begin = int64_t(number) * block,
                  end = std::min<int64_t>(left, begin + block);
    std::vector<double> product(end - begin);
    for (int64_t i = begin; i < end; ++i)
      product[i - begin] = row(i)[i];
    for (int64_t j = 0; j < left; ++j)
      for (int64_t i = begin; i < end; ++i)
        if (i != j)
          product[i - begin] *= row(j)[i] / (poles[i] - poles[j]);
    for (int64_t i = begin; i < end; ++i)
      weights[i] = std::copysign(std::sqrt(std::max(-product[i - begin], 0.0)),
                                 weights[i]);
  });
}

/// Rows `begin` to `end`, which are distances still.
void Merge::makeVectors(int64_t begin, int64_t end) {
  const int64_t ofFirst = kinds[0] + kinds[1], ofSecond = kinds[1] + kinds[2];
  std::vector<double> distances(left), shares((end - begin) * left);
  for (int64_t i = begin; i < end; ++i) {
    if (left > 2)
      for (int64_t j = 0; j < left; ++j)
        distances[j] = weights[j] / row(i)[j];
    else
      std::copy_n(row(i), left, distances.begin());
    double size = left > 2 ? blas::norm(left, distances.data()) : 1.0;
    double *own = shares.data() + (i - begin) * left;
    for (int64_t j = 0; j < left; ++j)
      own[j] = distances[place[j] - 1] / size;
  }
  blas::gemm(blas::asIs, blas::asIs, end - begin, first, ofFirst, 1.0,
             shares.data(), left, parts.data(), first, 0.0, row(begin), pitch);
  blas::gemm(blas::asIs, blas::asIs, end - begin, second, ofSecond, 1.0,
             shares.data() + kinds[0], left, parts.data() + first * ofFirst,
             second, 0.0, row(begin) + first, pitch);
}

bool Merge::run(double connection, int64_t count) {
  rho = connection;
  deflate();
  if (!left) {
    for (int64_t i = 0; i < all; ++i)
      order[i] = i + 1;
    return true;
  }
  if (!findRoots())
    return false;
  if (left > 2)
    refineWeights();
  const int known = all - left, upwards = 1, downwards = -1;
  dlamrg_(&left, &known, d, &upwards, &downwards, order);
  int64_t needed = left;
  for (int64_t i = all - count; i < all; ++i)
    needed = std::min<int64_t>(needed, order[i] - 1);
  workers.forEach(llvm::divideCeil(left - needed, block), [&](size_t number) {
    const int64_t begin = needed + int64_t(number) * block;
    makeVectors(begin, std::min<int64_t>(left, begin + block));
  });
  return true;
}

/// A part by itself.
void Solver::solve(int64_t begin, int64_t end) {
  const int n = end - begin;
  std::vector<double> work(1 + 4 * n + n * n);
  std::vector<int> integers(3 + 5 * n);
  if (LAPACKE_dstedc_work(LAPACK_COL_MAJOR, 'I', n, d.data() + begin,
                          e.data() + begin, q.data() + begin * size + begin,
                          size, work.data(), work.size(), integers.data(),
                          integers.size()))
    failed = true;
  for (int64_t i = begin; i < end; ++i)
    order[i] = i - begin + 1;
}

void Solver::merge(int64_t begin, int64_t middle, int64_t end) {
  Merge merge(middle - begin, end - middle, d.data() + begin,
              q.data() + begin * size + begin, size, order.data() + begin,
              workers);
  if (!merge.run(e[middle - 1], end - begin == size ? count : end - begin))
    failed = true;
}

TridiagonalEigen Solver::run() {
  int64_t parts = 1;
  while (llvm::divideCeil(size, parts) > leaf)
    parts *= 2;
  for (int64_t i = 1; i < parts; ++i) {
    const int64_t cut = startOf(i, parts);
    const double connection = std::abs(e[cut - 1]);
    d[cut - 1] -= connection;
    d[cut] -= connection;
  }
  workers.forEach(parts, [&](size_t i) {
    solve(startOf(i, parts), startOf(i + 1, parts));
  });
  for (; parts > 1; parts /= 2)
    workers.forEach(parts / 2, [&](size_t i) {
      merge(startOf(2 * i, parts), startOf(2 * i + 1, parts),
            startOf(2 * i + 2, parts));
    });
  TridiagonalEigen result;
  if (failed)
    return result;
  result.vectors.resize(count * size);
  for (int64_t i = 0; i < size; ++i)
    result.values.push_back(d[order[size - 1 - i] - 1]);
  for (int64_t i = 0; i < count; ++i)
    std::copy_n(q.data() + (order[size - 1 - i] - 1) * size, size,
                result.vectors.data() + i * size);
  return result;
}

TridiagonalEigen
mlir::trn::decomposeTridiagonal(std::vector<double> diagonal,
                                std::vector<double> offDiagonal, int64_t count,
                                Workers &workers) {
  return Solver(std::move(diagonal), std::move(offDiagonal), count, workers)
      .run();
}
