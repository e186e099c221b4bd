//===- Matrix.h - What the stages of a kernel work on -----------*- C++ -*-===//
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
  /// This one stands for `size` indices of another dim, from `offset` on. It is
  /// a dim of stages and intermediates; inputs and results have the other one.
  std::optional<unsigned> of = std::nullopt;
  int64_t offset = 0;

  auto key() const { return std::tuple(size, of, offset); }
};

/// A constant has one value, or is a mask of which the band is all that there
/// is to know: it is made on chip.
enum class Role : uint8_t { Input, Result, Intermediate, Constant };

/// Where a matrix lies in HBM, if that is inside of a larger one: of `rows` x
/// `columns`, those from `row` and `column` on.
struct Window {
  int64_t rows = 0, columns = 0;
  int64_t row = 0, column = 0;

  auto key() const { return std::tuple(rows, columns, row, column); }
};

/// Of a mask: the diagonals `column - row` that have `inside`, all others hold
/// minus infinity or what is as little. Without a bound they go on.
struct Band {
  std::optional<int64_t> least = std::nullopt, most = std::nullopt;
  float inside = 0;
  /// Rows so far apart are alike: each `period` of them is a mask; 0: all are.
  int64_t period = 0;

  /// Of the columns from `first` to `end` those that any of `height` rows from
  /// `row` on may have inside of it: where they begin and end.
  std::pair<int64_t, int64_t> columnsOf(int64_t row, int64_t height,
                                        int64_t first, int64_t end) const {
    auto [top, bottom] = rowsOf(row, height);
    return {std::max(first, least ? top + *least : first),
            std::min(end, most ? bottom + 1 + *most : end)};
  }
  /// Those that all of the rows have inside of it.
  std::pair<int64_t, int64_t> wholeColumnsOf(int64_t row, int64_t height,
                                             int64_t first, int64_t end) const {
    auto [top, bottom] = rowsOf(row, height);
    return {std::max(first, least ? bottom + *least : first),
            std::min(end, most ? top + 1 + *most : end)};
  }
  /// The same of the transpose; every row is another one.
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
  /// The first and the last row of a period that they are.
  std::pair<int64_t, int64_t> rowsOf(int64_t row, int64_t height) const {
    if (!period)
      return {row, row + height - 1};
    int64_t first = row % period;
    if (first + height > period)
      return {0, period - 1};
    return {first, first + height - 1};
  }
};

/// A matrix, or one for each index of its batch dims. On chip its rows lie on
/// the partitions.
struct Matrix {
  std::string name;
  unsigned rows = 0, columns = 0; // dims
  ElementType type = ElementType::BF16;
  Role role = Role::Input;
  /// Batch dims outside of its rows and of its columns in HBM, outermost first:
  /// [batch, head, row, column], or [batch, row, head, column].
  llvm::SmallVector<unsigned, 2> rowBatches = {}, columnBatches = {};
  /// Inputs: what the kernel is given is larger.
  std::optional<Window> window = std::nullopt;
  /// Inputs: what is known of a mask. Constants: the mask.
  std::optional<Band> band = std::nullopt;
  /// The value of a constant without a band.
  float constant = 0;

  bool has(unsigned dim) const { return rows == dim || columns == dim; }
  unsigned otherDim(unsigned dim) const { return rows == dim ? columns : rows; }
  auto key() const {
    return std::tuple(rows, columns, type, role, llvm::ArrayRef(rowBatches),
                      llvm::ArrayRef(columnBatches), window, band,
                      llvm::bit_cast<uint32_t>(constant));
  }
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_MATRIX_H
