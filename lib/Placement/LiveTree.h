//===- LiveTree.h - Which buffers live at the same time ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLACEMENT_LIVETREE_H
#define TRN_LIB_PLACEMENT_LIVETREE_H

#include "trn/Placement/Problem.h"

namespace mlir::trn::placement {

/// A set of buffers of a problem, asked for those that live with another one:
/// in a program without loops these are few, however long it is.
///
/// A binary tree over all buffers in the order of their begins. Each node knows
/// the latest end of the members below it, so that a search leaves out what is
/// over before a buffer begins, and what begins after its end.
class LiveTree {
public:
  explicit LiveTree(llvm::ArrayRef<Buffer> buffers);

  void insert(size_t index) { setEnd(index, buffers[index].end); }
  void erase(size_t index) { setEnd(index, nothing); }

  /// Calls `visit` with the members that live with `buffer`, in any order, as
  /// long as it returns true; returns whether it always did.
  template <typename Visit>
  bool allLiveWith(const Buffer &buffer, Visit visit) const {
    return search(/*node=*/1, /*first=*/0, /*count=*/numLeaves, buffer, visit);
  }

private:
  static constexpr int64_t nothing = INT64_MIN;

  void setEnd(size_t index, int64_t end);

  template <typename Visit>
  bool search(size_t node, size_t first, size_t count, const Buffer &buffer,
              Visit &visit) const {
    if (latestEnd[node] <= buffer.begin || first >= order.size() ||
        buffers[order[first]].begin >= buffer.end)
      return true;
    if (count == 1)
      return visit(order[first]);
    size_t half = count / 2;
    return search(2 * node, first, half, buffer, visit) &&
           search(2 * node + 1, first + half, half, buffer, visit);
  }

  llvm::ArrayRef<Buffer> buffers;
  /// Leaf by leaf, and the leaf of each buffer.
  llvm::SmallVector<uint32_t, 32> order, leaf;
  size_t numLeaves = 1;
  /// By node: the root is 1, the children of k are 2 * k and 2 * k + 1.
  llvm::SmallVector<int64_t, 64> latestEnd;
};

} // namespace mlir::trn::placement

#endif // TRN_LIB_PLACEMENT_LIVETREE_H
