//===- Elimination.h - Rows that say most of an output ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_ELIMINATION_H
#define TRN_LIB_COMPRESS_ELIMINATION_H

#include "LargeArray.h"
#include "trn/Model/Workers.h"

namespace mlir::trn {

/// Chooses inputs one after the other for a regression, always the one whose
/// products with what those before it leave of the outputs are largest: a
/// Cholesky decomposition with such pivots. In f32; the result does not depend
/// on the number of threads.
class Elimination {
public:
  /// Of x x^T and of (x y^T) (x y^T)^T, both [size, size], the upper triangles.
  Elimination(LargeArray<float> inputs, LargeArray<float> needed, int64_t size);

  /// The numbers of `count` inputs, the first one first.
  std::vector<int64_t> run(int64_t count, Workers &workers);

private:
  int64_t findPivot() const;
  void exchange(int64_t a, int64_t b);
  void eliminate(int64_t pivot);
  void update(Workers &workers);
  struct Rows {
    std::vector<float> inputs, needed;
  };
  Rows currentRows() const;
  /// What is still to be taken from both matrices for the inputs from `flushed`
  /// to `done`, a row of each for each input: s a^T of `inputs` and s e^T + e
  /// s^T of `needed`, that is (s, e) (e, s)^T.
  enum Pending { Columns /*a*/, Shares /*s*/, Halves /*e*/, SharesAgain };
  float *pendingRow(Pending which, int64_t number);
  const float *pendingRow(Pending which, int64_t number) const;

  int64_t size;
  /// Upper triangles, in the order of `order`, of what is left of both when
  /// the first `flushed` inputs are eliminated, and of the second one the
  /// current diagonal.
  LargeArray<float> inputs, needed;
  std::vector<float> diagonal;
  std::vector<int64_t> order;
  int64_t flushed = 0, done = 0;
  float least; // that an element of the diagonal is taken for
  LargeArray<float> pending;
};

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_ELIMINATION_H
