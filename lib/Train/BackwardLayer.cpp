//===- BackwardLayer.cpp - Gradients at what weights make -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/BackwardLayer.h"

#include "LayerPass.h"
#include "trn/Train/Head.h"

using namespace mlir::trn;

void mlir::trn::backwardLayer(
    const ModelConfig &config, const Layer &layer, const Rotary &rotary,
    const Stream &x, std::vector<float> &dx, unsigned threads,
    llvm::function_ref<void(const OutputGradients &, int64_t)> body) {
  const size_t atOnce = 16, count = x.numSequences();
  for (size_t begin = 0; begin < count; begin += atOnce) {
    const size_t end = std::min(begin + atOnce, count);
    const Stream input = x.slice(begin, end);
    auto first = dx.begin() + x.starts[begin] * x.hidden;
    std::vector<float> behind(first, first + input.values.size()),
        before(behind.size());
    LayerPass pass(config, layer, rotary, input, threads);
    LayerGradient none;
    pass.forwardAttention(input.values);
    pass.backwardMlp(behind, none);
    pass.backwardAttention(input.values, before, none);
    std::copy(before.begin(), before.end(), first);
    body(pass.takeOutputGradients(std::move(behind)), input.starts.back());
  }
}

/// Makes a stream the gradients of what the head makes of it.
static void backwardHead(const Head &head,
                         llvm::ArrayRef<HostModel::Tokens> stories,
                         Stream &stream, unsigned threads) {
  std::vector<int32_t> next;
  for (const HostModel::Tokens &story : stories) {
    next.insert(next.end(), story.begin() + 1, story.end());
    next.push_back(-1);
  }
  forEachPiece(stream.starts.back(), threads, [&](RowRange own) {
    float *x = stream.values.data() + own.first * stream.hidden;
    std::vector<float> dx(own.count * stream.hidden), losses(own.count);
    head.computeLosses(x, llvm::ArrayRef(next).slice(own.first, own.count),
                       /*scale=*/1, losses.data(), dx.data());
    std::copy(dx.begin(), dx.end(), x);
  });
}

llvm::Expected<std::vector<std::vector<float>>>
mlir::trn::computeStreamGradients(const Checkpoint &checkpoint,
                                  llvm::ArrayRef<HostModel::Tokens> stories,
                                  unsigned threads,
                                  HostModel::Progress progress) {
  const ModelConfig &config = checkpoint.config();
  if (llvm::Error error = checkTokens(config, stories))
    return error;
  llvm::Expected<Head> head = Head::load(checkpoint);
  if (!head)
    return head.takeError();
  Stream stream = embed(checkpoint, stories);
  Rotary rotary(config, stream.longest());
  const int64_t layers = config.layers;
  // What comes to a layer, and once that is of no more use, what is behind it.
  std::vector<std::vector<float>> values(layers);
  for (int64_t number = 0; number < layers; ++number) {
    llvm::Expected<Layer> layer = Layer::load(checkpoint, number);
    if (!layer)
      return layer.takeError();
    values[number] = stream.values;
    stream.forEach(threads, [&](size_t, float *x, int64_t rows) {
      addAttention(config, *layer, rotary, x, rows);
      addMlp(config, *layer, x, rows);
    });
    if (llvm::Error error = stream.checkFinite(number))
      return error;
    progress(number + 1, 2 * layers);
  }
  backwardHead(*head, stories, stream, threads);
  std::vector<float> dx = std::move(stream.values);
  for (int64_t number = layers; number-- > 0;) {
    llvm::Expected<Layer> layer = Layer::load(checkpoint, number);
    if (!layer)
      return layer.takeError();
    stream.values = std::move(values[number]);
    values[number] = dx;
    backwardLayer(config, *layer, rotary, stream, dx, threads,
                  [](const OutputGradients &, int64_t) {});
    progress(2 * layers - number, 2 * layers);
  }
  return values;
}
