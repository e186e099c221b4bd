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
#include <memory>

using namespace mlir::trn;

static constexpr int leftByItself = 1;

namespace {
/// A stack that is full has no room for a handler. So a thread has another one
/// for signals: this, unless it has one already, as LLVM gives it to a tool's
/// main thread.
class SignalStack {
public:
  SignalStack() {
    stack_t current;
    if (sigaltstack(nullptr, &current) != 0 || !(current.ss_flags & SS_DISABLE))
      return;
    memory = std::make_unique<char[]>(size);
    stack_t own = {};
    own.ss_sp = memory.get();
    own.ss_size = size;
    sigaltstack(&own, nullptr);
  }
  ~SignalStack() {
    if (!memory)
      return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

private:
  static constexpr size_t size = 1 << 16;
  std::unique_ptr<char[]> memory;
};
} // namespace

/// Signals go to the other stack.
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
  SignalStack stack;
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
