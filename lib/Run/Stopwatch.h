//===- Stopwatch.h - How long the host takes --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_STOPWATCH_H
#define TRN_LIB_RUN_STOPWATCH_H

#include <chrono>

namespace mlir::trn {

/// Runs from its construction on.
class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

} // namespace mlir::trn

#endif // TRN_LIB_RUN_STOPWATCH_H
