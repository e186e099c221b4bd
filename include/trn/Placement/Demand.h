//===- Demand.h - Memory in use at each point -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLACEMENT_DEMAND_H
#define TRN_PLACEMENT_DEMAND_H

#include "trn/Placement/Problem.h"

namespace mlir::trn::placement {

/// The sum of live footprints at every program point, while buffers change: a
/// binary tree over the points.
class Demand {
public:
  explicit Demand(llvm::ArrayRef<Buffer> buffers);

  /// Points outside all initial lives count as the nearest one inside.
  void add(const Buffer &buffer) { change(buffer, buffer.footprint()); }
  void remove(const Buffer &buffer) { change(buffer, -buffer.footprint()); }

  /// Size of the peak.
  int64_t highest() const { return nodes[1].highest; }

private:
  struct Node {
    /// Added to all points below; part of `highest` of this node.
    int64_t added = 0;
    int64_t highest = 0;
  };

  void change(const Buffer &buffer, int64_t size);
  void change(size_t node, int64_t first, int64_t count, int64_t begin,
              int64_t end, int64_t size);

  int64_t firstPoint = 0, endPoint = 1;
  int64_t numLeaves = 1;
  /// The root is 1, the children of k are 2 * k and 2 * k + 1.
  llvm::SmallVector<Node, 0> nodes;
};

} // namespace mlir::trn::placement

#endif // TRN_PLACEMENT_DEMAND_H
