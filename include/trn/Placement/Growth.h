//===- Growth.h - Buffers that take more memory -----------------*- C++ -*-===//
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

/// What shall become of a buffer of a problem.
struct Replacement {
  size_t index;
  Buffer buffer;
};

/// Lets buffers of a problem grow.
class Growth {
public:
  explicit Growth(Problem &problem)
      : problem(problem), demand(problem.buffers) {}

  /// Replaces, in this order, the buffers with which the problem stays
  /// solvable; tells for each whether it did.
  llvm::SmallVector<bool> tryReplace(llvm::ArrayRef<Replacement> wanted);

private:
  void tryReplace(llvm::ArrayRef<Replacement> wanted,
                  llvm::MutableArrayRef<bool> isReplaced);
  Buffer exchange(const Replacement &replacement);

  Problem &problem;
  /// Buffers that may still be placed to see whether a problem is solvable. No
  /// end for the problems that people have; where thousands of buffers hardly
  /// fit, the least urgent ones stay as they are after a second or two.
  int64_t effort = 150'000;
  /// Most of what does not fit is too much already, which this tells at once.
  Demand demand;
};

} // namespace mlir::trn::placement

#endif // TRN_PLACEMENT_GROWTH_H
