//===- ToolStreams.h - The standard streams of a tool -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TOOLSTREAMS_H
#define TRN_TOOLS_TOOLSTREAMS_H

#include "trn/Support/Escape.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdio>
#include <sysexits.h>
#include <unistd.h>

namespace mlir::trn {

/// A closed stream becomes /dev/null, before a file takes its place.
/// From here on a reader that has gone away or a file that may not grow is an
/// error of the stream, not the end of the process: other outputs are written.
inline void surviveWriteErrors() {
  (void)llvm::sys::Process::FixupStandardFileDescriptors();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

/// Says what went wrong; names in `problem` may come from a file.
inline void printError(const char *tool, const llvm::Twine &problem) {
  llvm::WithColor::error(llvm::errs(), tool)
      << escapeUnprintable(problem.str()) << "\n";
}

/// Ends a tool with `status`, or another one if standard output did not take
/// everything. Returns the exit status in builds with assertions.
inline int finishStreams(const char *tool, int status) {
  llvm::outs().flush();
  if (std::error_code problem = llvm::outs().error()) {
    llvm::outs().clear_error();
    // As upstream's tools, which end in the handler of SIGPIPE.
    if (problem == std::errc::broken_pipe) {
      status = status ? status : EX_IOERR;
    } else {
      printError(tool, "cannot write standard output: " + problem.message());
      status = 1;
    }
  }
  llvm::errs().clear_error();
#ifdef NDEBUG
  // Global objects of LLVM go with the process. Their destructors take a fifth
  // of a short command; only sanitizers, which look for leaks, need them. What
  // is printed at the end, such as --stats, is not one of these.
  llvm::llvm_shutdown();
  llvm::errs().flush();
  std::fflush(nullptr);
  _exit(status);
#endif
  return status;
}

} // namespace mlir::trn

#endif // TRN_TOOLS_TOOLSTREAMS_H
