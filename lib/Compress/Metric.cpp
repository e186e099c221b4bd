//===- Metric.cpp - How much errors of outputs matter ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Metric.h"

#include "Balance.h"

using namespace mlir::trn;

/// Of the mean diagonal. With less, errors in directions that the gradients of
/// few tokens do not have cost next to nothing.
static constexpr double damping = 1;

Metric::Metric(Matrix squares, int64_t out, Workers &workers)
    : out(out), root(Root::ofGram(std::move(squares), out, damping, workers)) {}

std::vector<float> Metric::map(llvm::ArrayRef<float> weight,
                               Workers &workers) const {
  const int64_t in = weight.size() / out;
  return transpose<float>(
      root.multiply(transpose<double>(weight, out, in), in, workers), in, out);
}

void Metric::map(Statistics &statistics, Workers &workers) const {
  if (!statistics.outputs.empty())
    statistics.outputs = root.conjugate(statistics.outputs, workers);
}

void Metric::map(FitStatistics &statistics, Workers &workers) const {
  statistics.cross =
      root.multiply(statistics.cross, statistics.cross.size() / out, workers);
  statistics.outputSquares = 0;
}

void Metric::undo(Factors &factors, llvm::ArrayRef<float> weight,
                  SigmaSide side, Workers &workers) const {
  const int64_t in = weight.size() / out, rank = factors.first.size() / in;
  Matrix second =
      root.divide(transpose<double>(factors.second, out, rank), rank, workers);
  Matrix squares;
  for (double sigma : factors.sigmas)
    squares.push_back(sigma * sigma);
  Factors own =
      balance(std::move(factors.first), {second.begin(), second.end()}, squares,
              side, weight, out, in, workers)
          .factors;
  factors.first = std::move(own.first);
  factors.second = std::move(own.second);
  factors.weightError = own.weightError;
}
