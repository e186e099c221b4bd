//===- Demand.cpp - How much memory is in use at each point ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Placement/Demand.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir::trn::placement;

Demand::Demand(llvm::ArrayRef<Buffer> buffers) {
  if (!buffers.empty()) {
    firstPoint = buffers.front().begin;
    endPoint = buffers.front().end;
  }
  for (const Buffer &buffer : buffers) {
    firstPoint = std::min(firstPoint, buffer.begin);
    endPoint = std::max(endPoint, buffer.end);
  }
  endPoint = std::max(endPoint, firstPoint + 1);
  numLeaves = int64_t(llvm::PowerOf2Ceil(endPoint - firstPoint));
  nodes.resize(2 * numLeaves);
  for (const Buffer &buffer : buffers)
    add(buffer);
}

void Demand::change(const Buffer &buffer, int64_t size) {
  if (buffer.begin < buffer.end)
    change(/*node=*/1, firstPoint, numLeaves,
           std::min(buffer.begin, endPoint - 1),
           std::max(buffer.end, firstPoint + 1), size);
}

void Demand::change(size_t node, int64_t first, int64_t count, int64_t begin,
                    int64_t end, int64_t size) {
  if (end <= first || first + count <= begin)
    return;
  Node &here = nodes[node];
  if (begin <= first && first + count <= end) {
    here.added += size;
    here.highest += size;
    return;
  }
  int64_t half = count / 2;
  if (half == 0)
    return;
  change(2 * node, first, half, begin, end, size);
  change(2 * node + 1, first + half, half, begin, end, size);
  here.highest = here.added +
                 std::max(nodes[2 * node].highest, nodes[2 * node + 1].highest);
}
