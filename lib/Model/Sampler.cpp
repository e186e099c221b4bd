//===- Sampler.cpp - Tokens drawn by their logits -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Sampler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;

llvm::Error SamplerOptions::check() const {
  if (!(temperature >= 0 && std::isfinite(temperature)))
    return createStringError(
        formatv("the temperature is {0}, but must be a number of at least 0",
                temperature));
  if (topK < 0)
    return createStringError(
        formatv("top-k is {0}, but must be at least 1, or 0 for all", topK));
  if (!(topP > 0 && topP <= 1))
    return createStringError(
        formatv("top-p is {0}, but must be above 0 and at most 1", topP));
  return llvm::Error::success();
}

double Sampler::sumWeights() const {
  double sum = 0;
  for (const Candidate &candidate : candidates)
    sum += candidate.weight;
  return sum;
}

void Sampler::keepTopK() {
  auto isMoreProbable = [](const Candidate &a, const Candidate &b) {
    return b < a;
  };
  std::nth_element(candidates.begin(), candidates.begin() + options.topK,
                   candidates.end(), isMoreProbable);
  candidates.resize(options.topK);
}

void Sampler::keepTopP() {
  // Of a large vocabulary few are left: a heap gives these one by one.
  const double enough = options.topP * sumWeights();
  std::make_heap(candidates.begin(), candidates.end());
  auto top = candidates.end();
  for (double sum = 0; sum < enough && top != candidates.begin();) {
    std::pop_heap(candidates.begin(), top--);
    sum += top->weight;
  }
  candidates.erase(candidates.begin(), top);
}

int32_t Sampler::draw(llvm::ArrayRef<float> logits) {
  const float *most = std::max_element(logits.begin(), logits.end());
  if (options.temperature == 0)
    return most - logits.begin();
  candidates.clear();
  for (auto [token, logit] : llvm::enumerate(logits))
    candidates.push_back(
        {int32_t(token),
         std::exp((double(logit) - double(*most)) / options.temperature)});
  if (options.topK && options.topK < int64_t(candidates.size()))
    keepTopK();
  if (options.topP < 1)
    keepTopP();
  // Libraries leave them in different orders.
  llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.token < b.token;
  });
  // Distributions of the standard library are not the same everywhere.
  const double share = double(random() >> 11) * 0x1p-53;
  double rest = share * sumWeights();
  int32_t drawn = most - logits.begin();
  for (const Candidate &candidate : candidates) {
    if (candidate.weight > 0)
      drawn = candidate.token;
    if ((rest -= candidate.weight) < 0)
      break;
  }
  return drawn;
}
