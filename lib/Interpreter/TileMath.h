//===- TileMath.h - Products of tiles on oneDNN -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_TILEMATH_H
#define TRN_INTERPRETER_TILEMATH_H

#include "trn/Support/FloatTypes.h"
#include <memory>

namespace mlir::trn {

/// How an operand lies in memory; distances in elements.
struct TileLayout {
  ElementType type;
  /// From partition to partition, and along the free dimension.
  int64_t row, column;

  bool operator==(const TileLayout &other) const;
};

/// `result[m, n] (+)= sum over k of stationary[k, m] * moving[k, n]`, with f32
/// products and sums. The rows of `result` are contiguous.
struct TileProduct {
  int64_t k, m, n;
  TileLayout stationary, moving;
  /// Elements from row to row of the result.
  int64_t resultRow;

  bool operator==(const TileProduct &other) const;
};

/// Plans products once and executes them on several threads at a time, each
/// execution on its calling thread alone. Every product has a plan on every
/// CPU.
class TileMath {
public:
  explicit TileMath(unsigned threads);
  ~TileMath();
  TileMath(const TileMath &) = delete;

  /// A plan for `execute`, shared by equal products. Not while something
  /// executes.
  int32_t plan(const TileProduct &product);
  /// Whether this CPU multiplies the types of the operands. Otherwise those
  /// that are not f32 are widened for each execution, as columns that are not
  /// neighbours are gathered.
  bool isDirect(int32_t plan) const;

  /// Whether products are faster of tiles whose rows are near each other than
  /// of rows that are pages apart, so that a tile read twice is worth copying.
  static bool prefersNearRows();

  /// Runs on the calling thread, which no other thread calls itself.
  void execute(int32_t plan, unsigned thread, const void *stationary,
               const void *moving, float *result, bool accumulate);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace mlir::trn

#endif // TRN_INTERPRETER_TILEMATH_H
