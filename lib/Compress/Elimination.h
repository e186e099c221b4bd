//===- Elimination.h - Rows that say most of an output ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_ELIMINATION_H
#define TRN_LIB_COMPRESS_ELIMINATION_H

#include "trn/Model/Workers.h"
#include <vector>

namespace mlir::trn {

/// Chooses inputs one after the other for a regression, always the one whose
/// products with what those before it leave of the outputs are largest: a
/// Cholesky decomposition with such pivots. In f32; the result does not depend
/// on the number of threads.
class Elimination {
public:
  /// Of x x^T and of (x y^T) (x y^T)^T, both [size, size], the upper triangles.
  Elimination(std::vector<float> inputs, std::vector<float> needed,
              int64_t size);

  /// The numbers of `count` inputs, the first one first.
  std::vector<int64_t> run(int64_t count, Workers &workers);

private:
  int64_t findPivot() const;
  void exchange(int64_t a, int64_t b);
  void eliminate(int64_t pivot);
  void update(Workers &workers);
  std::vector<float> currentRow(const std::vector<float> &matrix, int64_t row,
                                bool isNeeded) const;

  int64_t size;
  /// Upper triangles, in the order of `order`, of what is left of both when
  /// the first `flushed` inputs are eliminated, and of the second one the
  /// current diagonal.
  std::vector<float> inputs, needed, diagonal;
  std::vector<int64_t> order;
  int64_t flushed = 0, done = 0;
  float least; // that an element of the diagonal is taken for
  /// Rows of what is still to be taken from them for the inputs from `flushed`
  /// to `done`: s a^T of `inputs` and s e^T + e s^T of `needed`. First those of
  /// a; then of s, and from the middle on e; of e, and from the middle on s.
  std::vector<float> columns, left, right;
};

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_ELIMINATION_H
