//===- StoreAtOnce.h - Short rows that batches have together ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_STOREATONCE_H
#define TRN_LIB_PLANNING_STOREATONCE_H

#include "trn/Planning/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::trn::planning {

/// Of batches that are computed at once: those results whose columns are
/// neighbours in HBM, as the heads of a row are. Each is a short row for the
/// DMA. So all batches have them in one buffer, side by side, and the last one
/// stores all. It is told of one batch, and knows at the end.
class StoreAtOnce {
public:
  /// For so many `batches` of the innermost dim.
  StoreAtOnce(const Graph &graph, const Machine &machine, int64_t batches)
      : graph(graph), machine(machine), batches(batches) {}

  int64_t together() const { return batches; }

  /// `columns` are those of the buffer of `from`, if it has one.
  void copy(const BlockView &from, const BlockView &to, int64_t columns);
  void write(const BlockView &to);

  /// Whether this is a buffer that all batches have together.
  bool contains(int32_t buffer) const {
    auto found = stored.find(buffer);
    return found != stored.end() && found->second.isAtOnce;
  }

private:
  bool isShort(const BlockView &from, const BlockView &to,
               int64_t columns) const;

  /// A buffer of a result, and its rows that were stored.
  struct Stored {
    unsigned matrix;
    bool isAtOnce = true;
    llvm::SmallVector<std::pair<LinearExpr, int64_t>, 4> rows = {};
  };

  const Graph &graph;
  const Machine &machine;
  int64_t batches;
  llvm::DenseMap<int32_t, Stored> stored; // by buffer
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_STOREATONCE_H
