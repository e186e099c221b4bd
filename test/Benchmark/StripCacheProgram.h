//===- StripCacheProgram.h - A fused chain written by hand ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_BENCHMARK_STRIPCACHEPROGRAM_H
#define TRN_TEST_BENCHMARK_STRIPCACHEPROGRAM_H

#include "trn/Machine/Machine.h"
#include "trn/Program/Program.h"

namespace mlir::trn {

/// X[m, k] * U[k, r] * V[r, n] and its blocks; every size is a multiple of the
/// tile that cuts it.
struct ChainSizes {
  int64_t m, k, r, n;
  int64_t blockM, blockX, blockR, blockN;
};

/// The chain in bf16 as a strip-cache kernel with implicit transposition:
/// arguments X, U, V and the result O.
Program stripCacheProgram(const ChainSizes &sizes, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_TEST_BENCHMARK_STRIPCACHEPROGRAM_H
