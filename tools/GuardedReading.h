//===- GuardedReading.h - Inputs that MLIR cannot read ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_GUARDEDREADING_H
#define TRN_TOOLS_GUARDEDREADING_H

#include "trn/Support/CrashGuard.h"

#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <unistd.h>

namespace mlir::trn {

/// Runs `read`, which reads the module in `path`. Upstream's readers trust
/// bytecode, and look at attributes that they could not parse: a signal that
/// ends them is an error, which ends `tool`. They may have damaged the heap, so
/// that nothing here allocates.
inline void readGuarded(const char *tool, llvm::StringRef path,
                        llvm::function_ref<void()> read) {
  std::optional<llvm::StringRef> signal = runGuarded(read);
  if (!signal)
    return;
  llvm::outs().flush();
  llvm::errs() << tool << ": error: '" << path
               << "' cannot be read: MLIR's reader ended with '" << *signal
               << "'; the file is damaged, or was written by another version\n";
  llvm::sys::RunInterruptHandlers(); // outputs that are not complete
  _exit(EXIT_FAILURE);
}

} // namespace mlir::trn

#endif // TRN_TOOLS_GUARDEDREADING_H
