//===- Stream.cpp - What flows through a language model -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Stream.h"

#include "trn/Model/Workers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir::trn;

int64_t Stream::longest() const {
  int64_t longest = 0;
  for (size_t i = 0; i < numSequences(); ++i)
    longest = std::max(longest, numRows(i));
  return longest;
}

void Stream::forEach(unsigned threads,
                     llvm::function_ref<void(size_t, float *, int64_t)> body) {
  forEachOnThreads(numSequences(), threads,
                   [&](size_t i) { body(i, rows(i), numRows(i)); });
}

Stream Stream::slice(size_t begin, size_t end) const {
  Stream part;
  part.hidden = hidden;
  for (size_t i = begin; i <= end; ++i)
    part.starts.push_back(starts[i] - starts[begin]);
  part.values.assign(values.begin() + starts[begin] * hidden,
                     values.begin() + starts[end] * hidden);
  return part;
}

void Stream::forEachBlock(
    unsigned threads, llvm::function_ref<void(size_t, float *, int64_t)> body) {
  // Long enough that products seldom pack the same weights again.
  const int64_t block = 640, all = starts.back();
  forEachOnThreads(llvm::divideCeil(all, block), threads, [&](size_t i) {
    int64_t first = i * block;
    body(first, values.data() + first * hidden, std::min(block, all - first));
  });
}

llvm::Error Stream::checkFinite(int64_t layer) const {
  for (auto [i, value] : llvm::enumerate(values)) {
    if (std::isfinite(value))
      continue;
    const int64_t row = int64_t(i) / hidden;
    size_t sequence = 0;
    while (starts[sequence + 1] <= row)
      ++sequence;
    return llvm::createStringError(llvm::formatv(
        "layer {0} makes a value of token {1} of sequence {2} that is not "
        "finite",
        layer, row - starts[sequence], sequence));
  }
  return llvm::Error::success();
}

Stream mlir::trn::embed(const Checkpoint &checkpoint,
                        llvm::ArrayRef<std::vector<int32_t>> sequences) {
  ArrayView embedding = checkpoint.lookup("model.embed_tokens.weight");
  Stream stream;
  stream.hidden = embedding.shape[1];
  stream.starts.push_back(0);
  for (const std::vector<int32_t> &tokens : sequences)
    stream.starts.push_back(stream.starts.back() + tokens.size());
  stream.values.resize(stream.starts.back() * stream.hidden);
  float *to = stream.values.data();
  for (const std::vector<int32_t> &tokens : sequences)
    for (int32_t token : tokens) {
      loadFloats(embedding.type.getFloats(),
                 embedding.data +
                     token * stream.hidden * byteSize(embedding.type),
                 to, stream.hidden);
      to += stream.hidden;
    }
  checkpoint.release("model.embed_tokens.weight");
  return stream;
}
