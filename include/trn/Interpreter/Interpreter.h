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
  /// Values do not depend on it. 0 = one for each core.
  unsigned threads = 0;
  /// For each argument, which of its bytes hold a value; none or null: all.
  llvm::ArrayRef<const WrittenMap *> written = {};
  /// For tests, which show that something notices: the label of a rule that is
  /// not held. What would break it is not executed.
  llvm::StringRef ignoredRule = {};
  /// What to keep of the run; filled in if it has no fault.
  llvm::ArrayRef<Snapshot *> snapshots = {};
  /// Told now and then how many steps of the program (`countSteps`) are done, 0
  /// at first.
  std::function<void(int64_t steps)> progress = {};
  /// The cores that this one meets in collectives; null: it is alone.
  CoreGroup *cores = nullptr;
};

/// Runs `program` on `arguments`, one dense row-major array for each argument
/// in order, and returns the first fault in program order; results are
/// undefined then. docs/Interpreter.md says what is a fault.
///
/// The indexes in `program` must be consistent; anything else that is wrong
/// with it is reported.
std::optional<Fault> interpret(const Program &program, const Machine &machine,
                               llvm::ArrayRef<void *> arguments,
                               const InterpreterOptions &options = {});

} // namespace mlir::trn

#endif // TRN_INTERPRETER_INTERPRETER_H
