//===- TrainFactors.h - Train the factors of a model ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRAIN_TRAINFACTORS_H
#define TRN_TRAIN_TRAINFACTORS_H

#include "trn/Model/Adapter.h"
#include "trn/Model/HostModel.h"
#include "trn/Model/Layer.h"
#include <set>

namespace mlir::trn {

/// The objective that training minimises:
/// - Text: the cross-entropy of the text
/// - Dense: the divergence from the dense model's predictions
enum class Objective : uint8_t { Text, Dense };
llvm::StringRef stringify(Objective objective);

struct TrainOptions {
  Objective objective = Objective::Dense;
  int64_t steps = 0, storiesPerStep = 8;
  /// The largest step of Adam, relative to the root mean square of a tensor;
  /// for adapters it is absolute. Steps grow in the beginning and fall along a
  /// cosine.
  double rate = 0.005;
  /// If not 0, each factor F becomes F + B A with an adapter of this rank, and
  /// only adapters are trained.
  int64_t adapterRank = 0;
  /// Modules whose factors are not trained, and modules without factors that
  /// are trained nevertheless.
  std::set<std::string> frozen = {}, whole = {};
  unsigned threads = 0; // 0: as many as there are cores
};

struct TrainResult {
  std::vector<double> losses;         // of a token at each step
  std::vector<AdapterUpdate> updates; // the adapters, if any
};

/// Trains all factors of `layers`, a copy of `dense` with factors, on stories
/// in a fixed order; adapters are merged at the end. The rest of the model
/// stays as it is. The result does not depend on the number of threads. Fails
/// as `HostModel` does, and if values do not stay finite.
llvm::Expected<TrainResult>
trainFactors(const Checkpoint &dense, std::vector<Layer> &layers,
             llvm::ArrayRef<HostModel::Tokens> stories,
             const TrainOptions &options, HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_TRAIN_TRAINFACTORS_H
