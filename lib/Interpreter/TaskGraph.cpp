//===- TaskGraph.cpp - Runs instructions on several threads ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskGraph.h"

#include "TileMath.h"
#include "trn/Support/SingleThreadedCalls.h"

#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace mlir::trn;

/// Tasks that may be unfinished at a time: enough to look past the loads of the
/// next block, few enough that comparing regions with all of them is cheap.
static constexpr size_t window = 128;
/// Where there is no room, this many tasks are finished before more are added.
static constexpr size_t wakeAhead = window / 4;
/// Tasks that may still grow, one for each PSUM bank of a group of products
/// that advance together.
static constexpr uint64_t openTasks = 8;
/// Handing a task over costs a few microseconds; a task should take longer.
static constexpr int64_t smallCost = 100'000;
static constexpr size_t maxItems = 1024;
/// Elementwise work above this is split over the threads.
static constexpr int64_t splitCost = 100'000;

TaskGraph::TaskGraph(unsigned threads, Places places, Execute execute)
    : execute(std::move(execute)), places(std::move(places)),
      readers(this->places.size()), writers(this->places.size()), ring(window) {
  ready.reserve(window);
  // A single thread needs no graph: `add` executes.
  for (unsigned i = 0; threads > 1 && i < threads; ++i)
    workers.emplace_back([this, i] { work(i); });
}

TaskGraph::~TaskGraph() {
  finish();
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  workAvailable.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void TaskGraph::add(const WorkItem &item, llvm::ArrayRef<Region> reads,
                    llvm::ArrayRef<Region> writes) {
  if (workers.empty())
    return execute(item, 0);
  conflicts.clear();
  for (const Region &read : reads)
    for (int32_t place : places.of(read))
      collect(writers[place], read);
  for (const Region &write : writes)
    for (int32_t place : places.of(write)) {
      collect(writers[place], write);
      collect(readers[place], write);
    }

  int64_t parts = 1, count = item.end - item.begin;
  if (!item.instruction->isProduct() && !item.instruction->isIndivisible &&
      item.instruction->cost > splitCost)
    parts = std::min<int64_t>(
        {count, int64_t(workers.size()), item.instruction->cost / splitCost});
  for (int64_t part = 0; part < parts; ++part) {
    WorkItem piece = item;
    piece.begin = item.begin + count * part / parts;
    piece.end = item.begin + count * (part + 1) / parts;
    TaskId id = parts > 1 ? create() : choose(item);
    depend(id);
    task(id).items.push_back(piece);
    task(id).cost += item.instruction->cost / parts;
    for (const Region &read : reads)
      for (int32_t place : places.of(read))
        rememberRead(readers[place], read, id);
    for (const Region &write : writes)
      for (int32_t place : places.of(write))
        rememberWrite(writers[place], write, id);
  }
}

/// Finds the unfinished tasks that touch `region` and forgets finished ones.
void TaskGraph::collect(std::vector<Record> &records, const Region &region) {
  for (size_t i = 0; i < records.size();) {
    if (isDone(records[i].task)) {
      records[i] = records.back();
      records.pop_back();
      continue;
    }
    if (records[i].region.overlaps(region))
      conflicts.push_back(records[i].task);
    ++i;
  }
}

/// The task that `item` joins: the newest one that it waits for, or the newest
/// of all if that one has little to do; otherwise a new one. Joining must not
/// make the rest of a task wait for more than it does already.
TaskGraph::TaskId TaskGraph::choose(const WorkItem &item) {
  TaskId newest = conflicts.empty() ? 0 : *llvm::max_element(conflicts);
  TaskId id = newest != 0 && isOpen(newest) ? newest : next - 1;
  if (!isOpen(id) || task(id).items.size() >= maxItems)
    return create();
  bool startsGroup = !item.instruction->isProduct() || !item.accumulate;
  bool evicts =
      id == newest && item.instruction->write().buffer->space == Space::Sbuf &&
      llvm::any_of(item.instruction->reads(), [](const OperandLayout &read) {
        return read.buffer->space == Space::Psum;
      });
  if (startsGroup && !evicts && task(id).cost >= smallCost)
    return create();
  for (TaskId conflict : conflicts)
    if (conflict != id && task(conflict).latestDependent != id)
      return create();
  return id;
}

TaskGraph::TaskId TaskGraph::create() {
  if (next - firstOpen >= openTasks)
    submitUpTo(next - openTasks + 1);
  Task &slot = task(next);
  if (!slot.done.load(std::memory_order_acquire)) {
    // To be woken for each task would cost as much as a small one.
    waitFor(task(next + wakeAhead));
    waitFor(slot);
  }
  slot.id = next;
  slot.items.clear();
  slot.successors.clear();
  slot.cost = 0;
  slot.missing = 0;
  slot.submitted = false;
  slot.latestDependent = 0;
  slot.done.store(false, std::memory_order_relaxed);
  return next++;
}

void TaskGraph::waitFor(const Task &slot) {
  std::unique_lock<std::mutex> lock(mutex);
  awaited = &slot;
  taskDone.wait(lock, [&] { return slot.done.load(); });
  awaited = nullptr;
}

void TaskGraph::depend(TaskId dependent) {
  std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
  for (TaskId conflict : conflicts) {
    Task &earlier = task(conflict);
    if (conflict == dependent || earlier.latestDependent == dependent)
      continue;
    if (!lock.owns_lock())
      lock.lock();
    earlier.latestDependent = dependent;
    if (earlier.id != conflict || earlier.done.load())
      continue;
    earlier.successors.push_back(dependent);
    ++task(dependent).missing;
  }
}

/// Reads of one task from one buffer are remembered as one region around them:
/// too much is harmless, and tasks read hundreds of neighbouring tiles.
void TaskGraph::rememberRead(std::vector<Record> &records, const Region &region,
                             TaskId id) {
  for (Record &record : llvm::reverse(records))
    if (record.task == id && record.region.buffer == region.buffer) {
      Region &around = record.region;
      around = {region.buffer, std::min(around.p0, region.p0),
                std::max(around.p1, region.p1), std::min(around.lo, region.lo),
                std::max(around.hi, region.hi)};
      return;
    }
  records.push_back({region, id});
}

void TaskGraph::rememberWrite(std::vector<Record> &records,
                              const Region &region, TaskId id) {
  if (records.empty() || records.back().task != id ||
      !records.back().region.contains(region))
    records.push_back({region, id});
}

void TaskGraph::submitUpTo(TaskId end) {
  if (firstOpen >= end)
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    for (; firstOpen < end; ++firstOpen) {
      task(firstOpen).submitted = true;
      if (task(firstOpen).missing == 0)
        ready.push_back(firstOpen);
    }
  }
  workAvailable.notify_all();
}

void TaskGraph::finish() {
  submitUpTo(next);
  llvm::for_each(ring, [&](const Task &slot) { waitFor(slot); });
}

void TaskGraph::work(unsigned thread) {
  SingleThreadedCalls singleThreaded;
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    workAvailable.wait(lock,
                       [&] { return stopping || readyBegin < ready.size(); });
    if (readyBegin == ready.size())
      return;
    Task &current = task(ready[readyBegin++]);
    if (readyBegin == ready.size()) {
      ready.clear();
      readyBegin = 0;
    }
    lock.unlock();
    for (const WorkItem &item : current.items)
      execute(item, thread);
    lock.lock();
    // This worker takes one itself: a chain of tasks wakes nobody.
    bool isMine = readyBegin == ready.size();
    for (TaskId id : current.successors) {
      Task &successor = task(id);
      if (--successor.missing != 0 || !successor.submitted)
        continue;
      ready.push_back(id);
      if (!std::exchange(isMine, false))
        workAvailable.notify_one();
    }
    current.done.store(true, std::memory_order_release);
    if (awaited == &current)
      taskDone.notify_one();
  }
}
