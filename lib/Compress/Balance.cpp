//===- Balance.cpp - Factors whose sides have the same norms --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Balance.h"

#include <cblas.h>
#include <cmath>

using namespace mlir::trn;

Factors mlir::trn::balance(Matrix first, Matrix second, Matrix weight,
                           int64_t out, int64_t in) {
  const int64_t rank = first.size() / in;
  for (int64_t i = 0; i < rank; ++i) {
    double a = norm({first.data() + i * in, size_t(in)});
    double b = norm({second.data() + i * out, size_t(out)});
    double scale = a > 0 && b > 0 ? std::sqrt(b / a) : 1;
    cblas_dscal(in, scale, first.data() + i * in, 1);
    cblas_dscal(out, 1 / scale, second.data() + i * out, 1);
  }
  Factors factors;
  factors.first.assign(first.begin(), first.end());
  factors.second.resize(out * rank);
  for (int64_t i = 0; i < rank; ++i)
    for (int64_t j = 0; j < out; ++j)
      factors.second[j * rank + i] = float(second[i * out + j]);
  double size = norm(weight);
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, out, in, rank, -1,
              second.data(), out, first.data(), in, 1, weight.data(), in);
  factors.weightError = size > 0 ? norm(weight) / size : 0;
  return factors;
}
