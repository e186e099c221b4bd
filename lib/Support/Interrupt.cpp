//===- Interrupt.cpp - Long work that can be ended ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/Interrupt.h"

using namespace mlir::trn;

static thread_local InterruptScope *innermost = nullptr;

/// A person does not notice this.
static constexpr std::chrono::milliseconds patience(20);

InterruptScope::InterruptScope(std::function<bool()> poll)
    : poll(std::move(poll)), outer(innermost) {
  innermost = this;
}

InterruptScope::~InterruptScope() { innermost = outer; }

bool InterruptScope::isInterrupted() {
  if (interrupted || Clock::now() < last + patience)
    return interrupted;
  interrupted = poll();
  last = Clock::now();
  return interrupted;
}

bool mlir::trn::isInterrupted() {
  return innermost && innermost->isInterrupted();
}
