//===- ListSchedule.cpp - The order in which engines can start ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListSchedule.h"

#include "llvm/ADT/STLExtras.h"
#include <queue>
#include <set>

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {

class ListScheduler {
public:
  ListScheduler(llvm::ArrayRef<Task> tasks, llvm::ArrayRef<Room> rooms,
                Rooms given, const Costs &costs, bool portLocks)
      : tasks(tasks), costs(costs), portLocks(portLocks), states(tasks.size()),
        bankFree(std::max<int64_t>(given.banks, 0), 0), bytesLeft(given.bytes) {
    for (const Room &room : rooms)
      buffers.push_back({room});
    for (auto [number, task] : llvm::enumerate(tasks)) {
      states[number].waiting = int32_t(task.after.size());
      for (Task::Edge edge : task.after)
        states[edge.task].before.push_back({int32_t(number), edge.isData});
      bool isIn[] = {false, false}; // PSUM, SBUF
      for (int32_t buffer : task.buffers) {
        ++buffers[buffer].rest;
        isIn[buffers[buffer].room.space == Space::Sbuf] = true;
      }
      for (bool isSbuf : {false, true})
        if (isIn[isSbuf])
          (isSbuf ? inSbuf : inPsum).push_back(int32_t(number));
    }
    trials.resize(buffers.size());
    countWork();
    for (auto [number, task] : llvm::enumerate(tasks))
      if (task.after.empty())
        come(int32_t(number));
  }

  std::vector<Scheduled> run() {
    std::vector<Scheduled> order;
    order.reserve(tasks.size());
    while (order.size() < tasks.size()) {
      while (states[oldest].isDone)
        ++oldest;
      Choice next = choose();
      order.push_back({next.task, wayOf(next).engine});
      execute(next);
    }
    return order;
  }

private:
  struct State {
    int64_t ready = 0;
    int32_t waiting = 0;
    bool isDone = false;
    int64_t unsafeAt = -1; // after so many buffers were closed
    llvm::SmallVector<Task::Edge, 4> before = {};
  };
  struct Buffer {
    Room room;
    int32_t rest = 0; // tasks
    int64_t done = 0; // of its tasks so far
    bool isOpen = false;
  };
  struct Choice {
    int32_t task = -1;
    unsigned way = 0;
    int64_t start = 0;
    bool isBefore(const Choice &other) const {
      return task >= 0 &&
             (other.task < 0 ||
              std::tie(start, task) < std::tie(other.start, other.task));
    }
  };
  /// Tasks that follow nothing any more.
  struct Queue {
    using Coming = std::pair<int64_t, int32_t>; // when it is ready
    std::priority_queue<Coming, std::vector<Coming>, std::greater<>> coming;
    std::set<int32_t> arrived; // ready when the engine is free
  };

  const Task::Way &wayOf(const Choice &choice) const {
    return tasks[choice.task].ways[choice.way];
  }
  /// Loads and stores share the DMA engines.
  int64_t &freeOf(Engine engine) {
    return free[static_cast<int>(engine == Engine::Store ? Engine::Load
                                                         : engine)];
  }
  bool usesPort(const Task &task, Engine engine) const {
    return portLocks && task.usesPsum &&
           (engine == Engine::Vector || engine == Engine::Scalar);
  }

  /// Of tasks that know their engine. They are often a loop, and find the table
  /// that they leave.
  void countWork() {
    std::array<int64_t, numEngines> work = {};
    for (const Task &task : tasks) {
      const Task::Way &way = task.ways.front();
      if (task.ways.size() > 1)
        continue;
      work[static_cast<int>(way.engine)] += way.busy;
      if (way.table)
        table = way.table;
    }
    isScalarBusier = work[static_cast<int>(Engine::Scalar)] >
                     work[static_cast<int>(Engine::Vector)];
  }

  void come(int32_t number) {
    for (const Task::Way &way : tasks[number].ways)
      queues[static_cast<int>(way.engine)].coming.push(
          {states[number].ready, number});
  }

  bool swaps(const Task::Way &way) const {
    return way.table && way.table != table;
  }

  int64_t startOf(int32_t number, const Task::Way &way) {
    int64_t able = freeOf(way.engine);
    if (swaps(way))
      able += costs.functionSwap;
    if (usesPort(tasks[number], way.engine))
      able = std::max(able, port);
    return std::max(able, states[number].ready);
  }

  /// When `number` is over for others, too: if they have most to do, they wait
  /// until their table is back.
  int64_t endOf(int32_t number, const Task::Way &way) {
    int64_t back = isScalarBusier && swaps(way) ? costs.functionSwap : 0;
    return startOf(number, way) + way.busy + back;
  }

  /// What `number` takes of `space`.
  int64_t needOf(int32_t number, Space space) const {
    int64_t size = 0;
    for (int32_t buffer : tasks[number].buffers)
      if (!buffers[buffer].isOpen && buffers[buffer].room.space == space)
        size += buffers[buffer].room.size;
    return size;
  }

  /// Whether all earlier tasks can still be done in their order, if `number`
  /// comes next.
  bool isSafe(int32_t number, Space space) {
    ++epoch;
    int64_t left = space == Space::Psum ? int64_t(bankFree.size()) : bytesLeft;
    int64_t open = space == Space::Psum ? openBanks : openBytes;
    auto run = [&](int32_t task) {
      for (int32_t at : tasks[task].buffers) {
        const Buffer &buffer = buffers[at];
        if (buffer.room.space != space)
          continue;
        Trial &trial = trials[at];
        if (trial.epoch != epoch)
          trial = {epoch, buffer.rest, buffer.isOpen};
        if (!trial.isOpen) {
          trial.isOpen = true;
          left -= buffer.room.size;
          open += buffer.room.size;
        }
        if (left < 0)
          return false;
        if (--trial.rest == 0) {
          left += buffer.room.size;
          open -= buffer.room.size;
        }
      }
      return true;
    };
    if (!run(number))
      return false;
    llvm::ArrayRef<int32_t> all = space == Space::Psum ? inPsum : inSbuf;
    for (const int32_t *next = llvm::lower_bound(all, int32_t(oldest));
         next != all.end() && open > 0; ++next)
      if (!states[*next].isDone && *next != number && !run(*next))
        return false;
    return true;
  }

  /// When there is room for what `number` is the first to use; none if not yet.
  std::optional<int64_t> roomFor(int32_t number) {
    int64_t banks = needOf(number, Space::Psum);
    int64_t bytes = needOf(number, Space::Sbuf);
    if (banks > int64_t(bankFree.size()) || bytes > bytesLeft)
      return std::nullopt;
    bool isOldest = size_t(number) == oldest;
    State &state = states[number];
    if (isOldest || (!banks && bytes <= bytesLeft / 2)) // half is for all
      return banks ? bankFree[banks - 1] : 0;
    // As long as nothing ends, it stays so.
    if (state.unsafeAt == closed)
      return std::nullopt;
    if ((banks && !isSafe(number, Space::Psum)) ||
        (bytes > bytesLeft / 2 && !isSafe(number, Space::Sbuf))) {
      state.unsafeAt = closed;
      return std::nullopt;
    }
    return banks ? bankFree[banks - 1] : 0;
  }

  /// The task that `engine` can start first, if that is before `best`.
  void chooseFor(Engine engine, Choice &best) {
    Queue &queue = queues[static_cast<int>(engine)];
    while (!queue.coming.empty() &&
           queue.coming.top().first <= freeOf(engine)) {
      queue.arrived.insert(queue.coming.top().second);
      queue.coming.pop();
    }
    auto consider = [&](int32_t number) {
      const Task &task = tasks[number];
      Choice choice{number};
      while (task.ways[choice.way].engine != engine)
        ++choice.way;
      choice.start = startOf(number, wayOf(choice));
      int64_t end = endOf(number, wayOf(choice));
      for (const Task::Way &other : task.ways)
        if (endOf(number, other) < end)
          return false;
      if (!choice.isBefore(best))
        return false;
      std::optional<int64_t> room = roomFor(number);
      if (!room)
        return false;
      choice.start = std::max(choice.start, *room);
      if (choice.isBefore(best))
        best = choice;
      return choice.start <= freeOf(engine);
    };
    // One that starts at once is the best of its queue.
    constexpr int most = 16;
    int tried = 0;
    for (auto it = queue.arrived.begin();
         it != queue.arrived.end() && tried < most; ++tried) {
      if (states[*it].isDone) {
        it = queue.arrived.erase(it);
        continue;
      }
      if (consider(*it++))
        return;
    }
    while (!queue.coming.empty() && states[queue.coming.top().second].isDone)
      queue.coming.pop();
    if (!queue.coming.empty())
      consider(queue.coming.top().second);
  }

  Choice choose() {
    Choice best;
    for (int engine = 0; engine < numEngines; ++engine)
      chooseFor(static_cast<Engine>(engine), best);
    if (best.task < 0)
      best = {int32_t(oldest), 0,
              startOf(int32_t(oldest), tasks[oldest].ways.front())};
    return best;
  }

  void open(Buffer &buffer) {
    buffer.isOpen = true;
    if (buffer.room.space == Space::Sbuf) {
      bytesLeft -= buffer.room.size;
      openBytes += buffer.room.size;
      return;
    }
    auto taken = std::min(size_t(buffer.room.size), bankFree.size());
    bankFree.erase(bankFree.begin(), bankFree.begin() + ptrdiff_t(taken));
    openBanks += buffer.room.size;
  }

  void close(const Buffer &buffer) {
    ++closed;
    if (buffer.room.space == Space::Sbuf) {
      bytesLeft += buffer.room.size;
      openBytes -= buffer.room.size;
      return;
    }
    int64_t time = buffer.done + costs.semaphore;
    bankFree.insert(llvm::upper_bound(bankFree, time), buffer.room.size, time);
    openBanks -= buffer.room.size;
  }

  void execute(const Choice &choice) {
    const Task &task = tasks[choice.task];
    const Task::Way &way = wayOf(choice);
    bool isTransfer = way.engine == Engine::Load || way.engine == Engine::Store;
    int64_t end = choice.start + way.busy, done = choice.start + way.visible;
    freeOf(way.engine) = end;
    if (way.table)
      table = way.table;
    if (usesPort(task, way.engine))
      port = end;
    State &state = states[choice.task];
    state.isDone = true;
    for (int32_t at : task.buffers) {
      Buffer &buffer = buffers[at];
      if (!buffer.isOpen)
        open(buffer);
      buffer.done = std::max(buffer.done, done);
      if (--buffer.rest == 0)
        close(buffer);
    }
    for (Task::Edge edge : state.before) {
      State &next = states[edge.task];
      int64_t time = edge.isData || isTransfer ? done : end;
      // Its engine is not known if there are two.
      if (tasks[edge.task].ways.front().engine != way.engine)
        time += costs.semaphore;
      next.ready = std::max(next.ready, time);
      if (--next.waiting == 0)
        come(edge.task);
    }
  }

  llvm::ArrayRef<Task> tasks;
  const Costs &costs;
  bool portLocks;
  std::vector<State> states;           // by task
  std::vector<int32_t> inPsum, inSbuf; // tasks with buffers there
  std::vector<Buffer> buffers;
  std::vector<int64_t> bankFree; // when each free bank is, in order
  int64_t bytesLeft;
  int64_t openBanks = 0, openBytes = 0;
  std::array<Queue, numEngines> queues;
  std::array<int64_t, numEngines> free = {};
  int64_t port = 0, table = 0;
  bool isScalarBusier = false; // than VectorE
  size_t oldest = 0;           // that is not done
  int64_t closed = 0;          // buffers

  /// What a buffer would be.
  struct Trial {
    int64_t epoch = 0;
    int32_t rest = 0;
    bool isOpen = false;
  };
  std::vector<Trial> trials;
  int64_t epoch = 0;
};

} // namespace

std::vector<Scheduled> planning::listSchedule(llvm::ArrayRef<Task> tasks,
                                              llvm::ArrayRef<Room> buffers,
                                              Rooms rooms, const Costs &costs,
                                              bool portLocks) {
  return ListScheduler(tasks, buffers, rooms, costs, portLocks).run();
}
