//===- Graph.h - The computation of a kernel --------------------*- C++ -*-===//
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

/// The computation of a kernel, as plain data. Dims, matrices and stages are
/// known by their numbers; stages are in the order of execution. Names are for
/// people: graphs that differ in names alone are equal.
struct Graph {
  std::vector<Dim> dims;
  std::vector<Matrix> matrices;
  std::vector<Stage> stages;

  auto key() const {
    return std::tuple(llvm::ArrayRef(dims), llvm::ArrayRef(matrices),
                      llvm::ArrayRef(stages));
  }

  /// Fails, with the rule and the fault, if this is no kernel:
  /// - `graph_c1`: a dim has at least one index, a matrix has two dims and at
  ///   most 2^60 bytes, and numbers in use exist
  /// - `graph_c2`: every result and intermediate is written by one stage, every
  ///   intermediate is read by a later one, and no input is written
  /// - `graph_c3`: a product sums over the first dims of its operands and has
  ///   the second ones; in an expression, a sum may have one column
  /// - `graph_c4`: a transposition swaps the dims and keeps the type. It is no
  ///   sum and no reduction; an expression is of what is computed, too
  /// - `graph_c5`: a part of a dim is inside it, and is no part of a part
  /// - `graph_c6`: operands of one product have the same type
  /// - `graph_c7`: rows, columns and contraction are no parts of one dim; only
  ///   terms may sum over parts of one
  /// - `graph_c8`: an expression writes at most 256 values. A function has as
  ///   many arguments as it takes, 1 to 3; they come before it, and not all
  ///   are constant. Constants are finite, and all sums are used
  /// - `graph_c9`: operands of an expression have the result's rows and
  ///   columns, or dims of one index in their places, and are no factors of its
  ///   products. Without products, one of them has the columns. An input may
  ///   repeat a fraction of these, but beside no mask and if none is reduced
  /// - `graph_c10`: batch dims are whole. No matrix has one twice or as rows or
  ///   columns, and results and intermediates have all of them
  /// - `graph_c11`: a window of a larger matrix is an input, and is inside that
  ///   matrix, which has the same batch dims
  /// - `graph_c12`: a reduction is a sum, a maximum or a minimum. Its result
  ///   has one column, or the groups of what it reduces; a sum is f32
  /// - `graph_c13`: a band is of an input or a constant, is not empty, and has
  ///   zeros or infinities
  /// - `graph_c14`: a matrix of 8 bits is an input that expressions read
  /// - `graph_c15`: a constant has no batch dims and is not written. It is a
  ///   finite value that products multiply, or a band of zeros, added to the
  ///   first sum, which may be scaled and rounded before. Such a band does not
  ///   repeat, leaves some of each row, and is the live band of two dims
  /// - `graph_c16`: a matrix whose columns change places has those of the
  ///   result, which fall into such pairs, and no mask is read beside it
  /// - `graph_c17`: heads are several, of a result without batch dims that no
  ///   stage reads, and have all of its columns
  /// - `graph_c18`: groups are several and divide a whole dim. They are columns
  ///   of inputs and intermediates, but of no product or its operands. In a
  ///   stage they have one size, and columns repeat or are rotated inside of it
  llvm::Error check() const;
  /// The rules about dims and matrices alone.
  llvm::Error checkSizes() const;

  /// The dims of stages that stand for `dim` of `matrix` in its `users`: itself
  /// or parts of it. A dim of one index that a stage lacks stands for itself.
  llvm::SmallVector<unsigned, 2> dimsIn(llvm::ArrayRef<unsigned> users,
                                        unsigned matrix, unsigned dim) const;
  /// Whether `stage` broadcasts the one row of `matrix` over its result.
  bool isRepeated(const Stage &stage, unsigned matrix) const;
  /// How often the columns of matrix `number`, an operand of `stage`'s
  /// expression, are read one after the other if they are a fraction of what
  /// that has; else 1.
  int64_t repeatsOf(const Stage &stage, unsigned number) const;
  /// The columns of which a tile of `stage` has whole multiples, as some
  /// repeat, change places or are groups; else 1.
  int64_t periodOf(const Stage &stage) const;
  /// Whether `stage` reads a column of `matrix` for each group of its columns.
  bool readsByGroup(const Stage &stage, unsigned matrix) const {
    return dims[matrices[matrix].columns].groupsOf == columnsIn(stage);
  }
  /// How many columns a group has that `stage` reads or computes, if any.
  std::optional<int64_t> groupIn(const Stage &stage) const;
  /// The columns of the operands of `stage`'s expression.
  unsigned columnsIn(const Stage &stage) const {
    return stage.reduction ? stage.reduction->over
                           : matrices[stage.result].columns;
  }
  /// Whether a sum of `stage` is one column, broadcast over the result.
  bool isColumn(const Stage &stage, unsigned sum) const;
  /// The term of `stage` whose column follows those of `matrix`. It is a
  /// product with a constant of one column, computed beside another product
  /// with the same factor. `matrix` is the other operand, an input that no
  /// other stage reads.
  const Term *findBeside(const Stage &stage, unsigned matrix) const;
  /// Whether `matrix` follows another one in this way, and how many do.
  bool isBeside(const Stage &stage, unsigned matrix) const;
  unsigned numBeside(const Stage &stage) const;
  /// Whether it is an input that stages read, or a result.
  bool isMoved(unsigned matrix) const;
  /// Whether stage `number` sums rows of the stage before, which computes a
  /// function of one value: ScalarE may then do both at once.
  bool mayAddUp(unsigned number) const;
  /// The dims that `stage` runs over: rows, columns and contractions.
  llvm::SmallVector<unsigned, 4> dimsOf(const Stage &stage) const;
  /// Whether dim `part` is `dim` or a part of it.
  bool isPartOf(unsigned part, unsigned dim) const;
  /// Whether a stage without products converts weights that are stored in 8
  /// bits. All strips of rows read the whole result.
  bool widens(const Stage &stage) const;
  bool hasBatch(unsigned matrix, unsigned dim) const;
  /// The dim that `dim` is a part of, or itself.
  unsigned wholeOf(unsigned dim) const { return dims[dim].of.value_or(dim); }
  int64_t sizeOf(unsigned dim) const { return dims[dim].size; }
  /// The indices that each index of `groups` stands for.
  int64_t groupSize(unsigned groups) const {
    return sizeOf(*dims[groups].groupsOf) / sizeOf(groups);
  }
  int64_t rowsOf(const Matrix &of) const { return sizeOf(of.rows); }
  int64_t columnsOf(const Matrix &of) const { return sizeOf(of.columns); }
  /// The batch dims: the kernel runs once for each index. Matrices without one
  /// are the same for all of them.
  llvm::SmallVector<unsigned, 2> batches() const;
  /// A dimension for each batch dim, for rows and for columns, or for heads,
  /// rows and columns. A window has those of the larger matrix.
  llvm::SmallVector<int64_t, 4> shapeInHbm(const Matrix &matrix) const;
  /// Elements of a row there, over all batches, of a head, or of the larger
  /// matrix.
  int64_t columnsInHbm(const Matrix &matrix) const;
  /// Over all batches; a double, so that absurd sizes do not overflow.
  double bytesOf(const Matrix &matrix) const;
};

/// Equality with names.
bool areIdentical(const Graph &a, const Graph &b);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_GRAPH_H
