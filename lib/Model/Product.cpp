//===- Product.cpp - Products of matrices in f32 --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Product.h"

#include "trn/Support/SingleThreadedCalls.h"
#include <dnnl.h>

using namespace mlir::trn;

void mlir::trn::multiply(int64_t rows, int64_t columns, int64_t inner,
                         ProductFactor left, ProductFactor right, float *result,
                         int64_t resultPitch, float kept, float scale) {
  SingleThreadedCalls singleThreaded;
  // Of the sizes of small models, a fifth faster than OpenBLAS. It fails for
  // negative sizes and pitches too short only.
  dnnl_sgemm(left.isTransposed ? 'T' : 'N', right.isTransposed ? 'T' : 'N',
             rows, columns, inner, scale, left.values, left.pitch, right.values,
             right.pitch, kept, result, resultPitch);
}
