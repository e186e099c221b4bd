//===- FactorStep.h - Steps of all factors of a model -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRAIN_FACTORSTEP_H
#define TRN_LIB_TRAIN_FACTORSTEP_H

#include "trn/Model/Adapter.h"
#include "trn/Train/Adam.h"
#include "trn/Train/ModelPass.h"

namespace mlir::trn {

/// What is trained of one factor, or of one weight: all of it, or what an
/// adapter adds to it.
class FactorStep {
public:
  /// `values` are [out, in] and change with each step.
  FactorStep(std::string module, std::vector<float> &values, int64_t in,
             int64_t adapterRank, unsigned seed);

  void step(llvm::ArrayRef<float> gradient, double rate);
  /// What was trained, if it is an adapter.
  const AdapterUpdate &update() const { return adapter; }

private:
  void stepAdapter(llvm::ArrayRef<float> gradient, double rate);

  std::vector<float> &values;
  double size; // of values in the beginning
  AdapterUpdate adapter;
  int64_t rank;
  std::vector<float> frozen; // without the adapter
  Adam whole, up, down;
};

/// All factors and weights that are trained.
class FactorSteps {
public:
  /// What is trained is what `gradients`, zeros, has any of; with adapters they
  /// become those of adapters, which live as long as this.
  FactorSteps(std::vector<Layer> &layers, int64_t adapterRank,
              std::vector<LayerGradient> &gradients);
  FactorSteps(const FactorSteps &) = delete;
  FactorSteps &operator=(const FactorSteps &) = delete;

  void step(llvm::ArrayRef<LayerGradient> gradients, double rate,
            unsigned threads);
  /// The adapters, rows in the order of Hugging Face.
  std::vector<AdapterUpdate> updates(const ModelConfig &config) const;

private:
  struct Place {
    unsigned layer, weight;
    bool isSecond;
  };
  int64_t adapterRank;
  std::vector<Place> places;
  std::vector<FactorStep> steps; // one for each place
};

} // namespace mlir::trn

#endif // TRN_LIB_TRAIN_FACTORSTEP_H
