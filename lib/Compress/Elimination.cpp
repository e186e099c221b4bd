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

/// Rows that a thread takes, and how many inputs are eliminated before both
/// matrices are gone through.
static constexpr int64_t block = 256, atOnce = block / 2;

Elimination::Elimination(std::vector<float> ofInputs,
                         std::vector<float> ofNeeded, int64_t size)
    : size(size), inputs(std::move(ofInputs)), needed(std::move(ofNeeded)),
      diagonal(size), order(size), columns(atOnce * size),
      left(2 * atOnce * size), right(2 * atOnce * size) {
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

/// Rows and columns of a matrix of which there is the upper triangle, from row
/// a < b on.
static void exchangeRows(std::vector<float> &matrix, int64_t size, int64_t a,
                         int64_t b) {
  float *values = matrix.data();
  std::swap(values[a * size + a], values[b * size + b]);
  for (int64_t i = a + 1; i < b; ++i)
    std::swap(values[a * size + i], values[i * size + b]);
  std::swap_ranges(values + a * size + b + 1, values + (a + 1) * size,
                   values + b * size + b + 1);
}

void Elimination::exchange(int64_t a, int64_t b) {
  if (a == b)
    return;
  for (std::vector<float> *matrix : {&inputs, &needed})
    exchangeRows(*matrix, size, a, b);
  for (std::vector<float> *rows : {&columns, &left, &right})
    for (int64_t i = 0; i < int64_t(rows->size()); i += size)
      std::swap((*rows)[i + a], (*rows)[i + b]);
  std::swap(diagonal[a], diagonal[b]);
  std::swap(order[a], order[b]);
}

/// From its diagonal on, without what is still to be taken from it.
std::vector<float> Elimination::currentRow(const std::vector<float> &matrix,
                                           int64_t row, bool isNeeded) const {
  const int64_t count = size - row, pending = done - flushed;
  const float *own = matrix.data() + row * size + row;
  std::vector<float> values(own, own + count);
  auto take = [&](const float *ofLeft, const float *ofRight) {
    if (pending)
      blas::gemv(blas::transposed, pending, count, -1.0f, ofLeft + row, size,
                 ofRight + row, size, 1.0f, values.data());
  };
  if (!isNeeded) {
    take(left.data(), columns.data());
    return values;
  }
  const int64_t half = atOnce * size;
  take(left.data(), right.data());
  take(left.data() + half, right.data() + half);
  return values;
}

/// Takes from the diagonal what `pivot`, the next one, makes up of the others.
void Elimination::eliminate(int64_t pivot) {
  exchange(done, pivot);
  const std::vector<float> own = currentRow(inputs, done, false),
                           wanted = currentRow(needed, done, true);
  const int64_t row = (done - flushed) * size, begin = done;
  const float divisor = std::max(own[0], least);
  ++done;
  for (int64_t i = begin; i < size; ++i) {
    const float column = own[i - begin], share = column / divisor,
                half = wanted[i - begin] - share * wanted[0] / 2;
    columns[row + i] = column;
    left[row + i] = right[atOnce * size + row + i] = share;
    left[atOnce * size + row + i] = right[row + i] = half;
    diagonal[i] -= 2 * share * half;
  }
}

/// Takes from both matrices what is still to be taken, `atOnce` of it.
void Elimination::update(Workers &workers) {
  flushed = done;
  workers.forEach(llvm::divideCeil(size - done, block), [&](size_t number) {
    const int64_t row = done + int64_t(number) * block,
                  rows = std::min(block, size - row);
    auto take = [&](const std::vector<float> &other, std::vector<float> &from) {
      blas::gemm(blas::transposed, blas::asIs, rows, size - row,
                 int64_t(other.size()) / size, -1.0f, left.data() + row, size,
                 other.data() + row, size, 1.0f, from.data() + row * size + row,
                 size);
    };
    take(columns, inputs);
    take(right, needed);
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
