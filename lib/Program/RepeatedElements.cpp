//===- RepeatedElements.cpp - Views that meet themselves ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/RepeatedElements.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using Dims = llvm::ArrayRef<Access::Dim>;

static constexpr uint64_t maxEnumerated = uint64_t(1) << 28;

/// Strides that are not negative: turning a dim around meets the same elements.
static llvm::SmallVector<Access::Dim> sortByStride(Dims dims) {
  llvm::SmallVector<Access::Dim> sorted;
  for (Access::Dim dim : dims)
    if (dim.size > 1)
      sorted.push_back({dim.size, std::abs(dim.stride)});
  llvm::sort(sorted, [](const Access::Dim &a, const Access::Dim &b) {
    return a.stride < b.stride;
  });
  return sorted;
}

/// Marks the elements from `base` on; true if one was marked before.
static bool mark(Dims dims, uint64_t base, llvm::BitVector &seen) {
  if (dims.empty()) {
    bool repeated = seen.test(base);
    seen.set(base);
    return repeated;
  }
  for (int64_t i = 0; i < dims.front().size; ++i)
    if (mark(dims.drop_front(), base + i * dims.front().stride, seen))
      return true;
  return false;
}

bool mlir::trn::hasRepeatedElements(Dims dims) {
  if (llvm::any_of(dims, [](Access::Dim dim) { return dim.size <= 0; }))
    return false;
  llvm::SmallVector<Access::Dim> sorted = sortByStride(dims);
  uint64_t elements = 1, reach = 0;
  llvm::SmallVector<uint64_t> reachBefore;
  for (Access::Dim dim : sorted) {
    reachBefore.push_back(reach);
    reach =
        llvm::SaturatingMultiplyAdd<uint64_t>(dim.size - 1, dim.stride, reach);
  }
  // A dim that steps over all that the smaller strides reach is harmless.
  while (!sorted.empty() &&
         uint64_t(sorted.back().stride) > reachBefore.back()) {
    sorted.pop_back();
    reach = reachBefore.pop_back_val();
  }
  for (Access::Dim dim : sorted)
    elements = llvm::SaturatingMultiply<uint64_t>(elements, dim.size);
  if (sorted.empty())
    return false;
  // More positions than places, or too many of both to try.
  if (elements - 1 > reach || reach >= maxEnumerated)
    return true;
  llvm::BitVector seen(reach + 1);
  return mark(sorted, 0, seen);
}
