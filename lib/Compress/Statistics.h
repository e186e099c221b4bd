//===- Statistics.h - What a calibration knows of weights -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_STATISTICS_H
#define TRN_LIB_COMPRESS_STATISTICS_H

#include "trn/Compress/Factor.h"

namespace mlir::trn {

/// Adds x^T y of x [rows, a] and y [rows, b], of x^T x the lower triangle; the
/// sum does not depend on the number of threads. Unless `inF64`, large products
/// are summed up in f32 by up to 512 rows: the error of an element is less than
/// a millionth of the lengths of its columns, which matters only to roots
/// without shrinkage.
void addProduct(std::vector<double> &sum, const std::vector<float> &x,
                const std::vector<float> &y, int64_t rows, unsigned threads,
                bool inF64 = false);
/// Makes a sum of x^T x the mean over `count` rows, both triangles.
void finishGram(std::vector<double> &sum, double count, unsigned threads);

/// Sums of what flows through a weight [out, in], whose means are its
/// statistics. They do not depend on the number of threads.
class StatisticsSum {
public:
  StatisticsSum(int64_t out, int64_t in) : out(out), in(in) {}

  /// `rows` rows of inputs x and outputs y.
  void add(const std::vector<float> &x, const std::vector<float> &y,
           int64_t rows, unsigned threads);
  Statistics mean(unsigned threads) const;

private:
  int64_t out, in, count = 0;
  Statistics sums;
};

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_STATISTICS_H
