//===- WideModel.h - Models in f64 ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_TRAIN_WIDEMODEL_H
#define TRN_TEST_UNIT_TRAIN_WIDEMODEL_H

#include "Differences.h"

#include "trn/Model/Layer.h"

namespace mlir::trn {

inline Linear drawLinear(int64_t in, int64_t out, int64_t rank, bool hasBias,
                         unsigned seed) {
  Linear linear{in, out, rank, {}, {}, {}};
  linear.weight = drawValues((rank ? rank : out) * in, seed);
  linear.second = drawValues(out * rank, seed + 1);
  if (hasBias)
    linear.bias = drawValues(out, seed + 2);
  return linear;
}

/// The values of a `Linear` in f64.
struct WideLinear {
  explicit WideLinear(const Linear &linear)
      : in(linear.in), out(linear.out), rank(linear.rank),
        weight(widen(linear.weight)), second(widen(linear.second)),
        bias(widen(linear.bias)) {}

  Reals apply(const Reals &x) const {
    Reals y = rank ? multiply(multiply(x, weight, in), second, rank)
                   : multiply(x, weight, in);
    for (size_t i = 0; i < y.size() && !bias.empty(); ++i)
      y[i] += bias[i % out];
    return y;
  }

  int64_t in, out, rank;
  Reals weight, second, bias;

private:
  static Reals multiply(const Reals &x, const Reals &matrix, int64_t inner) {
    Reals y;
    for (size_t row = 0; row < x.size(); row += inner)
      for (size_t column = 0; column < matrix.size(); column += inner) {
        y.push_back(0);
        for (int64_t i = 0; i < inner; ++i)
          y.back() += x[row + i] * matrix[column + i];
      }
    return y;
  }
};

inline double dot(const std::vector<float> &left, const Reals &right) {
  double sum = 0;
  for (auto [a, b] : llvm::zip_equal(left, right))
    sum += a * b;
  return sum;
}

/// Root mean square norms of rows.
inline Reals normalizeWide(const Reals &x, const std::vector<float> &gains,
                           double epsilon) {
  Reals y;
  const size_t columns = gains.size();
  for (size_t first = 0; first < x.size(); first += columns) {
    double squares = 0;
    for (size_t i = 0; i < columns; ++i)
      squares += x[first + i] * x[first + i];
    for (size_t i = 0; i < columns; ++i)
      y.push_back(x[first + i] * gains[i] /
                  std::sqrt(squares / double(columns) + epsilon));
  }
  return y;
}

inline void addTo(Reals &sum, const Reals &more) {
  for (auto [value, other] : llvm::zip_equal(sum, more))
    value += other;
}

/// A `Layer` in f64, written for clarity only.
class WideLayer {
public:
  WideLayer(const ModelConfig &config, const Layer &layer)
      : query(layer.query), key(layer.key), value(layer.value),
        output(layer.output), gate(layer.gate), up(layer.up), down(layer.down),
        config(config), layer(layer) {}

  /// Of normalised rows of one sequence.
  Reals attend(const Reals &h) const {
    const int64_t width = config.headDim, rows = h.size() / query.in,
                  shared = config.heads / config.kvHeads;
    Reals q = query.apply(h), k = key.apply(h), v = value.apply(h), mixed;
    if (config.headNorms) {
      q = normalizeWide(q, layer.queryNorm, config.normEpsilon);
      k = normalizeWide(k, layer.keyNorm, config.normEpsilon);
    }
    rotate(q, config.heads);
    rotate(k, config.kvHeads);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t head = 0; head < config.heads; ++head) {
        const double *own = &q[(row * config.heads + head) * width];
        Reals result(width);
        double sum = 0;
        for (int64_t other = 0; other <= row; ++other) {
          if (row - other >= layer.window.value_or(rows))
            continue;
          const size_t at = (other * config.kvHeads + head / shared) * width;
          double score = 0;
          for (int64_t i = 0; i < width; ++i)
            score += own[i] * k[at + i];
          double share = std::exp(score / std::sqrt(double(width)));
          sum += share;
          for (int64_t i = 0; i < width; ++i)
            result[i] += share * v[at + i];
        }
        for (double value : result)
          mixed.push_back(value / sum);
      }
    return output.apply(mixed);
  }
  /// Of normalised rows.
  Reals computeMlp(const Reals &h) const {
    Reals gated = gate.apply(h);
    for (auto [value, other] : llvm::zip_equal(gated, up.apply(h)))
      value *= other / (1 + std::exp(-value));
    return down.apply(gated);
  }
  /// The stream behind the layer.
  Reals apply(Reals x) const {
    addTo(x, attend(normalizeWide(x, layer.attentionNorm, config.normEpsilon)));
    addTo(x, computeMlp(normalizeWide(x, layer.mlpNorm, config.normEpsilon)));
    return x;
  }

  WideLinear query, key, value, output, gate, up, down;

private:
  void rotate(Reals &heads, int64_t count) const {
    const int64_t width = config.headDim;
    for (size_t first = 0; first < heads.size(); first += width)
      for (int64_t pair = 0; pair < width / 2; ++pair) {
        double position = double(int64_t(first) / width / count),
               angle = position * std::pow(config.ropeBase,
                                           -2.0 * double(pair) / double(width));
        double &a = heads[first + (config.rotatesNeighbours ? 2 * pair : pair)];
        double &b = config.rotatesNeighbours ? (&a)[1] : (&a)[width / 2];
        const double before = a;
        a = a * std::cos(angle) - b * std::sin(angle);
        b = before * std::sin(angle) + b * std::cos(angle);
      }
  }

  const ModelConfig &config;
  const Layer &layer; // norms
};

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_TRAIN_WIDEMODEL_H
