//===- CrashGuard.cpp - Code that may not end the process -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/CrashGuard.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/PrettyStackTrace.h"
#include <csignal>
#include <cstring>

using namespace mlir::trn;

static constexpr int leftByItself = 1;

/// A stack that is full has no room for a handler. Where the thread has another
/// one for signals, as LLVM gives it to a tool's main thread, they go there.
static void handleOnOtherStack(int signal) {
  struct sigaction action;
  if (sigaction(signal, nullptr, &action) != 0)
    return;
  action.sa_flags |= SA_ONSTACK;
  sigaction(signal, &action, nullptr);
}

static void enableGuard() {
  llvm::CrashRecoveryContext::Enable();
  handleOnOtherStack(SIGSEGV);
  handleOnOtherStack(SIGBUS);
}

std::optional<llvm::StringRef>
mlir::trn::runGuarded(llvm::function_ref<void()> function) {
  enableGuard();
  llvm::CrashRecoveryContext context;
  const void *prettyStack = llvm::SavePrettyStackState();
  if (context.RunSafely(function))
    return std::nullopt;
  // What the function put there is gone with its frames.
  llvm::RestorePrettyStackState(prettyStack);
  if (context.RetCode == leftByItself)
    return std::nullopt;
  // As a shell counts.
  return strsignal(context.RetCode & 0x7f);
}

void mlir::trn::leaveGuarded() {
  llvm::CrashRecoveryContext::GetCurrent()->HandleExit(leftByItself);
}

Unguarded::Unguarded() { llvm::CrashRecoveryContext::Disable(); }

Unguarded::~Unguarded() { enableGuard(); }
