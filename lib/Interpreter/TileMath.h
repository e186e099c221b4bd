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
#include <string>

namespace mlir::trn {

/// `result[m, n] (+)= sum over k of stationary[k, m] * moving[k, n]`, with f32
/// products and sums. Strides in elements; the rows of `result` are contiguous.
struct TileProduct {
  int64_t k, m, n;
  ElementType stationaryType, movingType;
  int64_t stationaryRow, stationaryColumn;
  int64_t movingRow, movingColumn;
  int64_t resultRow;

  bool operator==(const TileProduct &other) const;
};

/// Plans products once and executes them on several threads at a time, each
/// execution on its calling thread alone.
class TileMath {
public:
  explicit TileMath(unsigned threads);
  ~TileMath();
  TileMath(const TileMath &) = delete;

  /// A plan for `execute`, shared by equal products; -1 and a reason in
  /// `error` if there is none. Not while something executes.
  int32_t plan(const TileProduct &product, std::string &error);

  /// Runs on the calling thread, which no other thread calls itself.
  void execute(int32_t plan, unsigned thread, const void *stationary,
               const void *moving, float *result, bool accumulate);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace mlir::trn

#endif // TRN_INTERPRETER_TILEMATH_H
