//===- TaskGraph.h - Runs instructions on several threads -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_TASKGRAPH_H
#define TRN_INTERPRETER_TASKGRAPH_H

#include "Kernels.h"
#include "Places.h"
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace mlir::trn {

/// One execution of an instruction: iterations [begin, end) of its outermost
/// level on these operands.
struct WorkItem {
  const PreparedInstruction *instruction;
  OperandPointers operands;
  int64_t begin, end;
  bool accumulate;
  /// Matmul: tiles that are to be widened into `operands` first, and the bytes
  /// from row to row of each.
  std::array<const char *, 2> narrow{};
  std::array<int64_t, 2> narrowStride{};
  /// Matmul: bytes from row to row of operands that `RecentTiles` copies; 0 of
  /// others.
  std::array<int64_t, 2> copiedStride{};
  /// Matmul: of the only block, if operands are elsewhere than in SBUF.
  int32_t plan = -1;
};

/// Executes instructions on worker threads so that the effect is that of
/// program order: an instruction waits for every earlier one that touches the
/// same bytes, unless both only read.
///
/// Instructions are grouped into tasks, which run in one piece: all products of
/// a PSUM group and its eviction, for example. A task depends on earlier tasks
/// only. The caller of `add` decides everything; workers never look at regions.
class TaskGraph {
public:
  using Execute = std::function<void(const WorkItem &, unsigned thread)>;

  TaskGraph(unsigned threads, Places places, Execute execute);
  ~TaskGraph();

  /// Appends an instruction in program order; large ones may be split.
  void add(const WorkItem &item, llvm::ArrayRef<Region> reads,
           llvm::ArrayRef<Region> writes);
  /// Waits until everything was executed.
  void finish();

private:
  using TaskId = uint64_t;
  struct Task {
    TaskId id = 0;
    std::vector<WorkItem> items;
    std::vector<TaskId> successors;
    int64_t cost = 0;
    int64_t missing = 0;
    bool submitted = false;
    /// The last task that depends on this one: a task is entered once.
    TaskId latestDependent = 0;
    std::atomic<bool> done{true};
  };
  struct Record {
    Region region;
    TaskId task;
  };

  Task &task(TaskId id) { return ring[id % ring.size()]; }
  bool isDone(TaskId id) {
    Task &slot = task(id);
    return slot.id != id || slot.done.load(std::memory_order_acquire);
  }
  bool isOpen(TaskId id) const { return id >= firstOpen; }
  void collect(std::vector<Record> &records, const Region &region);
  TaskId choose(const WorkItem &item);
  TaskId create();
  void depend(TaskId dependent);
  static void rememberRead(std::vector<Record> &records, const Region &region,
                           TaskId id);
  static void rememberWrite(std::vector<Record> &records, const Region &region,
                            TaskId id);
  void submitUpTo(TaskId end);
  /// Waits until what was submitted in `slot` is done.
  void waitFor(const Task &slot);
  void work(unsigned thread);

  Execute execute;
  Places places;
  /// By place; only for tasks that may not be done.
  std::vector<std::vector<Record>> readers, writers;
  /// Tasks that the instruction being added must wait for.
  std::vector<TaskId> conflicts;
  /// Task `id` lives in slot `id % size`. Tasks from `firstOpen` on can still
  /// grow and are not yet known to the workers.
  std::vector<Task> ring;
  TaskId firstOpen = 1, next = 1;

  std::mutex mutex;
  std::condition_variable workAvailable, taskDone;
  /// What the caller of `add` waits for.
  const Task *awaited = nullptr;
  std::vector<TaskId> ready;
  size_t readyBegin = 0;
  bool stopping = false;
  std::vector<std::thread> workers;
};

} // namespace mlir::trn

#endif // TRN_INTERPRETER_TASKGRAPH_H
