//===- FactorStep.cpp - Steps of all factors of a model -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactorStep.h"

#include "trn/Model/Product.h"
#include "trn/Model/Workers.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <random>

using namespace mlir::trn;

FactorStep::FactorStep(std::string module, std::vector<float> &values,
                       int64_t in, int64_t adapterRank, unsigned seed)
    : values(values), size(rootMeanSquare(values)), rank(adapterRank),
      whole(rank ? 0 : values.size()), up(values.size() / in * rank),
      down(rank * in) {
  if (!rank)
    return;
  frozen = values;
  adapter.module = std::move(module);
  adapter.in = in;
  adapter.out = values.size() / in;
  // As PEFT begins: B is zero, and A uniform.
  adapter.up.resize(adapter.out * rank);
  std::mt19937 random(seed);
  for (int64_t i = 0; i < rank * in; ++i)
    adapter.down.push_back(
        float((double(random()) / 0x1p31 - 1) / std::sqrt(double(in))));
}

void FactorStep::step(llvm::ArrayRef<float> gradient, double rate) {
  if (rank)
    stepAdapter(gradient, rate);
  else
    whole.step(values, gradient, rate * size);
}

/// Of F + B A: dB = dF A^T and dA = B^T dF.
void FactorStep::stepAdapter(llvm::ArrayRef<float> gradient, double rate) {
  const int64_t out = adapter.out, in = adapter.in;
  up.step(adapter.up, gradient.take_front(out * rank), rate);
  down.step(adapter.down, gradient.drop_front(out * rank), rate);
  values = frozen;
  multiply(out, in, rank, {adapter.up.data(), rank}, {adapter.down.data(), in},
           values.data(), in, /*kept=*/1);
}

FactorSteps::FactorSteps(std::vector<Layer> &layers, int64_t adapterRank,
                         std::vector<LayerGradient> &gradients)
    : adapterRank(adapterRank) {
  for (unsigned number = 0; number < layers.size(); ++number)
    for (auto [weight, linear] : llvm::enumerate(listWeights(layers[number]))) {
      if (gradients[number][weight].weight.empty())
        continue;
      auto add = [&, own = linear, place = unsigned(weight)](std::string name,
                                                             bool isSecond) {
        places.push_back({number, place, isSecond});
        steps.emplace_back(std::move(name),
                           isSecond ? own->second : own->weight,
                           isSecond ? own->rank : own->in, adapterRank,
                           /*seed=*/unsigned(places.size()));
      };
      std::string module = moduleOf(number, weight);
      if (!linear->rank) {
        add(module, /*isSecond=*/false);
        continue;
      }
      std::string stem = module.substr(0, module.size() - strlen("proj"));
      add(stem + "v_proj", /*isSecond=*/false);
      add(stem + "u_proj", /*isSecond=*/true);
    }
  if (!adapterRank)
    return;
  for (auto [place, step] : llvm::zip_equal(places, steps)) {
    LinearGradient &own = gradients[place.layer][place.weight];
    const AdapterUpdate &update = step.update();
    (place.isSecond ? own.ofSecond : own.ofWeight) = &update;
    (place.isSecond ? own.second : own.weight) =
        std::vector<float>(update.up.size() + update.down.size());
  }
}

void FactorSteps::step(llvm::ArrayRef<LayerGradient> gradients, double rate,
                       unsigned threads) {
  forEachOnThreads(steps.size(), threads, [&](size_t i) {
    const auto [layer, weight, isSecond] = places[i];
    const LinearGradient &gradient = gradients[layer][weight];
    steps[i].step(isSecond ? gradient.second : gradient.weight, rate);
  });
}

std::vector<AdapterUpdate>
FactorSteps::updates(const ModelConfig &config) const {
  std::vector<AdapterUpdate> updates;
  if (!adapterRank)
    return updates;
  for (auto [place, step] : llvm::zip_equal(places, steps)) {
    AdapterUpdate &update = updates.emplace_back(step.update());
    if (config.rotatesNeighbours && place.isSecond && isRotated(update.module))
      update.up = turnRows(update.up, update.out, config.headDim);
  }
  return updates;
}
