//===- CoreInterpreter.h - Runs the program of one core ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_COREINTERPRETER_H
#define TRN_LIB_INTERPRETER_COREINTERPRETER_H

#include "SnapshotTaker.h"
#include "TileReader.h"
#include "trn/Interpreter/Interpreter.h"
#include "trn/Program/PsumGroups.h"
#include "trn/Program/Walker.h"

namespace mlir::trn {

class CoreInterpreter {
public:
  /// All of these outlive it.
  CoreInterpreter(const Program &program, const Machine &machine,
                  unsigned threads, const InterpreterOptions &options)
      : program(program), machine(machine), memory(program, machine),
        groups(machine), tiles(program, machine, memory, threads),
        threads(threads), options(options), walker(program),
        snapshots(program, options.snapshots) {}

  /// Makes the memories. `first` is the first core of a logical one, itself for
  /// that; null for a core that is alone.
  std::optional<Fault> start(llvm::ArrayRef<void *> arguments,
                             CoreInterpreter *first = nullptr);
  /// Runs to the next meeting with the other core, or to the end.
  std::optional<Fault> advance();
  /// Checks the results, at the end.
  std::optional<Fault> finish();

  /// The instruction where it waits for the other core; -1: it has ended.
  int32_t getMeeting() const {
    return waiting ? int32_t(waiting->prepared - prepared.data()) : -1;
  }
  /// The elements that a SendReceive sends, row by row, and which of them
  /// nobody wrote; there are none if `holes` is empty. They may be padding.
  struct Sent {
    std::vector<char> bytes;
    std::vector<bool> holes;
  };
  /// At a SendReceive: what it sends; and takes what the other core sends.
  Sent pack() const;
  void unpack(const Sent &sent);
  /// At a Barrier, of the tensor that it is of, and at the end, of all that is
  /// shared: what both cores wrote is there for this one, too. Fails if a core
  /// touched what the other one wrote.
  std::optional<Fault> joinShared(CoreInterpreter &other);

private:
  struct Waiting {
    const PreparedInstruction *prepared;
    std::array<Memory::Located, ElementNest::maxOperands> located;
  };

  void prepare();
  bool isIgnored(const Fault &fault) const {
    return !options.ignoredRule.empty() && fault.rule == options.ignoredRule;
  }
  std::optional<Fault> step(const Step &step);
  std::optional<Fault> execute(PreparedInstruction &prepared);
  std::optional<Fault> executeNow(const WorkItem &item,
                                  const LocatedOperands &operands);
  std::optional<Fault> meetCores(const WorkItem &item);
  std::optional<Fault> moveRows(const PreparedInstruction &prepared,
                                const LocatedOperands &operands);
  std::optional<Fault> wait(const PreparedInstruction &prepared,
                            LocatedOperands &operands);
  std::optional<Fault> joinBuffer(int32_t buffer, CoreInterpreter &other,
                                  int32_t otherBuffer);
  std::optional<Fault> checkReads(const PreparedInstruction &prepared,
                                  LocatedOperands &operands);
  std::optional<Fault> checkWrite(const PreparedInstruction &prepared,
                                  size_t index, bool accumulate,
                                  LocatedOperands &operands);
  std::optional<Fault> writePsum(const PreparedInstruction &prepared,
                                 const OperandLayout &write, bool accumulate,
                                 const Memory::Located &located);
  void compute(const WorkItem &item, unsigned thread);

  const Program &program;
  const Machine &machine;
  Memory memory;
  PsumGroups groups;
  TileReader tiles;
  unsigned threads;
  const InterpreterOptions &options;
  std::vector<PreparedInstruction> prepared;
  Walker walker;
  SnapshotTaker snapshots;
  std::optional<Waiting> waiting;
  uint64_t steps = 0;
  /// Ends before what it works on.
  std::optional<TaskGraph> graph;
};

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_COREINTERPRETER_H
