//===- CrashGuard.h - Crashes that do not end the process -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_CRASHGUARD_H
#define TRN_SUPPORT_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir::trn {

/// Runs `function` and returns the signal that ended it, if any. Its unfinished
/// cleanup is skipped.
std::optional<llvm::StringRef> runGuarded(llvm::function_ref<void()> function);

/// Ends the guarded function of this thread without a signal.
[[noreturn]] void leaveGuarded();

/// While alive, a signal ends the process despite a guard, with LLVM's stack
/// dump. For one thread.
class Unguarded {
public:
  Unguarded();
  ~Unguarded();
  Unguarded(const Unguarded &) = delete;
  Unguarded &operator=(const Unguarded &) = delete;
};

} // namespace mlir::trn

#endif // TRN_SUPPORT_CRASHGUARD_H
