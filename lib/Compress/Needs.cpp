//===- Needs.cpp - What a compression will take ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Needs.h"

#include "Curvature.h"
#include "Eigen.h"
#include "trn/Model/Product.h"
#include "trn/Model/Workers.h"
#include "trn/Support/HostTensor.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Threading.h"
#include <cblas.h>
#include <chrono>

using namespace mlir::trn;
using llvm::formatv;

CalibrationSize
CalibrationSize::of(llvm::ArrayRef<HostModel::Tokens> calibration) {
  CalibrationSize size;
  for (const HostModel::Tokens &sequence : calibration) {
    size.tokens += sequence.size();
    size.longest = std::max<int64_t>(size.longest, sequence.size());
  }
  return size;
}

namespace {
/// Adds up what one layer takes.
class LayerNeeds {
public:
  LayerNeeds(const ModelConfig &config, llvm::ArrayRef<FactoredMatrix> matrices,
             const CompressOptions &options, CalibrationSize calibration)
      : config(config), matrices(matrices), options(options),
        calibration(calibration) {}

  Needs count();

private:
  void addHalf(llvm::ArrayRef<FactoredMatrix> readers,
               const FactoredMatrix &last);
  void addFactoring(const FactoredMatrix &matrix);
  void addNeurons(const FactoredMatrix &down);
  void addPolish(llvm::ArrayRef<FactoredMatrix> mlp);
  void addRefit(const FactoredMatrix &matrix);
  double addCurvature();
  /// Where products of a fit count: large ones are in f32.
  double &flopsOf(double size) {
    return size > smallSize ? needs.flops32 : needs.flops64;
  }
  /// Of matrices in f64 that are there at a time.
  void reach(double elements) { most = std::max(most, elements); }

  const ModelConfig &config;
  llvm::ArrayRef<FactoredMatrix> matrices;
  const CompressOptions &options;
  CalibrationSize calibration;
  Needs needs;
  double most = 0;
};
} // namespace

static double squared(double value) { return value * value; }

/// Products on the smaller side, its eigenvectors, and for a fit the root of
/// the Gram matrix of the inputs. An eigendecomposition takes about as long as
/// 10 n^3 multiplications and additions.
void LayerNeeds::addFactoring(const FactoredMatrix &matrix) {
  const double in = matrix.inLeft(), out = matrix.outLeft(), rank = matrix.rank;
  const double side = std::min(in, out), all = in * out;
  needs.flops64 += 10 * squared(side) * side + 2 * side * all + 2 * all * side +
                   4 * rank * all;
  if (options.fit || in < out)
    needs.flops64 += squared(in) * in / 3 + squared(in) * out;
}

/// The Gram matrix of all neurons, from which some are chosen in f32, and the
/// fit of the weight that is left.
void LayerNeeds::addNeurons(const FactoredMatrix &down) {
  const double in = down.in, out = down.out, left = down.neurons,
               tokens = double(calibration.tokens);
  flopsOf(std::max(in, out)) += 2 * tokens * in * (in / 2 + out);
  flopsOf(left) += squared(left) * left / 3 + 2 * squared(left) * out;
  if (options.scores == Scores::Greedy)
    needs.flops32 +=
        in * in * out + in * squared(in) - squared(in - left) * (in - left);
  reach(3 * squared(in) + 2 * in * out);
}

/// A weight that is fitted in one piece.
void LayerNeeds::addRefit(const FactoredMatrix &matrix) {
  const double in = matrix.in, out = matrix.out;
  flopsOf(in) += squared(in) * in / 3 + 8 * squared(in) * out;
  reach(3 * squared(in) + 4 * in * out);
}

/// The way back through the model and, for the gradients at outputs, through
/// the layer once more, each computing what lies in between again. Returns the
/// bytes of what is behind all layers, of the metrics of one, and of what flows
/// through it.
double LayerNeeds::addCurvature() {
  const double longest = double(calibration.longest),
               tokens = std::min(double(calibration.tokens),
                                 double(Curvature::mostSequences) * longest),
               hidden = config.hidden;
  double whole = 0, metrics = 0;
  for (const FactoredMatrix &matrix : matrices) {
    const double in = matrix.in, out = matrix.out;
    whole += in * out;
    if (!matrix.isFactored())
      continue;
    metrics += squared(out);
    needs.flops64 +=
        squared(out) * (tokens + out / 3 + 2 * in + 2 * double(matrix.rank));
  }
  const double columns = double(config.heads * config.headDim);
  needs.flops32 +=
      10 * tokens * (whole + 2 * longest * columns) +
      6 * tokens * hidden * double(config.vocabulary) / double(config.layers);
  const double pass =
      16 * longest *
      (7 * double(config.intermediate) + 8 * columns + 8 * hidden);
  return 4 * (tokens * hidden * double(config.layers + 1) + pass) + 8 * metrics;
}

void LayerNeeds::addHalf(llvm::ArrayRef<FactoredMatrix> readers,
                         const FactoredMatrix &last) {
  const double tokens = double(calibration.tokens), hidden = config.hidden;
  double asked = 0, widest = 0;
  for (const FactoredMatrix &matrix : readers)
    if (matrix.isFactored()) {
      ++asked;
      widest = std::max(widest, double(matrix.out));
      addFactoring(matrix);
      if (options.fit) // its outputs follow from the Gram matrices
        needs.flops64 += 4 * squared(hidden) * double(matrix.outLeft());
    }
  for (const FactoredMatrix &matrix : readers)
    if (matrix.isRefitted) {
      addRefit(matrix);
      ++asked;
    }
  if (asked) {
    (options.fit ? flopsOf(hidden) : needs.flops64) +=
        (options.fit ? 6 : 2) * squared(hidden) * tokens;
    reach(3 * squared(hidden) + 3 * hidden * widest);
  }
  if (last.isRefitted) {
    addRefit(last);
    flopsOf(std::max(last.in, last.out)) +=
        2 * tokens * double(last.in) * double(last.in + last.out);
  }
  if (last.isThin())
    addNeurons(last);
  if (!last.isFactored())
    return;
  addFactoring(last);
  const double in = last.inLeft(), out = last.out;
  (options.fit ? flopsOf(std::max(in, out)) : needs.flops64) +=
      2 * tokens * (options.fit ? in * (in + out) : squared(std::min(in, out)));
  reach(options.fit ? squared(in) + 3 * in * out
                    : 3 * squared(std::min(in, out)) + 2 * in * out);
}

/// There, and back for inputs and for weights; what is altered, also through
/// the whole MLP. A gradient and two means stand beside each value.
void LayerNeeds::addPolish(llvm::ArrayRef<FactoredMatrix> mlp) {
  if (!options.polish || llvm::none_of(mlp, [](const FactoredMatrix &matrix) {
        return matrix.isChanged();
      }))
    return;
  const PolishOptions &polish = *options.polish;
  const double rows = double(polish.rows), seen = rows * double(polish.steps),
               wide = double(config.intermediate),
               altered = polish.alteredShare(config, calibration.tokens);
  double values = 0;
  for (const FactoredMatrix &matrix : mlp) {
    values += double(matrix.parameters());
    needs.flops32 += seen * (6 * double(matrix.parameters()) +
                             2 * altered * double(matrix.out * matrix.in));
  }
  reach((4 * values + rows * (9 * wide + 6 * double(config.hidden))) / 2);
}

Needs LayerNeeds::count() {
  const double tokens = double(calibration.tokens);
  double whole = 0, left = 0;
  for (const FactoredMatrix &matrix : matrices) {
    whole += double(matrix.out * matrix.in);
    left += double(matrix.parameters());
  }
  // The whole model once, that of factors for its statistics and to go on.
  needs.flops32 += 2 * tokens * (whole + (options.fit ? 2 * left : 0));
  needs.flops32 += 4 * tokens * double(calibration.longest) *
                   double(config.heads * config.headDim) *
                   (options.fit ? 3 : 1);
  addHalf(matrices.slice(0, 3), matrices[3]);
  addHalf(matrices.slice(4, 2), matrices[6]);
  addPolish(matrices.slice(4, 3));
  const double streams =
      1 + options.fit.has_value() + options.polish.has_value();
  const double chunk = 16 * double(calibration.longest) *
                       double(config.intermediate + 2 * config.hidden);
  const double curvature =
      options.metric == ErrorMetric::Fisher ? addCurvature() : 0;
  needs.memoryBytes =
      int64_t(4 * (whole + streams * tokens * double(config.hidden)) +
              std::max(8 * most, 4 * chunk) + curvature);
  return needs;
}

Needs mlir::trn::estimateNeeds(const ModelConfig &config,
                               llvm::ArrayRef<FactoredMatrix> plan,
                               const CompressOptions &options,
                               CalibrationSize calibration) {
  Needs needs;
  // The largest tensor is written as a whole.
  needs.memoryBytes = 4 * config.vocabulary * config.hidden;
  const size_t perLayer = plan.size() / config.layers;
  for (; !plan.empty(); plan = plan.drop_front(perLayer)) {
    Needs own =
        LayerNeeds(config, plan.take_front(perLayer), options, calibration)
            .count();
    needs.memoryBytes = std::max(needs.memoryBytes, own.memoryBytes);
    needs.flops32 += own.flops32;
    needs.flops64 += own.flops64;
  }
  needs.memoryBytes += programBytes;
  return needs;
}

//===----------------------------------------------------------------------===//
// This machine
//===----------------------------------------------------------------------===//

/// Multiplications and additions of one thread in a second.
static double measureRate(llvm::function_ref<void(int64_t)> multiply) {
  const int64_t size = 384;
  multiply(size);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const int times = 3;
  for (int i = 0; i < times; ++i)
    multiply(size);
  std::chrono::duration<double> seconds = Clock::now() - start;
  return times * 2.0 * double(size * size * size) / seconds.count();
}

double Needs::estimateSeconds(unsigned threads) const {
  double rate32 = 0, rate64 = 0;
  forEachOnThreads(1, 1, [&](size_t) {
    rate32 = measureRate([](int64_t n) {
      std::vector<float> a(n * n, 1), b(n * n);
      multiply(n, n, n, {a.data(), n}, transposed(a.data(), n), b.data(), n);
    });
    rate64 = measureRate([](int64_t n) {
      std::vector<double> a(n * n, 1), b(n * n);
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1, a.data(),
                  n, a.data(), n, 0, b.data(), n);
    });
  });
  unsigned cores = llvm::hardware_concurrency(threads).compute_thread_count();
  return (flops32 / rate32 + flops64 / rate64) / cores;
}

static std::string spellBytes(double bytes) {
  return formatv("{0:F2} GB", bytes * 1e-9);
}

llvm::Error mlir::trn::checkMemory(const Needs &needs) {
  const int64_t memory = getAvailableMemory();
  if (needs.memoryBytes <= memory)
    return llvm::Error::success();
  return llvm::createStringError(formatv(
      "not enough memory: about {0} are needed (estimated), but {1} are "
      "available; give fewer tokens with --calib-seqs or --max-tokens, or "
      "--recover=none",
      spellBytes(double(needs.memoryBytes)), spellBytes(double(memory))));
}

std::string mlir::trn::describe(const Needs &needs, unsigned threads) {
  const double seconds = needs.estimateSeconds(threads);
  return formatv("estimated: {0} of memory, {1} on disk, about {2} on this "
                 "machine",
                 spellBytes(double(needs.memoryBytes)),
                 spellBytes(double(needs.diskBytes)),
                 seconds < 100 ? formatv("{0:F0} s", seconds).str()
                               : formatv("{0:F0} min", seconds / 60).str());
}
