//===- LiveTree.cpp - Which buffers live at the same time -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn::placement;

LiveTree::LiveTree(llvm::ArrayRef<Buffer> buffers)
    : buffers(buffers), leaf(buffers.size()),
      numLeaves(llvm::PowerOf2Ceil(std::max<size_t>(buffers.size(), 1))) {
  llvm::append_range(order, llvm::seq<uint32_t>(0, buffers.size()));
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return buffers[a].begin < buffers[b].begin;
  });
  for (auto [position, index] : llvm::enumerate(order))
    leaf[index] = position;
  latestEnd.assign(2 * numLeaves, nothing);
}

void LiveTree::setEnd(size_t index, int64_t end) {
  size_t node = numLeaves + leaf[index];
  latestEnd[node] = end;
  while (node /= 2)
    latestEnd[node] = std::max(latestEnd[2 * node], latestEnd[2 * node + 1]);
}
