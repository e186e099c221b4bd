//===- FitWeight.cpp - A weight that is fitted in one piece ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Neurons.h"

#include "Cholesky.h"
#include "Eigen.h"
#include "LargeArray.h"
#include "Root.h"
#include "llvm/ADT/STLExtras.h"
#include <cblas.h>
#include <cmath>
#include <numeric>

using namespace mlir::trn;

/// The condition up to which a system is solved in f32. What is lost is least
/// at the solution, so that an error of it counts squared.
static constexpr double mostInF32 = 1e6;

namespace {
/// With G = x x^T + (shrink + jitter) mean = S S^T and B = x y^T + shrink mean
/// W^T, both of the inputs `kept`, the weight is B^T S^-T S^-1.
class Fit {
public:
  Fit(llvm::ArrayRef<float> weight, int64_t out, llvm::ArrayRef<int64_t> kept,
      double shrink, const FitStatistics &statistics, unsigned threads);

  /// In f32; false if it is not as good.
  bool solveInF32();
  void solve(Matrix gram);
  FittedWeight takeFitted();

private:
  llvm::ArrayRef<float> weight;
  llvm::ArrayRef<int64_t> kept;
  const FitStatistics &statistics;
  Workers workers;
  int64_t out, in = kept.size(), all = statistics.cross.size() / out;
  double share, added, pull; // of the mean, and both times that
  LargeArray<double> wanted; // B^T
  FittedWeight fitted;
};
} // namespace

Fit::Fit(llvm::ArrayRef<float> weight, int64_t out,
         llvm::ArrayRef<int64_t> kept, double shrink,
         const FitStatistics &statistics, unsigned threads)
    : weight(weight), kept(kept), statistics(statistics), workers(threads),
      out(out), share(shrink + jitter), wanted(out * in) {
  double mean = 0;
  for (int64_t i : kept)
    mean += statistics.inputs[i * all + i] / double(in);
  pull = shrink * mean;
  added = pull + jitter * mean;
  fitted.jitter = jitter;
  forEachBlock(out, workers, [&](int64_t begin, int64_t count) {
    for (auto [i, input] : llvm::enumerate(kept))
      for (int64_t j = begin; j < begin + count; ++j) {
        const int64_t place = j * in + int64_t(i);
        wanted[place] =
            statistics.cross[input * out + j] + pull * weight[place];
      }
  });
}

bool Fit::solveInF32() {
  LargeArray<float> root(in * in);
  forEachBlock(in, workers, [&](int64_t begin, int64_t count) {
    for (int64_t i = begin; i < begin + count; ++i) {
      const double *row = statistics.inputs.data() + kept[i] * all;
      for (int64_t j = 0; j <= i; ++j)
        root[i * in + j] = float(row[kept[j]]);
      root[i * in + i] += float(added);
    }
  });
  const double norm = largestSum(root.data(), in);
  if (!factorCholesky(root.data(), in, workers))
    return false;
  fitted.condition = estimateCondition(root.data(), in, norm);
  if (!(fitted.condition < mostInF32))
    return false;
  fitted.root = RootForm::Cholesky;
  fitted.weight.assign(wanted.begin(), wanted.end());
  for (bool transposed : {true, false})
    divideByRoot(fitted.weight.data(), out, root.data(), in, transposed,
                 workers);
  return true;
}

void Fit::solve(Matrix gram) {
  const Root root = Root::ofGram(std::move(gram), in, share, workers);
  const Matrix found = root.divide(
      root.divideTransposed({wanted.begin(), wanted.end()}, out, workers), out,
      workers);
  fitted.weight.assign(found.begin(), found.end());
  fitted.root = root.form();
  fitted.condition = root.condition();
}

FittedWeight Fit::takeFitted() {
  // |y - x M|^2 without what the shrinkage added to G and B.
  double reached = 0, shared = 0, square = 0;
  for (auto [found, target, own] :
       llvm::zip_equal(fitted.weight, wanted, weight)) {
    const double value = found;
    reached += value * target;
    shared += value * own;
    square += value * value;
  }
  const double lost =
      statistics.outputSquares - reached + 2 * pull * shared - added * square;
  fitted.outputError =
      statistics.outputSquares > 0
          ? std::sqrt(std::max(lost, 0.0) / statistics.outputSquares)
          : 0;
  return std::move(fitted);
}

FittedWeight mlir::trn::fitKeptWeight(llvm::ArrayRef<float> weight, int64_t out,
                                      llvm::ArrayRef<int64_t> kept,
                                      double shrink,
                                      const FitStatistics &statistics,
                                      unsigned threads) {
  Fit fit(weight, out, kept, shrink, statistics, threads);
  if (int64_t(kept.size()) <= smallSize || !fit.solveInF32())
    fit.solve(selectInputs(statistics, out, kept).inputs);
  return fit.takeFitted();
}

FittedWeight mlir::trn::fitWeight(llvm::ArrayRef<float> weight, int64_t out,
                                  int64_t in, double shrink,
                                  FitStatistics statistics, unsigned threads) {
  std::vector<int64_t> all(in);
  std::iota(all.begin(), all.end(), 0);
  Fit fit(weight, out, all, shrink, statistics, threads);
  if (in <= smallSize || !fit.solveInF32())
    fit.solve(std::move(statistics.inputs));
  return fit.takeFitted();
}

FittedWeight mlir::trn::fitMappedWeight(llvm::ArrayRef<float> weight,
                                        int64_t out, int64_t in, double shrink,
                                        const MappedStatistics &statistics,
                                        unsigned threads) {
  Workers workers(threads);
  const Matrix wide(weight.begin(), weight.end());
  FitStatistics own;
  own.inputs = statistics.inputs;
  own.cross = multiply(statistics.cross, wide, in, in, out,
                       /*transposed=*/true, workers);
  // Of W h: the trace of W (h h^T) W^T.
  const Matrix spread = multiply(wide, statistics.whole, out, in, in,
                                 /*transposed=*/false, workers);
  own.outputSquares = cblas_ddot(out * in, spread.data(), 1, wide.data(), 1);
  return fitWeight(weight, out, in, shrink, std::move(own), threads);
}
