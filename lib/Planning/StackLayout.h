//===- StackLayout.h - Where batches of a stack lie -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_STACKLAYOUT_H
#define TRN_LIB_PLANNING_STACKLAYOUT_H

#include "trn/Planning/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <limits>

namespace mlir::trn::planning {

/// The batch in what is recorded, and the index of the dim around it: loops
/// that there are not.
constexpr int32_t batchLoop = std::numeric_limits<int32_t>::max(),
                  outerLoop = batchLoop - 1;

/// For whom something is told: for each batch, for each group, for all of a
/// stack, or once.
enum class For { Each, Group, All, Once };

/// Of batches that are computed at once, those of a stack share buffers. With a
/// *stacked* dim these are up to four: the few indices of the dim lie on
/// partitions of their own, or in columns of their own, `stackPitch` apart.
///
/// A small stationary operand, as queries are, comes once for each batch, with
/// zeros for all others, so the products of all batches add up in one bank. If
/// they sum over few rows, moving operands of a *group* of batches lie below
/// each other, and one product is that of all of them.
class StackLayout {
public:
  /// Where a buffer has the stacked dim; or batches lie below each other (those
  /// of a group), or beside.
  enum class Side { None, Rows, Columns, Diagonal, Below, Beside };

  /// Nests in front of `firstNest` are for all batches, and outside of them.
  StackLayout(const Graph &graph, const Plan &plan, const Machine &machine,
              unsigned firstNest);

  /// The batches of a stack, and what is between them.
  int64_t size() const { return count; }
  int64_t pitch() const { return apart; }
  /// Those of a group that share a buffer of `matrix`.
  int64_t groupSizeOf(unsigned matrix) const {
    return isGrouped[matrix] ? groupSize : 1;
  }
  int64_t sizeOfGroup() const { return groupSize; }

  /// What a stack or a group has in the place of `buffer`, and whose that is.
  PlannedBuffer allocate(int32_t number, const PlannedBuffer &buffer);
  For ownersOf(const PlannedBuffer &buffer) const {
    return ownersOf(sideOf(buffer), buffer.matrix);
  }
  For ownersOf(Side side, unsigned matrix) const;
  /// The columns of the buffer, of one batch.
  int64_t columnsOf(int32_t buffer) const { return columns.lookup(buffer); }
  Side sideOf(const BlockView &view) const {
    return view.buffer ? sides.lookup(*view.buffer) : Side::None;
  }
  /// Whether `view`, of a buffer that is stacked, has all of the stacked dim,
  /// or all rows of a group.
  bool isFull(const BlockView &view) const;
  /// Whether one instruction for all batches can read `view` when it writes a
  /// buffer of `stage` with the stacked dim on `side`.
  bool isCommon(const BlockView &view, Side side, const Stage &stage);
  /// Whether the columns that `from` has of all batches are those of `to`,
  /// where they are further apart.
  bool comesApart(const BlockView &from, const BlockView &to) const;

  /// What batch `number` of the stack has in the place of `view`, or all that
  /// it is told for.
  BlockView place(BlockView view, int64_t number, For whom) const;

private:
  Side sideOf(const PlannedBuffer &buffer) const;
  bool addsUp(const Stage &stage) const;
  bool fitsGroup(const Plan &plan, unsigned matrix, unsigned dim) const;
  void findGroups(const Plan &plan);

  const Graph &graph;
  const Machine &machine;
  std::optional<unsigned> stacked;
  int64_t count, apart, groupSize = 1;
  llvm::SmallVector<bool, 16> isDiagonal, isTurnedApart; // by matrix
  llvm::SmallVector<bool, 16> isGrouped, isMoving;       // by matrix
  llvm::DenseMap<int32_t, Side> sides;                   // by buffer
  llvm::DenseMap<int32_t, int64_t> columns;              // by buffer
  llvm::DenseSet<int32_t> rowsForAll; // buffers outside with one row for all
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_STACKLAYOUT_H
