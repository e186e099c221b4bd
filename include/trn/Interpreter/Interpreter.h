//===- Interpreter.h - Runs a program on data -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_INTERPRETER_H
#define TRN_INTERPRETER_INTERPRETER_H

#include "trn/Interpreter/Fault.h"
#include "trn/Interpreter/Snapshot.h"
#include "trn/Interpreter/WrittenMap.h"
#include "trn/Machine/Machine.h"
#include "trn/Program/Program.h"

#include <functional>

namespace mlir::trn {

class CoreGroup;

struct InterpreterOptions {
  /// Values do not depend on it. 0 = one per core of the host.
  unsigned threads = 0;
  /// By argument: its bytes that hold a value; none or null: all, and none of
  /// a result.
  llvm::ArrayRef<const WrittenMap *> written = {};
  /// For tests that something notices: a rule that is not enforced. An
  /// instruction that would break it is not executed.
  llvm::StringRef ignoredRule = {};
  /// Contents to keep from the run; filled in if it has no fault.
  llvm::ArrayRef<Snapshot *> snapshots = {};
  /// Called now and then with the steps (`countSteps`) that are done, 0 at
  /// first.
  std::function<void(int64_t steps)> progress = {};
  /// The partners in collectives; null: there are none.
  CoreGroup *cores = nullptr;
};

/// Runs `program` on `arguments`, one dense row-major array each, in order.
/// Returns the first fault in program order; results are then undefined.
/// docs/Interpreter.md lists faults.
///
/// Indices in `program` must be consistent; all other mistakes are reported.
std::optional<Fault> interpret(const Program &program, const Machine &machine,
                               llvm::ArrayRef<void *> arguments,
                               const InterpreterOptions &options = {});

} // namespace mlir::trn

#endif // TRN_INTERPRETER_INTERPRETER_H
