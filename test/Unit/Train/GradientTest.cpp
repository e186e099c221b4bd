//===- GradientTest.cpp - Tests of gradients of layers --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WideModel.h"

#include "trn/Train/Mlp.h"
#include "trn/Train/Norm.h"

using namespace mlir::trn;

namespace {

constexpr int64_t rows = 7;
/// Two parts, as two threads have them.
constexpr RowRange parts[] = {{0, 4}, {4, 3}}, all = {0, rows};

void expectLinearGradient(const LinearGradient &found, WideLinear &linear,
                          llvm::function_ref<double()> loss) {
  expectGradient(found.weight, linear.weight, loss);
  if (linear.rank)
    expectGradient(found.second, linear.second, loss);
  if (!linear.bias.empty())
    expectGradient(found.bias, linear.bias, loss);
}

void checkLinear(const Linear &linear) {
  std::vector<float> x = drawValues(rows * linear.in, 1),
                     dy = drawValues(rows * linear.out, 2),
                     y(rows * linear.out), dx(rows * linear.in);
  LinearPass pass(linear, rows);
  LinearGradient found(linear);
  for (RowRange part : parts) {
    pass.forward(x.data(), y.data(), part);
    pass.backward(dy.data(), dx.data(), part);
    pass.addTo(x.data(), dy.data(), part, found);
  }
  // Products of other sizes may be summed in another order.
  for (auto [found, wanted] : llvm::zip_equal(y, linear.apply(x.data(), rows)))
    EXPECT_NEAR(found, wanted, 1e-5);
  WideLinear wide(linear);
  Reals wideX = widen(x);
  auto loss = [&] { return dot(dy, wide.apply(wideX)); };
  expectGradient(dx, wideX, loss);
  expectLinearGradient(found, wide, loss);
}

TEST(LinearPass, Whole) {
  checkLinear(drawLinear(/*in=*/5, /*out=*/9, /*rank=*/0, /*bias=*/false, 3));
}

TEST(LinearPass, WithBias) {
  checkLinear(drawLinear(/*in=*/9, /*out=*/5, /*rank=*/0, /*bias=*/true, 3));
}

TEST(LinearPass, Factored) {
  checkLinear(drawLinear(/*in=*/8, /*out=*/11, /*rank=*/3, /*bias=*/true, 3));
}

TEST(LinearPass, OfAdapters) {
  Linear linear = drawLinear(5, 6, 3, /*hasBias=*/false, 3);
  std::vector<float> x = drawValues(rows * 5, 1), dy = drawValues(rows * 6, 2),
                     y(rows * 6);
  LinearPass pass(linear, rows);
  pass.forward(x.data(), y.data(), all);
  pass.backward(dy.data(), nullptr, all);
  LinearGradient whole(linear), found(linear);
  pass.addTo(x.data(), dy.data(), all, whole);
  const int64_t rank = 2;
  const AdapterUpdate first{"", 3, 5, drawValues(rank * 5, 4),
                            drawValues(3 * rank, 5)},
      second{"", 6, 3, drawValues(rank * 3, 6), drawValues(6 * rank, 7)};
  found.weight.assign((3 + 5) * rank, 0);
  found.second.assign((6 + 3) * rank, 0);
  found.ofWeight = &first;
  found.ofSecond = &second;
  for (RowRange part : parts)
    pass.addTo(x.data(), dy.data(), part, found);
  // Of F + B A: G A^T, and B^T G.
  for (auto [adapter, gradient, own] :
       {std::tuple(&first, &whole.weight, &found.weight),
        {&second, &whole.second, &found.second}}) {
    auto sum = [&, &adapter = adapter, &gradient = gradient](int64_t row,
                                                             int64_t column) {
      double value = 0;
      for (int64_t i = 0; row < adapter->out && i < adapter->in; ++i)
        value += (*gradient)[row * adapter->in + i] *
                 adapter->down[column * adapter->in + i];
      for (int64_t i = 0; row >= adapter->out && i < adapter->out; ++i)
        value += adapter->up[i * rank + row - adapter->out] *
                 (*gradient)[i * adapter->in + column];
      return value;
    };
    const int64_t ofUp = adapter->out * rank;
    for (int64_t i = 0; i < int64_t(own->size()); ++i)
      EXPECT_NEAR((*own)[i],
                  i < ofUp ? sum(i / rank, i % rank)
                           : sum(adapter->out + (i - ofUp) / adapter->in,
                                 (i - ofUp) % adapter->in),
                  1e-4);
  }
}

TEST(LinearPass, AddsToGradients) {
  Linear linear = drawLinear(4, 6, 2, /*hasBias=*/true, 3);
  std::vector<float> x = drawValues(rows * 4, 1), dy = drawValues(rows * 6, 2),
                     y(rows * 6), once(rows * 4), twice(rows * 4);
  LinearPass pass(linear, rows);
  pass.forward(x.data(), y.data(), all);
  pass.backward(dy.data(), once.data(), all);
  LinearGradient first(linear), sum(linear);
  pass.addTo(x.data(), dy.data(), all, first);
  sum.add(first);
  sum.add(first);
  for (int i = 0; i < 2; ++i) {
    pass.backward(dy.data(), twice.data(), all);
    pass.addTo(x.data(), dy.data(), all, first);
  }
  for (auto [a, b] : llvm::zip_equal(once, twice))
    EXPECT_FLOAT_EQ(2 * a, b);
  for (auto [a, b] : llvm::zip_equal(sum.second, first.second))
    EXPECT_FLOAT_EQ(1.5f * a, b);
  for (auto [a, b] : llvm::zip_equal(sum.bias, first.bias))
    EXPECT_FLOAT_EQ(1.5f * a, b);
}

TEST(Norm, Gradient) {
  const int64_t columns = 6;
  const double epsilon = 0.05; // large enough to count
  std::vector<float> x = drawValues(rows * columns, 1),
                     gains = drawValues(columns, 2),
                     dy = drawValues(rows * columns, 3), dx(x.size()),
                     found(columns);
  backwardNormalize(x.data(), dy.data(), rows, gains, epsilon, dx.data(),
                    found.data());
  Reals wideX = widen(x), wideGains = widen(gains);
  auto loss = [&] {
    double sum = 0;
    for (size_t row = 0; row < wideX.size(); row += columns) {
      double squares = 0;
      for (int64_t i = 0; i < columns; ++i)
        squares += wideX[row + i] * wideX[row + i];
      for (int64_t i = 0; i < columns; ++i)
        sum += dy[row + i] * wideX[row + i] * wideGains[i] /
               std::sqrt(squares / columns + epsilon);
    }
    return sum;
  };
  expectGradient(dx, wideX, loss);
  expectGradient(found, wideGains, loss);
}

TEST(MlpPass, Gradient) {
  const int64_t hidden = 5, inter = 8;
  Layer layer;
  layer.gate = drawLinear(hidden, inter, /*rank=*/3, /*hasBias=*/false, 10);
  layer.up = drawLinear(hidden, inter, /*rank=*/0, /*hasBias=*/true, 20);
  layer.down = drawLinear(inter, hidden, /*rank=*/4, /*hasBias=*/false, 30);
  std::vector<float> h = drawValues(rows * hidden, 1),
                     dy = drawValues(rows * hidden, 2), y(rows * hidden),
                     dh(rows * hidden);
  MlpPass pass(layer, rows);
  MlpGradient found(layer);
  for (RowRange part : parts) {
    pass.forward(h.data(), y.data(), part);
    pass.backward(dy.data(), dh.data(), part);
    pass.addTo(h.data(), dy.data(), part, found);
  }
  WideLinear gate(layer.gate), up(layer.up), down(layer.down);
  Reals wideH = widen(h);
  auto loss = [&] {
    Reals gated = gate.apply(wideH);
    for (auto [value, other] : llvm::zip_equal(gated, up.apply(wideH)))
      value *= other / (1 + std::exp(-value));
    return dot(dy, down.apply(gated));
  };
  expectGradient(dh, wideH, loss);
  expectLinearGradient(found.gate, gate, loss);
  expectLinearGradient(found.up, up, loss);
  expectLinearGradient(found.down, down, loss);
}

} // namespace
