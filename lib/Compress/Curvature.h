//===- Curvature.h - What errors of weights do to the loss ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_CURVATURE_H
#define TRN_LIB_COMPRESS_CURVATURE_H

#include "Metric.h"
#include "trn/Compress/RankPlan.h"
#include "trn/Model/HostModel.h"
#include "trn/Model/Layer.h"
#include "trn/Model/Stream.h"

namespace mlir::trn {

/// How the loss of the first sequences of a calibration bends in the outputs of
/// weights: as the covariance of its gradients there says (the empirical Fisher
/// information). An error e of the outputs costs e^T F e / 2 on average.
class Curvature {
public:
  static constexpr size_t mostSequences = 64;

  /// One pass through the whole model, there and back.
  static llvm::Expected<Curvature>
  measure(const Checkpoint &checkpoint,
          llvm::ArrayRef<HostModel::Tokens> calibration, unsigned threads,
          HostModel::Progress progress);

  /// Those of the outputs of the `wanted` weights of layer `number`, all of
  /// which `matrices` has; `stream` is what comes to it in the whole model.
  std::vector<std::optional<Metric>>
  metricsOf(int64_t number, const Layer &layer, const Rotary &rotary,
            const Stream &stream, llvm::ArrayRef<FactoredMatrix> matrices,
            llvm::function_ref<bool(const FactoredMatrix &)> wanted) const;

private:
  const ModelConfig *config = nullptr;
  unsigned threads = 0;
  std::vector<std::vector<float>> gradients; // behind each layer
};

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_CURVATURE_H
