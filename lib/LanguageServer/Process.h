//===- Process.h - Forks that may crash -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_LANGUAGESERVER_PROCESS_H
#define TRN_LIB_LANGUAGESERVER_PROCESS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <sys/types.h>

namespace mlir::trn::editor {

/// A fork of this process that runs one function. Its standard streams lead
/// here. It ends with this object.
class Process {
public:
  /// Nothing if the system has no process left.
  static std::optional<Process> start(llvm::function_ref<void()> function);

  Process(Process &&other) { *this = std::move(other); }
  Process &operator=(Process &&other);
  ~Process() { kill(); }

  int input() const { return in; }
  int output() const { return out; }
  /// Ends it at once.
  void kill();
  /// Of one whose output has ended: how it ended, as in `ended with
  /// 'Segmentation fault'`, or nothing if by itself.
  std::string describeEnd();

private:
  Process() = default;
  void closeStreams();

  pid_t id = -1;
  int in = -1, out = -1;
};

/// Puts bytes of a stream together to messages.
class MessageReader {
public:
  explicit MessageReader(bool isDelimited = false) : isDelimited(isDelimited) {}

  /// Reads what is there; false: the stream has ended.
  bool read(int file);
  /// The next message that is complete.
  std::optional<std::string> next();
  StringRef rest() const { return bytes; }

private:
  std::optional<std::string> nextDelimited();

  bool isDelimited;
  std::string bytes;
};

/// A message as it is sent.
std::string frame(const llvm::json::Value &message, bool isIndented = false);

/// Writes all; false: nobody reads any more.
bool writeAll(int file, StringRef bytes);

} // namespace mlir::trn::editor

#endif // TRN_LIB_LANGUAGESERVER_PROCESS_H
