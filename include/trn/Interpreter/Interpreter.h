//===- Interpreter.h - Runs a program on data -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_INTERPRETER_H
#define TRN_INTERPRETER_INTERPRETER_H

#include "trn/Interpreter/Snapshot.h"
#include "trn/Interpreter/WrittenMap.h"
#include "trn/Machine/Machine.h"
#include "trn/Program/Program.h"

#include <functional>

namespace mlir::trn {

/// What a program did that the hardware would not forgive. These rules are held
/// here alone, since only a run shows them:
/// - `memory_c1`: a buffer is used from its alloc to its dealloc
/// - `memory_c2`: what is read was written before
/// - `memory_c3`: a kernel writes results, scratch and tiles, no other argument
/// - `memory_c4`: an instruction reads and writes one region, or disjoint ones
/// - `memory_c5`: a kernel writes every element of its results
/// - `program_c1`: operands fit each other and what the instruction does
/// - `indirect_c1`: an index chooses a row that is there, or is skipped
/// - `indirect_c2`: a scatter writes no element twice, whatever its indices are
/// - `integer_c1`: integers that an engine computes with, or that a transfer
///   converts, are below 2^24 in magnitude, and what becomes an integer is one
/// Those that hold for all runs of a program are held here, too, under the
/// labels of its verifiers.
struct Fault {
  /// Label of the rule; empty if no host could run the program.
  llvm::StringRef rule;
  /// Index into `Program::ops`.
  int32_t op;
  std::string message;
  /// The other parties: an index into `Program::ops` and a text for each.
  llvm::SmallVector<std::pair<int32_t, std::string>, 2> notes;
};

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
