//===- Attention.cpp - Positions that tokens attend to --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Attention.h"

#include "trn/Model/Config.h"
#include "trn/Model/Exponentials.h"
#include "trn/Model/Product.h"
#include <cmath>

using namespace mlir::trn;

float Heads::scale() const { return 1 / std::sqrt(float(width)); }

void Heads::forEachBlock(
    llvm::function_ref<void(const HeadBlock &, float *)> body) const {
  // Few rows at a time: they see no positions after the last of them.
  const int64_t most = 64;
  std::vector<float> weights(std::min(most, rows) * (past + rows));
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t first = 0; first < rows; first += most)
      body({head, first, std::min(most, rows - first), past}, weights.data());
}

/// Softmax of the scores [first, last) of a row, times `scale`; the others are
/// of later positions, or too far away, and become 0.
static void attend(float *scores, int64_t first, int64_t last, int64_t all,
                   float scale) {
  float *own = scores + first;
  const int64_t count = last - first;
  float part = 1 / exponentiate(own, count, findHighest(own, count), scale);
  for (int64_t i = 0; i < count; ++i)
    own[i] *= part;
  std::fill(scores, own, 0.0f);
  std::fill(scores + last, scores + all, 0.0f);
}

void Heads::weigh(const HeadBlock &block, const float *query, const float *key,
                  float *weights) const {
  const int64_t seen = block.seen();
  multiply(block.count, seen, width, {query + queryOffset(block), queryPitch()},
           transposed(key + keyOffset(block), keyPitch()), weights, seen);
  for (int64_t last = seen - block.count + 1; last <= seen;
       ++last, weights += seen)
    attend(weights, std::max<int64_t>(last - window, 0), last, seen, scale());
}

void Heads::mix(const float *query, const float *key, const float *value,
                float *mixed) const {
  forEachBlock([&](const HeadBlock &block, float *weights) {
    weigh(block, query, key, weights);
    multiply(block.count, width, block.seen(), {weights, block.seen()},
             {value + keyOffset(block), keyPitch()}, mixed + queryOffset(block),
             queryPitch());
  });
}
