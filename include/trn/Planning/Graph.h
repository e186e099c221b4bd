//===- Graph.h - What a kernel computes -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_GRAPH_H
#define TRN_PLANNING_GRAPH_H

#include "trn/Support/FloatTypes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::trn::planning {

/// A dimension that matrices share: rows of X, the contraction of a product.
struct Dim {
  std::string name;
  int64_t size = 0;
  /// This one stands for `size` indices of another dim, from `offset` on. It is
  /// a dim of stages and intermediates; inputs and results have the other one.
  std::optional<unsigned> of = std::nullopt;
  int64_t offset = 0;

  bool operator==(const Dim &other) const {
    return size == other.size && of == other.of && offset == other.offset;
  }
};

enum class Role : uint8_t { Input, Result, Intermediate };
llvm::StringRef stringify(Role role);

/// A matrix. On chip its rows lie on the partitions.
struct Matrix {
  std::string name;
  unsigned rows = 0, columns = 0; // dims
  ElementType type = ElementType::BF16;
  Role role = Role::Input;

  bool operator==(const Matrix &other) const {
    return rows == other.rows && columns == other.columns &&
           type == other.type && role == other.role;
  }
};

/// A product, summed in f32 over the dim `over`, which is the first one of both
/// matrices: `left` has the result's rows, `right` its columns.
struct Term {
  unsigned left = 0, right = 0, over = 0;

  bool operator==(const Term &other) const {
    return left == other.left && right == other.right && over == other.over;
  }
};

/// One step from matrices to a matrix: the sum of its terms, rounded to the
/// type of the result, or, if there are none, the transpose of `source`.
struct Stage {
  unsigned result = 0;
  llvm::SmallVector<Term, 2> terms = {};
  unsigned source = 0;

  bool isTransposition() const { return terms.empty(); }
  /// The matrices that it reads.
  llvm::SmallVector<unsigned, 4> operands() const;
  bool operator==(const Stage &other) const {
    return result == other.result && terms == other.terms &&
           source == other.source;
  }
};

/// What a kernel computes, as plain data. Dims, matrices and stages are known
/// by their numbers, stages stand in the order of execution. Names are for
/// people: graphs that differ in nothing else are equal.
struct Graph {
  std::vector<Dim> dims;
  std::vector<Matrix> matrices;
  std::vector<Stage> stages;

  bool operator==(const Graph &other) const {
    return dims == other.dims && matrices == other.matrices &&
           stages == other.stages;
  }

  /// Fails, with the rule and what breaks it, if this is no kernel:
  /// - `graph_c1`: dims have at least one index, and the numbers in use exist
  /// - `graph_c2`: every result and intermediate is written by one stage,
  /// before
  ///   it is read, and no input is
  /// - `graph_c3`: a product sums over the first dims of its operands and has
  ///   the second ones
  /// - `graph_c4`: a transposition swaps the dims and keeps the type
  /// - `graph_c5`: the parts that stand for a dim lie inside of it
  /// - `graph_c6`: operands of one product have the same type
  llvm::Error check() const;

  /// The dim of `stage` that stands for `dim`: itself or a part of it.
  unsigned dimIn(const Stage &stage, unsigned dim) const;
  /// The dims that `stage` runs over: rows, columns, and what it sums over.
  llvm::SmallVector<unsigned, 4> dimsOf(const Stage &stage) const;
  int64_t sizeOf(unsigned dim) const { return dims[dim].size; }
  int64_t rowsOf(const Matrix &matrix) const { return sizeOf(matrix.rows); }
  int64_t columnsOf(const Matrix &matrix) const {
    return sizeOf(matrix.columns);
  }
  /// Of the whole matrix; a double, since absurd ones are to be refused, not to
  /// overflow.
  double bytesOf(const Matrix &matrix) const {
    return double(rowsOf(matrix)) * double(columnsOf(matrix)) *
           double(byteSize(matrix.type));
  }
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_GRAPH_H
