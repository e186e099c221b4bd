//===- Linear.cpp - Gradients of linear layers ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Train/Linear.h"

#include "trn/Model/Product.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

void LinearGradient::add(const LinearGradient &other) {
  for (auto [into, from] : {std::pair{&weight, &other.weight},
                            {&second, &other.second},
                            {&bias, &other.bias}})
    for (auto [value, more] : llvm::zip_equal(*into, *from))
      value += more;
}

/// Adds left^T right, which is the gradient of a matrix [leftWidth,
/// rightWidth]. That of an adapter B A needs no more than (left B)^T right, and
/// left^T (right A^T).
static void addOuter(int64_t rows, int64_t leftWidth, int64_t rightWidth,
                     const float *left, const float *right, float *sum,
                     const AdapterUpdate *adapter) {
  auto add = [rows](const float *own, int64_t width, const float *other,
                    int64_t otherWidth, float *to) {
    multiply(width, otherWidth, rows, transposed(own, width),
             {other, otherWidth}, to, otherWidth, /*kept=*/1);
  };
  if (!adapter)
    return add(left, leftWidth, right, rightWidth, sum);
  const int64_t rank = int64_t(adapter->down.size()) / rightWidth;
  std::vector<float> between(rows * rank);
  multiply(rows, rank, rightWidth, {right, rightWidth},
           transposed(adapter->down.data(), rightWidth), between.data(), rank);
  add(left, leftWidth, between.data(), rank, sum);
  multiply(rows, rank, leftWidth, {left, leftWidth}, {adapter->up.data(), rank},
           between.data(), rank);
  add(between.data(), rank, right, rightWidth, sum + leftWidth * rank);
}

void LinearPass::forward(const float *x, float *y, RowRange rows) {
  const int64_t in = linear.in, out = linear.out, rank = linear.rank;
  x += rows.first * in;
  y += rows.first * out;
  if (rank) {
    float *between = middle.data() + rows.first * rank;
    multiply(rows.count, rank, in, {x, in},
             transposed(linear.weight.data(), in), between, rank);
    multiply(rows.count, out, rank, {between, rank},
             transposed(linear.second.data(), rank), y, out);
  } else {
    multiply(rows.count, out, in, {x, in}, transposed(linear.weight.data(), in),
             y, out);
  }
  if (!linear.bias.empty())
    for (int64_t row = 0; row < rows.count; ++row)
      for (int64_t column = 0; column < out; ++column)
        y[row * out + column] += linear.bias[column];
}

void LinearPass::backward(const float *dy, float *dx, RowRange rows) {
  const int64_t in = linear.in, out = linear.out, rank = linear.rank;
  dy += rows.first * out;
  int64_t inner = out;
  if (rank) {
    float *between = middleGradient.data() + rows.first * rank;
    multiply(rows.count, rank, out, {dy, out}, {linear.second.data(), rank},
             between, rank);
    dy = between;
    inner = rank;
  }
  if (dx)
    multiply(rows.count, in, inner, {dy, inner}, {linear.weight.data(), in},
             dx + rows.first * in, in, /*kept=*/1);
}

void LinearPass::addToWeight(const float *x, const float *dy, RowRange rows,
                             std::vector<float> &gradient,
                             const AdapterUpdate *adapter) const {
  const int64_t width = linear.rank ? linear.rank : linear.out;
  const float *own = linear.rank ? middleGradient.data() : dy;
  addOuter(rows.count, width, linear.in, own + rows.first * width,
           x + rows.first * linear.in, gradient.data(), adapter);
}

void LinearPass::addToSecond(const float *dy, RowRange rows,
                             std::vector<float> &gradient,
                             const AdapterUpdate *adapter) const {
  addOuter(rows.count, linear.out, linear.rank, dy + rows.first * linear.out,
           middle.data() + rows.first * linear.rank, gradient.data(), adapter);
}

void LinearPass::addTo(const float *x, const float *dy, RowRange rows,
                       LinearGradient &gradient) const {
  addToWeight(x, dy, rows, gradient.weight, gradient.ofWeight);
  if (linear.rank)
    addToSecond(dy, rows, gradient.second, gradient.ofSecond);
  if (!linear.bias.empty())
    for (int64_t row = rows.first; row < rows.first + rows.count; ++row)
      for (int64_t column = 0; column < linear.out; ++column)
        gradient.bias[column] += dy[row * linear.out + column];
}
