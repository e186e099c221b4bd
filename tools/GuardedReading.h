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

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdlib>
#include <sys/time.h>
#include <unistd.h>

namespace mlir::trn {

/// Reads a module. Upstream's readers trust bytecode, and look at attributes
/// that they could not parse: a signal that ends them, and that they do not
/// end, is an error, which ends the tool. A process reads one file.
class GuardedReading {
public:
  GuardedReading(const char *tool, llvm::StringRef path, int64_t bytes)
      : seconds(5 + (bytes >> 20)) {
    problem = (tool + llvm::Twine(": error: '") + path +
               "' cannot be read: MLIR's reader ")
                  .str();
    late = "takes more than " + std::to_string(seconds) + " s";
    std::signal(SIGPROF, [](int) { fail(late); });
  }

  void run(llvm::function_ref<void()> read) {
    limit(seconds);
    if (std::optional<llvm::StringRef> signal = runGuarded(read))
      fail("ended with '", *signal, "'");
    limit(0);
  }

  /// While it lives, nothing is read: a crash is one, and nothing is late.
  class Pause {
  public:
    explicit Pause(const GuardedReading &reading) : reading(reading) {
      limit(0);
    }
    ~Pause() { limit(reading.seconds); }

  private:
    const GuardedReading &reading;
    Unguarded unguarded;
  };

private:
  /// Counts the time of the process from now on; 0: not any more.
  static void limit(int64_t seconds) {
    itimerval timer = {};
    timer.it_value.tv_sec = seconds;
    setitimer(ITIMER_PROF, &timer, nullptr);
  }

  /// Needs no heap, which the reader may have damaged.
  [[noreturn]] static void fail(llvm::StringRef how,
                                llvm::StringRef signal = "",
                                llvm::StringRef end = "") {
    llvm::outs().flush();
    llvm::errs() << problem << how << signal << end
                 << "; the file is damaged, or was written by another "
                    "version\n";
    llvm::sys::RunInterruptHandlers(); // removes what is not complete
    _exit(EXIT_FAILURE);
  }

  static inline std::string problem, late;
  int64_t seconds;
};

} // namespace mlir::trn

#endif // TRN_TOOLS_GUARDEDREADING_H
