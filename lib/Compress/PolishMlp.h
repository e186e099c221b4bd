//===- PolishMlp.h - Train the factors of one MLP ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_POLISHMLP_H
#define TRN_LIB_COMPRESS_POLISHMLP_H

#include "trn/Compress/CompressOptions.h"
#include "trn/Model/Layer.h"
#include "trn/Model/Stream.h"

namespace mlir::trn {

/// The residual streams that a layer's MLP works on: in the whole model before
/// and after it, and in the compressed model before it.
struct MlpStreams {
  const Stream &before, &after, &own;
};

/// Trains the factors and the thin weights of the MLP of `layer`, whole weights
/// apart, to make of the compressed model's stream what that of `whole` adds to
/// its own and, if it `mends`, what both differ by. The two factors of each
/// component are as long to each other as they were. Returns relative errors
/// from the first step to the last, means over what some steps saw before they
/// moved.
std::vector<double> polishMlp(const ModelConfig &config, const Layer &whole,
                              Layer &layer, const MlpStreams &streams,
                              bool mends, const PolishOptions &options,
                              unsigned threads);

/// How far the product of factors is from the weight, relative to that.
double weightErrorOf(const Linear &whole, const Linear &factored);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_POLISHMLP_H
