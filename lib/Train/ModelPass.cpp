//===- ModelPass.cpp - Gradients of all layers of a model -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/ModelPass.h"

#include "LayerPass.h"
#include "trn/Model/Workers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;

std::array<Linear *, weightsOfLayer> mlir::trn::listWeights(Layer &layer) {
  return {&layer.query, &layer.key, &layer.value, &layer.output,
          &layer.gate,  &layer.up,  &layer.down};
}

std::string mlir::trn::moduleOf(unsigned layer, unsigned weight) {
  static constexpr llvm::StringLiteral names[weightsOfLayer] = {
      "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
      "self_attn.o_proj", "mlp.gate_proj",    "mlp.up_proj",
      "mlp.down_proj"};
  return llvm::formatv("model.layers.{0}.{1}", layer, names[weight]);
}

std::vector<LayerGradient>
mlir::trn::makeGradients(std::vector<Layer> &layers,
                         const std::set<std::string> &frozen) {
  std::vector<LayerGradient> gradients(layers.size());
  for (unsigned number = 0; number < layers.size(); ++number)
    for (auto [weight, linear] : llvm::enumerate(listWeights(layers[number])))
      if (linear->rank && !frozen.count(moduleOf(number, weight)))
        gradients[number][weight] = LinearGradient(*linear);
  return gradients;
}

void mlir::trn::forEachPiece(int64_t rows, unsigned threads,
                             llvm::function_ref<void(RowRange)> body) {
  // Long enough that products seldom pack the same weights again, and as many
  // for each of a few threads.
  const int64_t most = 256;
  const int64_t pieces = llvm::alignTo<4>(llvm::divideCeil(rows, most)),
                each = llvm::divideCeil(rows, pieces);
  forEachOnThreads(llvm::divideCeil(rows, each), threads, [&](size_t i) {
    const int64_t first = i * each;
    body({first, std::min(each, rows - first)});
  });
}

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
