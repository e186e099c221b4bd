//===- Growth.cpp - Buffers that take more memory -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Placement/Growth.h"

#include "trn/Placement/Solvers.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn::placement;

Buffer Growth::exchange(const Replacement &replacement) {
  demand.remove(problem.buffers[replacement.index]);
  demand.add(replacement.buffer);
  return std::exchange(problem.buffers[replacement.index], replacement.buffer);
}

llvm::SmallVector<bool> Growth::tryReplace(llvm::ArrayRef<Replacement> wanted) {
  llvm::SmallVector<bool> isReplaced(wanted.size(), false);
  tryReplace(wanted, isReplaced);
  return isReplaced;
}

/// All at once, and only if that has no solution each half by itself: a problem
/// is solved a few times instead of once for each buffer.
void Growth::tryReplace(llvm::ArrayRef<Replacement> wanted,
                        llvm::MutableArrayRef<bool> isReplaced) {
  llvm::SmallVector<Replacement> before;
  for (auto [replacement, isDone] : llvm::zip_equal(wanted, isReplaced)) {
    Buffer replaced = exchange(replacement);
    isDone = demand.highest() <= problem.capacity;
    if (isDone)
      before.push_back({replacement.index, replaced});
    else
      exchange({replacement.index, replaced});
  }
  if (before.empty())
    return;
  effort -= int64_t(problem.buffers.size());
  if (effort >= 0 && hasAddresses(problem))
    return;
  for (const Replacement &replaced : llvm::reverse(before))
    exchange(replaced);
  llvm::fill(isReplaced, false);
  size_t half = wanted.size() / 2;
  if (half == 0 || effort < 0)
    return;
  tryReplace(wanted.take_front(half), isReplaced.take_front(half));
  tryReplace(wanted.drop_front(half), isReplaced.drop_front(half));
}
