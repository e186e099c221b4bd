//===- SnapshotTaker.h - Takes snapshots when they are due ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_SNAPSHOTTAKER_H
#define TRN_LIB_INTERPRETER_SNAPSHOTTAKER_H

#include "Memory.h"
#include "TaskGraph.h"
#include "trn/Interpreter/Snapshot.h"
#include "trn/Program/Walker.h"

namespace mlir::trn {

/// Follows a run. A snapshot is due before the first step after which its
/// buffer may hold something else: the alloc or dealloc of the buffer, or one
/// outside of the iteration. Until then nobody else can have its bytes.
class SnapshotTaker {
public:
  SnapshotTaker(const Program &program, llvm::ArrayRef<Snapshot *> snapshots);

  /// Tells of a step that is about to be executed. Waits for `graph` if a
  /// snapshot is due.
  void beforeStep(const Step &step, const Walker &walker, const Memory &memory,
                  TaskGraph &graph);
  /// Takes those that are left; everything was executed.
  void finish(const Memory &memory);

private:
  struct Watch {
    Snapshot *snapshot;
    llvm::SmallVector<int32_t, 4> loops;
    /// That was written in the iteration; -1: none yet.
    int64_t slot = -1;

    bool isInside(llvm::ArrayRef<int64_t> counters) const;
    bool endsWith(const Step &step, llvm::ArrayRef<int64_t> counters) const;
  };

  bool writes(const Step &step, int32_t buffer) const;

  const Program &program;
  /// Those that are not taken yet.
  std::vector<Watch> watches;
};

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_SNAPSHOTTAKER_H
