//===- Growth.h - Gives buffers more memory ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLACEMENT_GROWTH_H
#define TRN_PLACEMENT_GROWTH_H

#include "trn/Placement/Demand.h"

namespace mlir::trn::placement {

/// A new form of a buffer of a problem.
struct Replacement {
  size_t index;
  Buffer buffer;
};

/// Lets buffers of a problem grow.
class Growth {
public:
  explicit Growth(Problem &problem)
      : problem(problem), demand(problem.buffers) {}

  /// Replaces buffers in this order, as long as the problem stays solvable;
  /// says which were replaced.
  llvm::SmallVector<bool> tryReplace(llvm::ArrayRef<Replacement> wanted);

private:
  void tryReplace(llvm::ArrayRef<Replacement> wanted,
                  llvm::MutableArrayRef<bool> isReplaced);
  Buffer exchange(const Replacement &replacement);

  Problem &problem;
  /// Buffers that may still be placed to test solvability: enough for all
  /// practical problems. If thousands of buffers hardly fit, the least urgent
  /// ones stay as they are after a second or two.
  int64_t effort = 150'000;
  /// Tells at once that a replacement is too much, as most failing ones are.
  Demand demand;
};

} // namespace mlir::trn::placement

#endif // TRN_PLACEMENT_GROWTH_H
