//===- Neurons.cpp - Which neurons of an MLP stay ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Neurons.h"

#include "Algebra.h"
#include "Blas.h"
#include "Elimination.h"
#include "Root.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir::trn;

llvm::StringRef mlir::trn::stringify(Scores scores) {
  return scores == Scores::Greedy ? "greedy" : "norm";
}

/// The mean square of what each neuron adds to the outputs.
static std::vector<double> normScores(llvm::ArrayRef<float> down, int64_t out,
                                      int64_t neurons,
                                      const FitStatistics &statistics) {
  std::vector<double> scores(neurons);
  for (int64_t row = 0; row < out; ++row)
    for (int64_t i = 0; i < neurons; ++i) {
      const double value = down[row * neurons + i];
      scores[i] += value * value;
    }
  for (int64_t i = 0; i < neurons; ++i)
    scores[i] *= statistics.inputs[i * neurons + i];
  return scores;
}

/// The upper triangle of m m^T.
static LargeArray<float> multiplyRows(const LargeArray<float> &m, int64_t rows,
                                      int64_t columns, Workers &workers) {
  LargeArray<float> products(rows * rows);
  forEachBlock(rows, workers, [&](int64_t row, int64_t count) {
    const float *own = m.data() + row * columns;
    blas::gemm(blas::asIs, blas::transposed, count, rows - row, columns, 1.0f,
               own, columns, own, columns, 0.0f,
               products.data() + row * rows + row, rows);
  });
  return products;
}

/// How often the mean square of a neuron's inputs counts when neurons are
/// chosen: on other texts they replace each other less well than on this one.
/// Found with three small models.
static constexpr double ownWeight = 2;

/// With G and B as `fitWeight` has them, the outputs that a weight of the
/// neurons K leaves have the products B_i - G_iK G_KK^-1 B_K with neuron i: its
/// row of B when those of K are eliminated. Divided by what is left of G_ii,
/// their square is what the error falls by; undivided it keeps clear of neurons
/// that say little but that of this text.
static std::vector<int64_t> chooseGreedily(llvm::ArrayRef<float> down,
                                           int64_t out, int64_t neurons,
                                           int64_t count, double shrink,
                                           const FitStatistics &statistics,
                                           unsigned threads) {
  Workers workers(threads);
  const double mean = meanDiagonal(statistics.inputs, neurons),
               added = (shrink + jitter) * mean;
  LargeArray<float> inputs(neurons * neurons), wanted(neurons * out);
  forEachBlock(neurons, workers, [&](int64_t begin, int64_t count) {
    for (int64_t i = begin; i < begin + count; ++i) {
      const int64_t row = i * neurons;
      for (int64_t j = i; j < neurons; ++j)
        inputs[row + j] = float(statistics.inputs[row + j]);
      inputs[row + i] = float(ownWeight * (statistics.inputs[row + i] + added));
    }
    transposeColumns(down, out, neurons, begin, count, wanted.data());
    for (int64_t i = begin * out; i < (begin + count) * out; ++i)
      wanted[i] = float(statistics.cross[i] + shrink * mean * wanted[i]);
  });
  LargeArray<float> needed = multiplyRows(wanted, neurons, out, workers);
  wanted = {};
  return Elimination(std::move(inputs), std::move(needed), neurons)
      .run(count, workers);
}

std::vector<int64_t>
mlir::trn::rankNeurons(llvm::ArrayRef<float> down, int64_t out, int64_t neurons,
                       int64_t count, Scores scores, double shrink,
                       const FitStatistics &statistics, unsigned threads) {
  if (scores == Scores::Greedy)
    return chooseGreedily(down, out, neurons, count, shrink, statistics,
                          threads);
  const std::vector<double> norms = normScores(down, out, neurons, statistics);
  std::vector<int64_t> kept(neurons);
  std::iota(kept.begin(), kept.end(), 0);
  llvm::sort(kept, [&](int64_t a, int64_t b) {
    return std::tuple(-norms[a], a) < std::tuple(-norms[b], b);
  });
  kept.resize(count);
  return kept;
}

std::vector<int64_t> mlir::trn::chooseNeurons(llvm::ArrayRef<float> down,
                                              int64_t out, int64_t neurons,
                                              int64_t count, Scores scores,
                                              double shrink,
                                              const FitStatistics &statistics,
                                              unsigned threads) {
  std::vector<int64_t> kept = rankNeurons(down, out, neurons, count, scores,
                                          shrink, statistics, threads);
  llvm::sort(kept);
  return kept;
}

//===----------------------------------------------------------------------===//
// Parts of matrices
//===----------------------------------------------------------------------===//

template <typename T>
static std::vector<T> rowsOf(llvm::ArrayRef<T> values, int64_t columns,
                             llvm::ArrayRef<int64_t> kept) {
  std::vector<T> rows;
  rows.reserve(kept.size() * columns);
  for (int64_t row : kept)
    rows.insert(rows.end(), values.begin() + row * columns,
                values.begin() + (row + 1) * columns);
  return rows;
}

template <typename T>
static std::vector<T> columnsOf(llvm::ArrayRef<T> values, int64_t columns,
                                llvm::ArrayRef<int64_t> kept) {
  std::vector<T> part(values.size() / columns * kept.size());
  T *next = part.data();
  for (int64_t begin = 0; begin < int64_t(values.size()); begin += columns)
    for (int64_t column : kept)
      *next++ = values[begin + column];
  return part;
}

std::vector<float> mlir::trn::selectRows(llvm::ArrayRef<float> values,
                                         int64_t columns,
                                         llvm::ArrayRef<int64_t> kept) {
  return rowsOf(values, columns, kept);
}

std::vector<float> mlir::trn::selectColumns(llvm::ArrayRef<float> values,
                                            int64_t columns,
                                            llvm::ArrayRef<int64_t> kept) {
  return columnsOf(values, columns, kept);
}

FitStatistics mlir::trn::selectInputs(const FitStatistics &statistics,
                                      int64_t out,
                                      llvm::ArrayRef<int64_t> kept) {
  const int64_t neurons = statistics.cross.size() / out;
  FitStatistics selected;
  selected.outputSquares = statistics.outputSquares;
  selected.cross = rowsOf(llvm::ArrayRef(statistics.cross), out, kept);
  selected.inputs.reserve(kept.size() * kept.size());
  for (int64_t row : kept)
    for (int64_t column : kept)
      selected.inputs.push_back(statistics.inputs[row * neurons + column]);
  return selected;
}
