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

float *Elimination::pendingRow(Pending which, int64_t number) {
  return pending.data() + (which * atOnce + number) * size;
}
const float *Elimination::pendingRow(Pending which, int64_t number) const {
  return pending.data() + (which * atOnce + number) * size;
}

Elimination::Elimination(LargeArray<float> ofInputs, LargeArray<float> ofNeeded,
                         int64_t size)
    : size(size), inputs(std::move(ofInputs)), needed(std::move(ofNeeded)),
      diagonal(size), order(size), pending(4 * atOnce * size) {
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
static void exchangeRows(LargeArray<float> &matrix, int64_t size, int64_t a,
                         int64_t b) {
  float *values = matrix.data();
  std::swap(values[a * size + a], values[b * size + b]);
  const int64_t ahead = 16; // each row is elsewhere in memory
  for (int64_t i = a + 1; i < b; ++i) {
    __builtin_prefetch(values + std::min(i + ahead, b) * size + b);
    std::swap(values[a * size + i], values[i * size + b]);
  }
  std::swap_ranges(values + a * size + b + 1, values + (a + 1) * size,
                   values + b * size + b + 1);
}

void Elimination::exchange(int64_t a, int64_t b) {
  if (a == b)
    return;
  for (LargeArray<float> *matrix : {&inputs, &needed})
    exchangeRows(*matrix, size, a, b);
  for (Pending which : {Columns, Shares, Halves, SharesAgain})
    for (int64_t k = 0; k < done - flushed; ++k)
      std::swap(pendingRow(which, k)[a], pendingRow(which, k)[b]);
  std::swap(diagonal[a], diagonal[b]);
  std::swap(order[a], order[b]);
}

/// Row `done` of both matrices from its diagonal on, without what is still to
/// be taken from it.
Elimination::Rows Elimination::currentRows() const {
  const int64_t count = size - done, number = done - flushed;
  auto rowOf = [&](const LargeArray<float> &matrix) {
    const float *own = matrix.data() + done * size + done;
    return std::vector<float>(own, own + count);
  };
  Rows rows{rowOf(inputs), rowOf(needed)};
  auto take = [&](Pending left, Pending right, std::vector<float> &row) {
    if (number)
      blas::gemv(blas::transposed, number, count, -1.0f,
                 pendingRow(left, 0) + done, size, pendingRow(right, 0) + done,
                 size, 1.0f, row.data());
  };
  take(Shares, Columns, rows.inputs);
  take(Shares, Halves, rows.needed);
  take(Halves, Shares, rows.needed);
  return rows;
}

/// Takes from the diagonal what `pivot`, the next one, makes up of the others.
void Elimination::eliminate(int64_t pivot) {
  exchange(done, pivot);
  const auto [own, wanted] = currentRows();
  const int64_t begin = done, number = done - flushed;
  float *columns = pendingRow(Columns, number),
        *shares = pendingRow(Shares, number),
        *halves = pendingRow(Halves, number),
        *sharesAgain = pendingRow(SharesAgain, number);
  const float divisor = std::max(own[0], least);
  ++done;
  for (int64_t i = begin; i < size; ++i) {
    const float column = own[i - begin], share = column / divisor,
                half = wanted[i - begin] - share * wanted[0] / 2;
    columns[i] = column;
    shares[i] = sharesAgain[i] = share;
    halves[i] = half;
    diagonal[i] -= 2 * share * half;
  }
}

/// Takes from both matrices what is still to be taken, `atOnce` of it.
void Elimination::update(Workers &workers) {
  flushed = done;
  workers.forEach(llvm::divideCeil(size - done, block), [&](size_t number) {
    const int64_t row = done + int64_t(number) * block,
                  rows = std::min(block, size - row);
    auto take = [&](Pending first, int64_t inner, LargeArray<float> &from) {
      blas::gemm(blas::transposed, blas::asIs, rows, size - row, inner, -1.0f,
                 pendingRow(Shares, 0) + row, size, pendingRow(first, 0) + row,
                 size, 1.0f, from.data() + row * size + row, size);
    };
    take(Columns, atOnce, inputs);
    take(Halves, 2 * atOnce, needed);
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
