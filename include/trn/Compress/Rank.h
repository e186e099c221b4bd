//===- Rank.h - Ranks from shares of parameters -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_RANK_H
#define TRN_COMPRESS_RANK_H

#include <cstdint>

namespace mlir::trn {

/// The least multiple of `block` that is at most `alpha` blocks below `count`,
/// but at least one block. `alpha` is in [0, 1); a half means the nearest
/// multiple, with halves down.
int64_t alignCount(double count, int64_t block, double alpha = 0.5);

/// The aligned rank of factors with about `1 - ratio` of the parameters of a
/// `rows` x `columns` weight. `ratio` is between 0 and 1.
int64_t getRankOfRatio(double ratio, int64_t rows, int64_t columns,
                       int64_t block, double alpha = 0.5);

/// The largest rank whose factors have fewer parameters than the weight; 0 if
/// there is none.
int64_t getLargestUsefulRank(int64_t rows, int64_t columns);

} // namespace mlir::trn

#endif // TRN_COMPRESS_RANK_H
