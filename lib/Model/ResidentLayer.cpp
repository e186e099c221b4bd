//===- ResidentLayer.cpp - Weights that stay in memory --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResidentLayer.h"

#include "trn/Model/Product.h"
#include "trn/Model/Workers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <sys/mman.h>

using namespace mlir::trn;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static constexpr int64_t largePage = int64_t(1) << 21, vectorBytes = 64;

void WeightMemory::Free::operator()(char *memory) const { std::free(memory); }

void WeightMemory::allocate(int64_t bytes) {
  const int64_t size = llvm::alignTo(std::max<int64_t>(bytes, 1), largePage);
  memory.reset(static_cast<char *>(std::aligned_alloc(largePage, size)));
  if (!memory)
    llvm::report_bad_alloc_error("no memory for weights");
  (void)madvise(memory.get(), size, MADV_HUGEPAGE);
  next = memory.get();
}

char *WeightMemory::take(int64_t bytes) {
  return std::exchange(next, next + llvm::alignTo(bytes, vectorBytes));
}

/// Whether bf16 has all of `values`.
static bool areBF16(llvm::ArrayRef<float> values) {
  uint32_t lost = 0;
  for (float value : values)
    lost |= llvm::bit_cast<uint32_t>(value) & 0xFFFF;
  return !lost;
}

static ElementType typeOf(llvm::ArrayRef<float> values) {
  return areBF16(values) ? ElementType::BF16 : ElementType::F32;
}

int64_t mlir::trn::measureHeld(llvm::ArrayRef<float> values) {
  return llvm::alignTo(values.size() * byteSize(typeOf(values)), vectorBytes);
}

ResidentMatrix mlir::trn::hold(llvm::ArrayRef<float> values, int64_t out,
                               int64_t in, WeightMemory &memory) {
  ElementType type = typeOf(values);
  char *data = memory.take(values.size() * byteSize(type));
  storeFloats(type, values.data(), data, values.size());
  return {type, out, in, data};
}

ResidentLayer::ResidentLayer(Layer layer)
    : attentionNorm(std::move(layer.attentionNorm)),
      mlpNorm(std::move(layer.mlpNorm)), queryNorm(std::move(layer.queryNorm)),
      keyNorm(std::move(layer.keyNorm)), window(layer.window) {
  const std::pair<Linear *, ResidentLinear *> linears[] = {
      {&layer.query, &query},   {&layer.key, &key},   {&layer.value, &value},
      {&layer.output, &output}, {&layer.gate, &gate}, {&layer.up, &up},
      {&layer.down, &down}};
  int64_t bytes = 0;
  for (auto [from, to] : linears)
    bytes += measureHeld(from->weight) + measureHeld(from->second);
  memory.allocate(bytes);
  for (auto [from, to] : linears) {
    to->weight = hold(from->weight, from->rank ? from->rank : from->out,
                      from->in, memory);
    if (from->rank)
      to->second = hold(from->second, from->out, from->rank, memory);
    to->bias = std::move(from->bias);
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void ResidentMatrix::multiply(const float *x, int64_t rows, float *y,
                              Workers &workers) const {
  // Parts of so many elements are worth another thread.
  const int64_t part = std::max<int64_t>(64, (int64_t(1) << 18) / in);
  workers.forEach(llvm::divideCeil(out, part), [&](size_t number) {
    const int64_t first = number * part, count = std::min(part, out - first);
    const char *own = data + first * in * byteSize(type);
    if (rows == 1)
      return multiplyVector(type, own, count, in, x, y + first);
    std::vector<float> widened;
    if (type != ElementType::F32) {
      widened.resize(count * in);
      loadFloats(type, own, widened.data(), count * in);
    }
    auto *weight =
        widened.empty() ? reinterpret_cast<const float *>(own) : widened.data();
    mlir::trn::multiply(rows, count, in, {x, in}, transposed(weight, in),
                        y + first, out);
  });
}

std::vector<float> ResidentLinear::apply(const std::vector<float> &x,
                                         int64_t rows, Workers &workers) const {
  std::vector<float> y(rows * weight.out);
  weight.multiply(x.data(), rows, y.data(), workers);
  if (second.data) {
    std::vector<float> middle =
        std::exchange(y, std::vector<float>(rows * second.out));
    second.multiply(middle.data(), rows, y.data(), workers);
  }
  if (!bias.empty())
    for (size_t i = 0; i < y.size(); ++i)
      y[i] += bias[i % bias.size()];
  return y;
}
