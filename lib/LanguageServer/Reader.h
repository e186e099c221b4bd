//===- Reader.h - MLIR's server in a fork -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_LANGUAGESERVER_READER_H
#define TRN_LIB_LANGUAGESERVER_READER_H

#include "Process.h"

#include <chrono>
#include <poll.h>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::trn::editor {

/// In a fork: it gets so many seconds of CPU time, or as many as it wants, and
/// leaves no core.
void limitFork(std::optional<int> seconds);

/// Upstream's language server, which may crash on a text.
class Reader {
public:
  explicit Reader(DialectRegistry &registry) : registry(registry) {}

  /// Starts one, also in place of one that has ended.
  bool start();
  void send(const llvm::json::Value &message);
  std::optional<std::string> next() { return messages.next(); }

  /// To be waited for.
  pollfd input() const;
  pollfd output() const { return {process->output(), POLLIN, 0}; }
  void write();
  /// Says how it has ended, if it has.
  std::optional<std::string> read();
  /// How long nothing has passed.
  std::chrono::seconds silence() const;

private:
  DialectRegistry &registry;
  std::optional<Process> process;
  MessageReader messages;
  /// What it has not taken yet.
  std::string outgoing;
  std::chrono::steady_clock::time_point last;
};

} // namespace mlir::trn::editor

#endif // TRN_LIB_LANGUAGESERVER_READER_H
