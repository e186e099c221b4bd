//===- HeadMatcher.h - Columns as heads -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_HEADMATCHER_H
#define TRN_TRANSFORMS_NORMALIZE_HEADMATCHER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <optional>

namespace mlir::trn {

struct Machine;

/// The columns of a matrix as heads, one behind the other:
///
///   %h = tensor.expand_shape %rows [[0], [1, 2]]      [rows, heads, columns]
///   %v = linalg.transpose %h permutation = [1, 0, 2]  [heads, rows, columns]
struct MovedHeads {
  tensor::ExpandShapeOp apart;
  linalg::TransposeOp transpose;

  Value rows() { return apart.getSrc(); }
  /// Those of one head.
  int64_t numColumns() { return apart.getResultType().getDimSize(2); }
};

/// What `op`, if any, moves to heads; static, and several rows and heads.
std::optional<MovedHeads> matchHeads(Operation *op);

/// Whether kernels for `machine` may have heads of so many columns in their
/// blocks, which are of whole heads.
bool fitsBlocks(int64_t columns, const Machine &machine);

/// Whether `op` moves rows that a linalg op computes, and nothing else reads,
/// to such heads, which fit blocks for `machine`, perhaps among dimensions of
/// one index.
bool movesHeads(linalg::TransposeOp op, const Machine &machine);

/// Writes all that moves heads as above.
void arrangeHeads(func::FuncOp func);

/// Columns of `rows` as heads of `columns`.
Value emitHeads(OpBuilder &builder, Location loc, Value rows, int64_t columns);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_HEADMATCHER_H
