//===- LayerInputs.h - What comes to the weights of a layer -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_LAYERINPUTS_H
#define TRN_LIB_COMPRESS_LAYERINPUTS_H

#include "trn/Model/Layer.h"

namespace mlir::trn {

/// What comes to the weights of a layer: to q, k and v, o, gate and up, down.
struct LayerInputs {
  std::vector<float> attention, mixed, mlp, gated;

  const std::vector<float> &of(llvm::StringRef module) const {
    if (module.ends_with("o_proj"))
      return mixed;
    if (module.ends_with("down_proj"))
      return gated;
    return module.contains("mlp") ? mlp : attention;
  }
};

/// Adds what the layer does to the rows of x.
LayerInputs runLayer(const ModelConfig &config, const Layer &layer,
                     const Rotary &rotary, float *x, int64_t rows);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_LAYERINPUTS_H
