//===- Graph.h - What a kernel computes -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_GRAPH_H
#define TRN_PLANNING_GRAPH_H

#include "trn/Planning/Matrix.h"
#include "trn/Planning/Stage.h"
#include "llvm/Support/Error.h"

namespace mlir::trn::planning {

/// What a kernel computes, as plain data. Dims, matrices and stages are known
/// by their numbers, stages stand in the order of execution. Names are for
/// people: graphs that differ in nothing else are equal.
struct Graph {
  std::vector<Dim> dims;
  std::vector<Matrix> matrices;
  std::vector<Stage> stages;

  auto key() const {
    return std::tuple(llvm::ArrayRef(dims), llvm::ArrayRef(matrices),
                      llvm::ArrayRef(stages));
  }

  /// Fails, with the rule and what breaks it, if this is no kernel:
  /// - `graph_c1`: dims have at least one index, matrices two dims and at
  ///   most 2^60 bytes, and the numbers in use exist
  /// - `graph_c2`: every result and intermediate is written by one stage, every
  ///   intermediate is read by a later one, and no input is written
  /// - `graph_c3`: a product sums over the first dims of its operands and has
  ///   the second ones; in an expression, a sum may have one column
  /// - `graph_c4`: a transposition swaps the dims and keeps the type
  /// - `graph_c5`: a part of a dim lies inside of it, and is no part of a part
  /// - `graph_c6`: operands of one product have the same type
  /// - `graph_c7`: rows, columns and what is summed over are no parts of one
  ///   dim; only terms may sum over parts of one
  /// - `graph_c8`: an expression writes at most 256 values, functions have as
  ///   many arguments as they take, one or two, which come before them and are
  ///   not all constant, constants are finite, and all sums are used
  /// - `graph_c9`: what an expression reads has the result's rows and columns,
  ///   or dims of one index in their places, and is no factor of its products;
  ///   without products, some of it has the columns
  /// - `graph_c10`: batch dims are whole, no matrix has one twice or as rows or
  ///   columns, and results and intermediates have all of them
  /// - `graph_c11`: what lies in a larger matrix is an input without batch
  ///   dims, and lies inside of it
  /// - `graph_c12`: a reduction adds or takes the largest or least value; its
  ///   result has one column, and is f32 if it is a sum
  /// - `graph_c13`: a band is of an input or a constant, not empty, of zeros or
  ///   infinities
  /// - `graph_c14`: a matrix of 8 bits is an input that expressions read
  /// - `graph_c15`: a constant has no batch dims and is not written; it is a
  ///   finite value that products multiply, or a band of zeros, added to one
  ///   sum, that does not repeat, leaves something of each row, and is all that
  ///   matters of two dims
  llvm::Error check() const;
  /// Those of them that are about dims and matrices alone.
  llvm::Error checkSizes() const;

  /// The dims of stages that stand for `dim` of `matrix`, which these `users`
  /// use: itself or parts of it. A dim of one index that a stage lacks stands
  /// for itself.
  llvm::SmallVector<unsigned, 2> dimsIn(llvm::ArrayRef<unsigned> users,
                                        unsigned matrix, unsigned dim) const;
  /// Whether `stage` reads the one row of `matrix` in all rows of its result.
  bool isRepeated(const Stage &stage, unsigned matrix) const;
  /// The columns of what the expression of `stage` reads.
  unsigned columnsIn(const Stage &stage) const {
    return stage.reduction ? stage.reduction->over
                           : matrices[stage.result].columns;
  }
  /// Whether a sum of `stage` has one column for all of the result's.
  bool isColumn(const Stage &stage, unsigned sum) const;
  /// A product with a constant of one column is computed beside another one of
  /// the same factor: its column lies behind those of the other, an input that
  /// no other stage reads. The one of it that does so behind `matrix`.
  const Term *findBeside(const Stage &stage, unsigned matrix) const;
  /// Whether `matrix` lies behind another one for `stage`, and how many do.
  bool isBeside(const Stage &stage, unsigned matrix) const;
  unsigned numBeside(const Stage &stage) const;
  /// Whether an input, which stages read, or a result.
  bool isMoved(unsigned matrix) const;
  /// Whether stage `number` sums rows of what the one in front of it computes
  /// by a function of one value, so that ScalarE may do both at once.
  bool mayAddUp(unsigned number) const;
  /// The dims that `stage` runs over: rows, columns, and what it sums over.
  llvm::SmallVector<unsigned, 4> dimsOf(const Stage &stage) const;
  /// Whether dim `part` is `dim` or a part of it.
  bool isPartOf(unsigned part, unsigned dim) const;
  /// Whether a stage computes a matrix, without products, of weights alone that
  /// are stored in 8 bits; strips of rows all read all of it.
  bool widens(const Stage &stage) const;
  bool hasBatch(unsigned matrix, unsigned dim) const;
  /// The dim that `dim` is a part of, or itself.
  unsigned wholeOf(unsigned dim) const { return dims[dim].of.value_or(dim); }
  int64_t sizeOf(unsigned dim) const { return dims[dim].size; }
  int64_t rowsOf(const Matrix &of) const { return sizeOf(of.rows); }
  int64_t columnsOf(const Matrix &of) const { return sizeOf(of.columns); }
  /// The batch dims: the kernel runs once for each of their indices. Matrices
  /// without one are the same for all of them.
  llvm::SmallVector<unsigned, 2> batches() const;
  /// With a dimension for each batch dim, for rows and for columns; of the
  /// larger matrix that it lies in, if there is one.
  llvm::SmallVector<int64_t, 4> shapeInHbm(const Matrix &matrix) const;
  /// Elements of a row there: those of all batches, or of a larger matrix.
  int64_t columnsInHbm(const Matrix &matrix) const;
  /// Of all batches; a double, so that absurd ones do not overflow.
  double bytesOf(const Matrix &matrix) const;
};

/// Equal, the names too.
bool areIdentical(const Graph &a, const Graph &b);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_GRAPH_H
