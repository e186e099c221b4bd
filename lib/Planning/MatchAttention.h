//===- MatchAttention.h - Softmax between two products ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_MATCHATTENTION_H
#define TRN_LIB_PLANNING_MATCHATTENTION_H

#include "trn/Planning/Graph.h"

namespace mlir::trn::planning {

/// The stages of one attention, by number, and what there is to know of them.
/// Its scores are sums of a bf16 product that are scaled, rounded and masked by
/// a band, or not.
struct Attention {
  unsigned powers = 0, sums = 0, shares = 0, values = 0;
  /// What computes the divisors of each sum, if that is not divided by.
  std::optional<unsigned> divisors = std::nullopt;
  unsigned queries = 0, keys = 0; // dims

  /// Without maxima the stage of exponentials computes the scores, too.
  std::optional<unsigned> scores = std::nullopt, maxima = std::nullopt;
  std::optional<unsigned> mask = std::nullopt;
  float scale = 1; // of the differences
  /// How sums become scores, up to the last rounding; nothing if they are not
  /// rounded. The value of each is the constant that it multiplies with or
  /// divides by.
  std::vector<Value> steps = {};
  /// The type of the differences from the maxima.
  ElementType differences = ElementType::F32;

  /// Whether keys come to lie on the partitions. What is rounded and less its
  /// maxima would be moved once more for that.
  bool isTurned() const { return steps.empty() || !maxima; }
};

/// The attention whose shares of the sum stage `number` of `graph` computes, if
/// it does.
std::optional<Attention> matchAttention(const Graph &graph, unsigned number);

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_MATCHATTENTION_H
