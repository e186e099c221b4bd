//===- Region.h - A part of a memory ----------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_REGION_H
#define TRN_INTERPRETER_REGION_H

#include <cstdint>

namespace mlir::trn {

/// A part of a memory: partitions [p0, p1) and bytes [lo, hi) of the physical
/// memory that `buffer` lives in.
struct Region {
  int32_t buffer;
  int64_t p0, p1;
  int64_t lo, hi;

  bool overlaps(const Region &other) const {
    return lo < other.hi && other.lo < hi && p0 < other.p1 && other.p0 < p1;
  }
  bool contains(const Region &other) const {
    return lo <= other.lo && other.hi <= hi && p0 <= other.p0 && other.p1 <= p1;
  }
};

} // namespace mlir::trn

#endif // TRN_INTERPRETER_REGION_H
