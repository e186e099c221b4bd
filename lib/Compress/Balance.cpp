//===- Balance.cpp - What factors have of their product -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Balance.h"

#include "Blas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir::trn;

/// Singular values below this, relative to the first, are noise.
static constexpr double sigmaFloor = 1e-7;

static Matrix rootsOf(const Matrix &squares) {
  const double floor = sigmaFloor * sigmaFloor * std::max(squares[0], 0.0);
  Matrix roots;
  for (double square : squares)
    roots.push_back(std::sqrt(std::max(square, floor)));
  return roots;
}

/// How long a row of V becomes that is `v` long, beside `u` of U^T.
static double lengthOf(SigmaSide side, double sigma, double u, double v) {
  switch (side) {
  case SigmaSide::Balanced:
    return std::sqrt(u * v);
  case SigmaSide::Sqrt:
    return std::sqrt(sigma);
  case SigmaSide::U:
    return 1;
  case SigmaSide::V:
    return sigma;
  }
  return 1;
}

static void scale(llvm::MutableArrayRef<float> values, double factor) {
  for (float &value : values)
    value = float(value * factor);
}

/// Scales component `i`; one that is nothing becomes zeros.
static void place(llvm::MutableArrayRef<float> u,
                  llvm::MutableArrayRef<float> v, SigmaSide side,
                  double sigma) {
  const double long1 = std::sqrt(squareOf(u)), long2 = std::sqrt(squareOf(v)),
               wanted = lengthOf(side, sigma, long1, long2);
  const bool isNothing = !(long1 > 0 && long2 > 0 && wanted > 0);
  scale(u, isNothing ? 0 : long2 / wanted);
  scale(v, isNothing ? 0 : wanted / long2);
}

/// Compares some rows of `weight` at a time with those of the product.
static void compare(Balanced &balanced, llvm::ArrayRef<float> weight,
                    int64_t out, int64_t in, int64_t rank, Workers &workers) {
  const int64_t block = 64, blocks = llvm::divideCeil(out, block);
  struct Sums {
    double square = 0, shared = 0, difference = 0, whole = 0;
  };
  std::vector<Sums> parts(blocks);
  workers.forEach(blocks, [&](size_t number) {
    const int64_t begin = int64_t(number) * block,
                  rows = std::min(block, out - begin);
    std::vector<float> product(rows * in);
    blas::gemm(blas::asIs, blas::asIs, rows, in, rank, 1.0f,
               balanced.factors.second.data() + begin * rank, rank,
               balanced.factors.first.data(), in, 0.0f, product.data(), in);
    Sums sums;
    for (auto [made, own] :
         llvm::zip_equal(product, weight.slice(begin * in, rows * in))) {
      sums.square += double(made) * made;
      sums.shared += double(made) * own;
      sums.difference += (double(made) - own) * (double(made) - own);
      sums.whole += double(own) * own;
    }
    parts[number] = sums;
  });
  Sums sums;
  for (const Sums &part : parts) {
    sums.square += part.square;
    sums.shared += part.shared;
    sums.difference += part.difference;
    sums.whole += part.whole;
  }
  balanced.square = sums.square;
  balanced.shared = sums.shared;
  balanced.factors.weightError =
      sums.whole > 0 ? std::sqrt(sums.difference / sums.whole) : 0;
}

Balanced mlir::trn::balance(std::vector<float> first, std::vector<float> second,
                            const Matrix &squares, SigmaSide side,
                            llvm::ArrayRef<float> weight, int64_t out,
                            int64_t in, Workers &workers) {
  const int64_t rank = first.size() / in, atOnce = 32;
  Balanced balanced;
  Factors &factors = balanced.factors;
  factors.sigmas = rootsOf(squares);
  factors.lastSigma =
      factors.sigmas[0] > 0 ? factors.sigmas[rank - 1] / factors.sigmas[0] : 0;
  factors.second.resize(out * rank);
  workers.forEach(llvm::divideCeil(rank, atOnce), [&](size_t number) {
    const int64_t begin = int64_t(number) * atOnce,
                  end = std::min(rank, begin + atOnce);
    for (int64_t i = begin; i < end; ++i)
      place({first.data() + i * in, size_t(in)},
            {second.data() + i * out, size_t(out)}, side, factors.sigmas[i]);
    for (int64_t j = 0; j < out; ++j)
      for (int64_t i = begin; i < end; ++i)
        factors.second[j * rank + i] = second[i * out + j];
  });
  factors.first = std::move(first);
  compare(balanced, weight, out, in, rank, workers);
  return balanced;
}
