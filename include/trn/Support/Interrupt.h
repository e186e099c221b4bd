//===- Interrupt.h - Interruptible work -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_INTERRUPT_H
#define TRN_SUPPORT_INTERRUPT_H

#include <chrono>
#include <functional>

namespace mlir::trn {

/// While alive, long work of this thread ends early once `poll` returns true;
/// its result is then meaningless. For one thread.
class InterruptScope {
public:
  explicit InterruptScope(std::function<bool()> poll);
  ~InterruptScope();
  InterruptScope(const InterruptScope &) = delete;
  InterruptScope &operator=(const InterruptScope &) = delete;

  /// Polls, unless it did just now; stays true.
  bool isInterrupted();
  /// The same without polling.
  bool wasInterrupted() const { return interrupted; }

private:
  using Clock = std::chrono::steady_clock;

  std::function<bool()> poll;
  InterruptScope *outer;
  Clock::time_point last = Clock::now();
  bool interrupted = false;
};

/// Whether the work of this thread should end. Reads a clock.
bool isInterrupted();

} // namespace mlir::trn

#endif // TRN_SUPPORT_INTERRUPT_H
