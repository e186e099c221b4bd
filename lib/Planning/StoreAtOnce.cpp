//===- StoreAtOnce.cpp - Short rows that batches have together ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoreAtOnce.h"

#include "trn/Machine/Machine.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// Whether `from`, all columns of a result, is stored as a short row beside
/// those of the other batches. Rows of batches that come one behind the other
/// wait on chip for the last one: they must not take much of that.
bool StoreAtOnce::isShort(const BlockView &from, const BlockView &to,
                          int64_t columns) const {
  if (!from.buffer || to.buffer || from.tileRows)
    return false;
  const Matrix &matrix = graph.matrices[to.matrix];
  auto reads = [&](const Stage &stage) {
    return llvm::is_contained(stage.operands(), to.matrix);
  };
  if (matrix.role != Role::Result || llvm::any_of(graph.stages, reads) ||
      matrix.columnBatches.empty() ||
      matrix.columnBatches.back() != graph.batches().back())
    return false;
  int64_t bytes = graph.columnsOf(matrix) * byteSize(matrix.type);
  int64_t tiles = llvm::divideCeil(graph.rowsOf(matrix), machine.partitions);
  return from.columns == graph.columnsOf(matrix) && columns == from.columns &&
         bytes < machine.dmaSaturatingBytes &&
         tiles * bytes * batches <= machine.sbufPartitionBytes / 8;
}

void StoreAtOnce::copy(const BlockView &from, const BlockView &to,
                       int64_t columns) {
  // What is loaded again, each batch stores by itself.
  if (!from.buffer)
    for (auto &[buffer, known] : stored)
      known.isAtOnce &= known.matrix != from.matrix;
  if (isShort(from, to, columns))
    stored.try_emplace(*from.buffer, Stored{to.matrix})
        .first->second.rows.emplace_back(from.row, from.rows);
}

/// So is what is overwritten when it was stored: other batches are behind.
void StoreAtOnce::write(const BlockView &to) {
  auto found = to.buffer ? stored.find(*to.buffer) : stored.end();
  if (found == stored.end())
    return;
  for (const auto &[row, rows] : found->second.rows) {
    LinearExpr distance = to.row - row;
    if (!distance.isConstant() ||
        (distance.constant < rows && -distance.constant < to.rows))
      found->second.isAtOnce = false;
  }
}
