//===- Elimination.cpp - Rows that say most of an output ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elimination.h"

#include "Blas.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir::trn;

/// How many inputs are eliminated before both matrices are gone through.
static constexpr int64_t atOnce = 96;

Elimination::Elimination(std::vector<float> ofInputs,
                         std::vector<float> ofNeeded, int64_t size)
    : size(size), inputs(std::move(ofInputs)), needed(std::move(ofNeeded)),
      diagonal(size), order(size), shares(atOnce * size),
      columns(atOnce * size), halves(atOnce * size) {
  std::iota(order.begin(), order.end(), 0);
  double trace = 0;
  for (int64_t i = 0; i < size; ++i) {
    diagonal[i] = needed[i * size + i];
    trace += inputs[i * size + i];
  }
  // What rounding leaves of an input that others make up.
  least = float(std::max(1e-7 * trace / double(size), 1e-30));
}

/// The first of the largest ones.
int64_t Elimination::findPivot() const {
  return std::max_element(diagonal.begin() + done, diagonal.end()) -
         diagonal.begin();
}

/// Rows and columns of a matrix of which there is the lower triangle; a < b.
static void exchangeRows(std::vector<float> &matrix, int64_t size, int64_t a,
                         int64_t b) {
  float *values = matrix.data();
  std::swap_ranges(values + a * size, values + a * size + a, values + b * size);
  for (int64_t i = a + 1; i < b; ++i)
    std::swap(values[i * size + a], values[b * size + i]);
  for (int64_t i = b + 1; i < size; ++i)
    std::swap(values[i * size + a], values[i * size + b]);
  std::swap(values[a * size + a], values[b * size + b]);
}

void Elimination::exchange(int64_t a, int64_t b) {
  if (a == b)
    return;
  for (std::vector<float> *matrix : {&inputs, &needed})
    exchangeRows(*matrix, size, a, b);
  for (std::vector<float> *rows : {&shares, &columns, &halves})
    for (int64_t i = 0; i < done - flushed; ++i)
      std::swap((*rows)[i * size + a], (*rows)[i * size + b]);
  std::swap(diagonal[a], diagonal[b]);
  std::swap(order[a], order[b]);
}

/// From its diagonal down, with what is still to be taken from it.
std::vector<float> Elimination::currentColumn(const std::vector<float> &matrix,
                                              int64_t column,
                                              bool isNeeded) const {
  const int64_t count = size - column, pending = done - flushed;
  std::vector<float> values(count), weights(pending);
  for (int64_t i = 0; i < count; ++i)
    values[i] = matrix[(column + i) * size + column];
  if (!pending)
    return values;
  auto take = [&](const std::vector<float> &left,
                  const std::vector<float> &right) {
    for (int64_t i = 0; i < pending; ++i)
      weights[i] = right[i * size + column];
    blas::gemv(blas::transposed, pending, count, -1.0f, left.data() + column,
               size, weights.data(), 1, 1.0f, values.data());
  };
  take(shares, isNeeded ? halves : columns);
  if (isNeeded)
    take(halves, shares);
  return values;
}

/// Takes from the diagonal what `pivot`, the next one, makes up of the others.
void Elimination::eliminate(int64_t pivot) {
  exchange(done, pivot);
  const std::vector<float> own = currentColumn(inputs, done, false),
                           wanted = currentColumn(needed, done, true);
  const int64_t row = (done - flushed) * size, begin = done;
  const float divisor = std::max(own[0], least);
  ++done;
  for (int64_t i = begin; i < size; ++i) {
    const float column = own[i - begin], share = column / divisor,
                half = wanted[i - begin] - share * wanted[0] / 2;
    shares[row + i] = share;
    columns[row + i] = column;
    halves[row + i] = half;
    diagonal[i] -= 2 * share * half;
  }
}

/// Takes from both matrices what is still to be taken.
void Elimination::update(Workers &workers) {
  const int64_t pending = done - flushed, block = 256;
  flushed = done;
  workers.forEach(llvm::divideCeil(size - done, block), [&](size_t number) {
    const int64_t row = done + int64_t(number) * block,
                  rows = std::min(block, size - row), width = row + rows - done;
    auto take = [&](const std::vector<float> &left,
                    const std::vector<float> &right, std::vector<float> &from) {
      blas::gemm(blas::transposed, blas::asIs, rows, width, pending, -1.0f,
                 left.data() + row, size, right.data() + done, size, 1.0f,
                 from.data() + row * size + done, size);
    };
    take(shares, columns, inputs);
    take(shares, halves, needed);
    take(halves, shares, needed);
  });
}

std::vector<int64_t> Elimination::run(int64_t count, Workers &workers) {
  while (done < count) {
    eliminate(findPivot());
    if (done - flushed == atOnce)
      update(workers);
  }
  order.resize(count);
  return order;
}
