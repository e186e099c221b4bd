//===- Rank.cpp - Ranks from shares of parameters -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Rank.h"

#include <algorithm>
#include <cmath>

using namespace mlir::trn;

int64_t mlir::trn::alignCount(double count, int64_t block, double alpha) {
  const double blocks = count / static_cast<double>(block);
  return block *
         std::max<int64_t>(1, static_cast<int64_t>(std::ceil(blocks - alpha)));
}

int64_t mlir::trn::getRankOfRatio(double ratio, int64_t rows, int64_t columns,
                                  int64_t block, double alpha) {
  double blocks = (1 - ratio) * static_cast<double>(rows) *
                  static_cast<double>(columns) /
                  static_cast<double>((rows + columns) * block);
  return block *
         std::max<int64_t>(1, static_cast<int64_t>(std::ceil(blocks - alpha)));
}

int64_t mlir::trn::getLargestUsefulRank(int64_t rows, int64_t columns) {
  return (rows * columns - 1) / (rows + columns);
}
