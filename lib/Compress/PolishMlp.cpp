//===- PolishMlp.cpp - Train the factors of one MLP -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PolishMlp.h"

#include "trn/Model/Workers.h"
#include "trn/Train/Adam.h"
#include "trn/Train/Mlp.h"
#include "llvm/Support/MathExtras.h"
#include <cblas.h>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

using namespace mlir::trn;

namespace {
/// A row of a step: a token, and a share of the difference of two others that
/// is added to it.
struct Row {
  int64_t token = 0, plus = 0, minus = 0;
  float share = 0;
};

/// Draws tokens, each one once before any comes again.
class Draw {
public:
  explicit Draw(int64_t count) : order(count), next(count) {
    std::iota(order.begin(), order.end(), 0);
  }
  int64_t token() {
    if (next == order.size()) {
      for (size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random() % i]);
      next = 0;
    }
    return order[next++];
  }
  int64_t anyToken() { return random() % order.size(); }
  /// From 0 to 1.
  float share() { return float(random() >> 40) * 0x1p-24f; }

private:
  std::vector<int64_t> order;
  size_t next;
  std::mt19937_64 random; // of the seed that is its own
};

/// Values that are trained.
struct Tensor {
  std::vector<float> &values;
  /// Adds their gradient.
  std::function<void(std::vector<float> &)> differentiate;
  double size; // of the first step
  Adam adam;
  std::vector<float> gradient;
};

struct Squares {
  double error = 0, wanted = 0;
};

class Polisher {
public:
  Polisher(const ModelConfig &config, const Layer &whole, Layer &layer,
           const MlpStreams &streams, bool mends, const PolishOptions &options,
           unsigned threads);

  std::vector<double> run();

private:
  void addTensors(Linear &linear, const LinearPass &own,
                  const std::vector<float> &x, const std::vector<float> &dy);
  double step(double rate);
  void drawRows();
  Squares runRows(RowRange part);
  std::vector<float> gather(const Stream &stream, RowRange part,
                            bool isAltered) const;
  std::vector<float> targetsOf(RowRange part) const;

  const ModelConfig &config;
  const Layer &whole, &layer;
  const MlpStreams &streams;
  const bool mends;
  const PolishOptions &options;
  Workers workers;
  Draw draw;
  std::vector<Row> rows; // of a step
  MlpPass pass;
  std::vector<float> normed, errors; // [rows, hidden]
  std::vector<Tensor> tensors;
};
} // namespace

/// Whether a weight has become factors, or thin.
static bool isNew(const Linear &whole, const Linear &own) {
  return own.rank != whole.rank || own.in != whole.in || own.out != whole.out;
}

Polisher::Polisher(const ModelConfig &config, const Layer &whole, Layer &layer,
                   const MlpStreams &streams, bool mends,
                   const PolishOptions &options, unsigned threads)
    : config(config), whole(whole), layer(layer), streams(streams),
      mends(mends), options(options), workers(threads),
      draw(streams.own.starts.back()), rows(options.rows),
      pass(layer, options.rows), normed(options.rows * config.hidden),
      errors(normed.size()) {
  if (isNew(whole.gate, layer.gate))
    addTensors(layer.gate, pass.gate, normed, pass.gateValues);
  if (isNew(whole.up, layer.up))
    addTensors(layer.up, pass.up, normed, pass.upValues);
  if (isNew(whole.down, layer.down))
    addTensors(layer.down, pass.down, pass.gated, errors);
}

void Polisher::addTensors(Linear &linear, const LinearPass &own,
                          const std::vector<float> &x,
                          const std::vector<float> &dy) {
  const RowRange all{0, options.rows};
  auto add = [&](std::vector<float> &values,
                 std::function<void(std::vector<float> &)> differentiate) {
    tensors.push_back({values, std::move(differentiate),
                       options.share * rootMeanSquare(values),
                       Adam(values.size()), std::vector<float>(values.size())});
  };
  add(linear.weight, [&, all](std::vector<float> &gradient) {
    own.addToWeight(x.data(), dy.data(), all, gradient);
  });
  if (!linear.rank)
    return;
  add(linear.second, [&, all](std::vector<float> &gradient) {
    own.addToSecond(dy.data(), all, gradient);
  });
}

/// The rows that are altered are spread evenly: of few tokens all, of many
/// some.
void Polisher::drawRows() {
  const double altered =
      options.alteredShare(config, streams.own.starts.back());
  double due = 0;
  for (Row &row : rows) {
    row = {draw.token()};
    due += altered;
    if (due < 1)
      continue;
    due -= 1;
    row.plus = draw.anyToken();
    row.minus = draw.anyToken();
    row.share = draw.share() * float(options.mostShare);
  }
}

/// Rows of a stream; if they are altered, only those that are.
std::vector<float> Polisher::gather(const Stream &stream, RowRange part,
                                    bool onlyAltered) const {
  const int64_t hidden = config.hidden;
  std::vector<float> values;
  for (const Row &row : llvm::ArrayRef(rows).slice(part.first, part.count)) {
    if (onlyAltered && !row.share)
      continue;
    const float *own = stream.values.data() + row.token * hidden;
    values.insert(values.end(), own, own + hidden);
    if (!row.share)
      continue;
    // The same for all streams.
    const float *from = streams.before.values.data();
    float *to = values.data() + values.size() - hidden;
    cblas_saxpy(hidden, row.share, from + row.plus * hidden, 1, to, 1);
    cblas_saxpy(hidden, -row.share, from + row.minus * hidden, 1, to, 1);
  }
  return values;
}

/// What the whole model adds to its stream, and what both streams differ by.
std::vector<float> Polisher::targetsOf(RowRange part) const {
  const int64_t hidden = config.hidden;
  std::vector<float> altered = gather(streams.before, part, true);
  std::vector<float> added =
      computeMlp(config, whole, altered.data(), altered.size() / hidden).down;
  const float *next = added.data();
  std::vector<float> targets(part.count * hidden);
  for (int64_t i = 0; i < part.count; ++i) {
    const Row &row = rows[part.first + i];
    float *target = targets.data() + i * hidden;
    auto add = [&](float share, const float *values) {
      cblas_saxpy(hidden, share, values, 1, target, 1);
    };
    auto of = [&](const Stream &stream) {
      return stream.values.data() + row.token * hidden;
    };
    if (row.share) {
      add(1, next);
      next += hidden;
    } else {
      add(1, of(streams.after));
      add(-1, of(streams.before));
    }
    if (mends) {
      add(1, of(streams.before));
      add(-1, of(streams.own));
    }
  }
  return targets;
}

/// There and back. The errors are the gradients of half their squares, and
/// Adam does not mind a factor.
Squares Polisher::runRows(RowRange part) {
  const int64_t begin = part.first * config.hidden,
                count = part.count * config.hidden;
  std::vector<float> x = gather(streams.own, part, false);
  std::vector<float> own =
      normalize(x.data(), part.count, layer.mlpNorm, config.normEpsilon);
  std::copy(own.begin(), own.end(), normed.begin() + begin);
  pass.forward(normed.data(), errors.data(), part);
  std::vector<float> targets = targetsOf(part);
  float *error = errors.data() + begin;
  cblas_saxpy(count, -1, targets.data(), 1, error, 1);
  pass.backward(errors.data(), /*dh=*/nullptr, part);
  return {cblas_dsdot(count, error, 1, error, 1),
          cblas_dsdot(count, targets.data(), 1, targets.data(), 1)};
}

/// The relative error before it.
double Polisher::step(double rate) {
  // The same parts for any number of threads, whose sums are theirs.
  const int64_t chunk = llvm::divideCeil(options.rows, 8);
  drawRows();
  std::vector<Squares> parts(llvm::divideCeil(options.rows, chunk));
  workers.forEach(parts.size(), [&](size_t i) {
    int64_t first = int64_t(i) * chunk;
    parts[i] = runRows({first, std::min(chunk, options.rows - first)});
  });
  workers.forEach(tensors.size(), [&](size_t i) {
    Tensor &tensor = tensors[i];
    std::fill(tensor.gradient.begin(), tensor.gradient.end(), 0);
    tensor.differentiate(tensor.gradient);
    tensor.adam.step(tensor.values, tensor.gradient, rate * tensor.size);
  });
  Squares all;
  for (const Squares &part : parts) {
    all.error += part.error;
    all.wanted += part.wanted;
  }
  return all.wanted > 0 ? std::sqrt(all.error / all.wanted) : 0;
}

std::vector<double> Polisher::run() {
  std::vector<double> errors;
  for (int64_t i = 0; i < options.steps; ++i)
    errors.push_back(step(cosineRate(i, options.steps)));
  return errors;
}

/// Means of some errors at a time.
static std::vector<double> thin(llvm::ArrayRef<double> errors) {
  const size_t points = 20, atOnce = llvm::divideCeil(errors.size(), points);
  std::vector<double> curve;
  for (size_t i = 0; i < errors.size(); i += atOnce) {
    auto own = errors.slice(i, std::min(atOnce, errors.size() - i));
    curve.push_back(std::accumulate(own.begin(), own.end(), 0.0) /
                    double(own.size()));
  }
  return curve;
}

/// The length of each row of V over that of its column of U.
static std::vector<double> lengthsOf(const Linear &linear) {
  std::vector<double> lengths;
  for (int64_t i = 0; i < linear.rank; ++i) {
    double first =
               cblas_snrm2(linear.in, linear.weight.data() + i * linear.in, 1),
           second =
               cblas_snrm2(linear.out, linear.second.data() + i, linear.rank);
    lengths.push_back(first > 0 ? second / first : 0);
  }
  return lengths;
}

/// Scales each component so that its lengths are to each other as before.
static void share(Linear &linear, llvm::ArrayRef<double> before) {
  for (auto [i, now] : llvm::enumerate(lengthsOf(linear))) {
    if (!(now > 0 && before[i] > 0))
      continue;
    double factor = std::sqrt(now / before[i]);
    cblas_sscal(linear.in, float(factor), linear.weight.data() + i * linear.in,
                1);
    cblas_sscal(linear.out, float(1 / factor), linear.second.data() + i,
                linear.rank);
  }
}

std::vector<double> mlir::trn::polishMlp(const ModelConfig &config,
                                         const Layer &whole, Layer &layer,
                                         const MlpStreams &streams, bool mends,
                                         const PolishOptions &options,
                                         unsigned threads) {
  Linear *linears[] = {&layer.gate, &layer.up, &layer.down};
  std::vector<double> lengths[std::size(linears)];
  for (auto [own, linear] : llvm::zip_equal(lengths, linears))
    own = lengthsOf(*linear);
  std::vector<double> errors =
      Polisher(config, whole, layer, streams, mends, options, threads).run();
  for (auto [own, linear] : llvm::zip_equal(lengths, linears))
    share(*linear, own);
  return thin(errors);
}

double mlir::trn::weightErrorOf(const Linear &whole, const Linear &factored) {
  std::vector<float> product = factored.multiplyFactors();
  double lost = 0, all = 0;
  for (auto [value, own] : llvm::zip_equal(whole.weight, product)) {
    lost += (double(value) - own) * (double(value) - own);
    all += double(value) * value;
  }
  return all > 0 ? std::sqrt(lost / all) : 0;
}
