//===- Matrix.h - Dims and matrices of a kernel -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_MATRIX_H
#define TRN_PLANNING_MATRIX_H

#include "trn/Planning/Expression.h"
#include <algorithm>
#include <optional>
#include <string>

namespace mlir::trn::planning {

/// A dimension that matrices share: rows of X, the contraction of a product.
struct Dim {
  std::string name;
  int64_t size = 0;
  /// A part: `size` indices of another dim, from `offset` on. Stages and
  /// intermediates have parts; inputs and results have the whole dim.
  std::optional<unsigned> of = std::nullopt;
  int64_t offset = 0;
  /// Groups: each index stands for as many neighbouring indices of this dim, as
  /// a head does for columns.
  std::optional<unsigned> groupsOf = std::nullopt;

  auto key() const { return std::tuple(size, of, offset, groupsOf); }
};

/// A constant has one value, or is a mask that its band describes. It is made
/// on chip.
enum class Role : uint8_t { Input, Result, Intermediate, Constant };

/// A matrix inside a larger one in HBM, of `rows` x `columns`: it starts at
/// `row` and `column`.
struct Window {
  int64_t rows = 0, columns = 0;
  int64_t row = 0, column = 0;

  auto key() const { return std::tuple(rows, columns, row, column); }
};

/// The diagonals `column - row` of a mask that hold `inside`. All others hold
/// minus infinity or a similar value. A missing bound is no bound.
struct Band {
  std::optional<int64_t> least = std::nullopt, most = std::nullopt;
  float inside = 0;
  /// The mask is the same for each `period` rows; 0: it does not repeat.
  int64_t period = 0;

  /// The columns, from `first` to `end`, that are in the band for any of
  /// `height` rows from `row` on: begin and end.
  std::pair<int64_t, int64_t> columnsOf(int64_t row, int64_t height,
                                        int64_t first, int64_t end) const {
    auto [top, bottom] = rowsOf(row, height);
    return {std::max(first, least ? top + *least : first),
            std::min(end, most ? bottom + 1 + *most : end)};
  }
  /// The same for columns that are in the band for all of the rows.
  std::pair<int64_t, int64_t> wholeColumnsOf(int64_t row, int64_t height,
                                             int64_t first, int64_t end) const {
    auto [top, bottom] = rowsOf(row, height);
    return {std::max(first, least ? bottom + *least : first),
            std::min(end, most ? top + 1 + *most : end)};
  }
  /// The band of the transpose, which does not repeat.
  Band transposed() const {
    Band other{std::nullopt, std::nullopt, inside};
    if (most)
      other.least = -*most;
    if (least)
      other.most = -*least;
    return other;
  }
  auto key() const {
    return std::tuple(least, most, llvm::bit_cast<uint32_t>(inside), period);
  }

private:
  /// The first and the last of these rows in their period.
  std::pair<int64_t, int64_t> rowsOf(int64_t row, int64_t height) const {
    if (!period)
      return {row, row + height - 1};
    int64_t first = row % period;
    if (first + height > period)
      return {0, period - 1};
    return {first, first + height - 1};
  }
};

/// A matrix, or one for each index of its batch dims. On chip its rows are on
/// the partitions.
struct Matrix {
  std::string name;
  unsigned rows = 0, columns = 0; // dims
  ElementType type = ElementType::BF16;
  Role role = Role::Input;
  /// Batch dims outside its rows and outside its columns in HBM, outermost
  /// first: [batch, head, row, column], or [batch, row, head, column].
  llvm::SmallVector<unsigned, 2> rowBatches = {}, columnBatches = {};
  /// Results: so many columns are a head. In HBM the heads are matrices, one
  /// behind the other: [column / 64, row, column % 64]. 0: rows are whole.
  int64_t headColumns = 0;
  /// Inputs: the kernel's argument is a larger matrix.
  std::optional<Window> window = std::nullopt;
  /// Inputs: the known band of a mask. Constants: the mask.
  std::optional<Band> band = std::nullopt;
  /// The value of a constant without a band.
  float constant = 0;

  bool has(unsigned dim) const { return rows == dim || columns == dim; }
  unsigned otherDim(unsigned dim) const { return rows == dim ? columns : rows; }
  auto key() const {
    return std::tuple(rows, columns, type, role, llvm::ArrayRef(rowBatches),
                      llvm::ArrayRef(columnBatches), headColumns, window, band,
                      llvm::bit_cast<uint32_t>(constant));
  }
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_MATRIX_H
