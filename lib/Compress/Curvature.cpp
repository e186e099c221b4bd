//===- Curvature.cpp - What errors of weights do to the loss --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Curvature.h"

#include "Statistics.h"
#include "trn/Train/BackwardLayer.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

llvm::Expected<Curvature>
Curvature::measure(const Checkpoint &checkpoint,
                   llvm::ArrayRef<HostModel::Tokens> calibration,
                   unsigned threads, HostModel::Progress progress) {
  Curvature curvature;
  curvature.config = &checkpoint.config();
  curvature.threads = threads;
  auto gradients = computeStreamGradients(
      checkpoint, calibration.take_front(mostSequences), threads, progress);
  if (!gradients)
    return gradients.takeError();
  curvature.gradients = std::move(*gradients);
  return curvature;
}

std::vector<std::optional<Metric>> Curvature::metricsOf(
    int64_t number, const Layer &layer, const Rotary &rotary,
    const Stream &stream, llvm::ArrayRef<FactoredMatrix> matrices,
    llvm::function_ref<bool(const FactoredMatrix &)> wanted) const {
  const Stream own =
      stream.slice(0, std::min(mostSequences, stream.numSequences()));
  std::vector<float> dx = gradients[number];
  std::vector<Matrix> squares(matrices.size());
  backwardLayer(*config, layer, rotary, own, dx, threads,
                [&](const OutputGradients &outputs, int64_t rows) {
                  for (auto [i, matrix] : llvm::enumerate(matrices))
                    if (wanted(matrix))
                      addProduct(squares[i], outputs[i], outputs[i], rows,
                                 threads);
                });
  Workers workers(threads);
  std::vector<std::optional<Metric>> metrics(matrices.size());
  for (auto [metric, sum, matrix] :
       llvm::zip_equal(metrics, squares, matrices)) {
    if (sum.empty())
      continue;
    finishGram(sum, double(own.starts.back()), threads);
    metric.emplace(std::move(sum), matrix.out, workers);
  }
  return metrics;
}
