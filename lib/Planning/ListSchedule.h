//===- ListSchedule.h - The order in which engines can start ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_LISTSCHEDULE_H
#define TRN_LIB_PLANNING_LISTSCHEDULE_H

#include "trn/Program/Instruction.h"
#include "trn/Simulator/Cost.h"

namespace mlir::trn::planning {

/// Work of one engine. Times are in picoseconds.
struct Task {
  /// An engine that can do it.
  struct Way {
    Engine engine;
    int64_t busy;    // until the engine can start its next task
    int64_t visible; // until others see what it writes
    int64_t table = 0;
  };
  /// One, or two to choose from.
  llvm::SmallVector<Way, 2> ways;
  bool usesPsum = false;
  /// Those that it reads or writes, each once.
  llvm::SmallVector<int32_t, 4> buffers = {};
  /// An earlier task that it follows.
  struct Edge {
    int32_t task;
    bool isData; // reads what that writes, else only overwrites
  };
  llvm::SmallVector<Edge, 4> after = {};
};

/// What a buffer takes from its first task on to its last one: banks of PSUM,
/// or bytes of a partition of SBUF.
struct Room {
  Space space;
  int64_t size;
};

/// What there is of it.
struct Rooms {
  int64_t banks, bytes;
};

struct Scheduled {
  int32_t task;
  Engine engine;
};

/// *List scheduling*: the order in which engines can start `tasks`, which are
/// in an order that is legal. What can start first comes next, and of several
/// what was first. A task waits for what it follows, for its engine and, if it
/// is the first one of a buffer, for room. Room is left for all earlier tasks
/// to end in their order; if there is none even so, what was first comes next.
std::vector<Scheduled> listSchedule(llvm::ArrayRef<Task> tasks,
                                    llvm::ArrayRef<Room> buffers, Rooms rooms,
                                    const Costs &costs, bool portLocks);

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_LISTSCHEDULE_H
