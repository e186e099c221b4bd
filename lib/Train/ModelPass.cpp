//===- ModelPass.cpp - Gradients of all layers of a model -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/ModelPass.h"

#include "LayerPass.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

void ModelPass::forward(Stream &x) {
  for (auto [layer, input] : llvm::zip_equal(layers, inputs)) {
    input = x.values;
    x.forEach(threads, [&, &layer = layer](size_t, float *own, int64_t rows) {
      addAttention(config, layer, rotary, own, rows);
    });
    forEachPiece(x.starts.back(), threads, [&, &layer = layer](RowRange rows) {
      addMlp(config, layer, x.values.data() + rows.first * x.hidden,
             rows.count);
    });
  }
}

void ModelPass::backward(Stream &dx, std::vector<LayerGradient> &gradients) {
  for (unsigned i = layers.size(); i-- > 0;) {
    LayerPass pass(config, layers[i], rotary, dx, threads);
    pass.forwardAttention(inputs[i]);
    pass.backwardMlp(dx.values, gradients[i]);
    pass.backwardAttention(inputs[i], dx.values, gradients[i]);
  }
}
