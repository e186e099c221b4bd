//===- Heads.cpp - Which heads of attention stay --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Heads.h"

#include "Root.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cblas.h>
#include <optional>
#include <tuple>

using namespace mlir::trn;

std::vector<int64_t> mlir::trn::elementsOf(llvm::ArrayRef<int64_t> heads,
                                           int64_t width) {
  std::vector<int64_t> elements;
  for (int64_t head : heads)
    for (int64_t i = 0; i < width; ++i)
      elements.push_back(head * width + i);
  return elements;
}

namespace {
/// Parts of the inputs, of one size each, that are chosen one after the other:
/// each time the one of which the outputs still need most.
class PartElimination {
public:
  PartElimination(llvm::ArrayRef<float> weight, int64_t out, int64_t part,
                  double shrink, FitStatistics statistics, Workers &workers);

  double need(int64_t number) const {
    return squareOf(
        llvm::ArrayRef(cross).slice(number * part * out, part * out));
  }
  void eliminate(int64_t number);

private:
  static double squareOf(llvm::ArrayRef<double> values) {
    return cblas_ddot(values.size(), values.data(), 1, values.data(), 1);
  }

  int64_t size, out, part;
  Matrix inputs, cross; // what is left of x x^T and x y^T
  Workers &workers;
};
} // namespace

PartElimination::PartElimination(llvm::ArrayRef<float> weight, int64_t out,
                                 int64_t part, double shrink,
                                 FitStatistics statistics, Workers &workers)
    : size(weight.size() / out), out(out), part(part),
      inputs(std::move(statistics.inputs)), cross(std::move(statistics.cross)),
      workers(workers) {
  const double mean = meanDiagonal(inputs, size);
  for (int64_t i = 0; i < size; ++i) {
    inputs[i * size + i] += (shrink + jitter) * mean;
    for (int64_t j = 0; j < out; ++j)
      cross[i * out + j] += shrink * mean * weight[j * size + i];
  }
}

/// With its own block of x x^T as S S^T, S^-1 of its rows of both matrices:
/// what these make up of the others is needed no longer.
void PartElimination::eliminate(int64_t number) {
  const int64_t first = number * part, block = 64;
  Matrix own(part * part),
      row(inputs.begin() + first * size,
          inputs.begin() + (first + part) * size),
      wanted(cross.begin() + first * out, cross.begin() + (first + part) * out);
  for (int64_t i = 0; i < part; ++i)
    std::copy_n(row.begin() + i * size + first, part, own.begin() + i * part);
  const Root root = Root::ofGram(std::move(own), part, jitter, workers);
  row = root.divideLeft(std::move(row), size, workers);
  wanted = root.divideLeft(std::move(wanted), out, workers);
  workers.forEach(llvm::divideCeil(size, block), [&](size_t i) {
    const int64_t begin = int64_t(i) * block,
                  count = std::min(block, size - begin);
    auto take = [&](const Matrix &of, int64_t columns, Matrix &from) {
      cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, count, columns, part,
                  -1, row.data() + begin, size, of.data(), columns, 1,
                  from.data() + begin * columns, columns);
    };
    take(row, size, inputs);
    take(wanted, out, cross);
  });
}

/// The mean square of what a part adds to the outputs.
static double normOf(llvm::ArrayRef<float> weight, int64_t out, int64_t part,
                     int64_t number, const FitStatistics &statistics) {
  const int64_t size = weight.size() / out, first = number * part;
  double sum = 0;
  for (int64_t row = 0; row < out; ++row) {
    const float *own = weight.data() + row * size + first;
    for (int64_t i = 0; i < part; ++i)
      for (int64_t j = 0; j < part; ++j)
        sum += double(own[i]) * own[j] *
               statistics.inputs[(first + i) * size + first + j];
  }
  return sum;
}

namespace {
class HeadChooser {
public:
  HeadChooser(llvm::ArrayRef<float> output, int64_t out, Scores scores,
              double shrink, const FitStatistics &statistics, unsigned threads)
      : output(output), out(out), scores(scores), shrink(shrink),
        statistics(statistics), workers(threads) {}

  /// Parts of `part` elements until `count` are there; `canTake` says whether
  /// one may still be taken.
  std::vector<int64_t> run(int64_t part, int64_t count,
                           llvm::function_ref<bool(int64_t)> canTake,
                           llvm::function_ref<void(int64_t)> take);

private:
  llvm::ArrayRef<float> output;
  int64_t out;
  Scores scores;
  double shrink;
  const FitStatistics &statistics;
  Workers workers;
};
} // namespace

std::vector<int64_t> HeadChooser::run(int64_t part, int64_t count,
                                      llvm::function_ref<bool(int64_t)> canTake,
                                      llvm::function_ref<void(int64_t)> take) {
  const int64_t parts = int64_t(output.size()) / out / part;
  std::optional<PartElimination> elimination;
  std::vector<double> norms;
  if (scores == Scores::Greedy)
    elimination.emplace(output, out, part, shrink, statistics, workers);
  for (int64_t i = 0; scores == Scores::Norm && i < parts; ++i)
    norms.push_back(normOf(output, out, part, i, statistics));
  std::vector<bool> isTaken(parts);
  std::vector<int64_t> taken;
  while (int64_t(taken.size()) < count) {
    std::optional<int64_t> best;
    double most = 0;
    for (int64_t i = 0; i < parts; ++i) {
      if (isTaken[i] || !canTake(i))
        continue;
      const double score = elimination ? elimination->need(i) : norms[i];
      if (!best || score > most)
        std::tie(best, most) = std::pair(i, score);
    }
    isTaken[*best] = true;
    taken.push_back(*best);
    take(*best);
    if (elimination && int64_t(taken.size()) < count)
      elimination->eliminate(*best);
  }
  llvm::sort(taken);
  return taken;
}

std::vector<int64_t> mlir::trn::chooseHeads(llvm::ArrayRef<float> output,
                                            int64_t out, int64_t width,
                                            HeadCounts all, HeadCounts left,
                                            Scores scores, double shrink,
                                            const FitStatistics &statistics,
                                            unsigned threads) {
  HeadChooser chooser(output, out, scores, shrink, statistics, threads);
  const int64_t shared = all.perGroup();
  // How many heads of a group may still be taken.
  std::vector<int64_t> room(all.groups);
  for (int64_t group : chooser.run(
           width * shared, left.groups, [](int64_t) { return true; },
           [](int64_t) {}))
    room[group] = left.perGroup();
  return chooser.run(
      width, left.heads, [&](int64_t head) { return room[head / shared] > 0; },
      [&](int64_t head) { --room[head / shared]; });
}
