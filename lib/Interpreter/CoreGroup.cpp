//===- CoreGroup.cpp - Cores that run together ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Interpreter/CoreGroup.h"

#include "trn/Support/Interrupt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

using namespace mlir::trn;

CoreGroup::~CoreGroup() = default;

std::string CoreGroup::describeMismatch(int64_t rank, const Meeting &own,
                                        int64_t other,
                                        const std::optional<Meeting> &meeting) {
  auto describe = [](const Meeting &meeting) {
    return meeting.what + " (" + meeting.where + ")";
  };
  return llvm::formatv("core {0} is at {1}, but core {2} {3}; all cores must "
                       "come to the same collectives",
                       rank, describe(own), other,
                       meeting ? "is at " + describe(*meeting) : "has ended");
}

namespace {

/// Where the cores of a process meet. A meeting has two halves: all have come,
/// then all have read what the others brought.
class Room {
public:
  explicit Room(int64_t size) : cores(size) {}

  std::optional<std::string>
  meet(int64_t rank, const CoreGroup::Meeting &meeting, const char *mine,
       llvm::function_ref<void(CoreGroup::Parts)> combine);
  void leave(int64_t rank);

private:
  struct Core {
    /// What it has come to; empty while it is under way.
    std::optional<CoreGroup::Meeting> meeting = std::nullopt;
    const char *bytes = nullptr;
    bool hasLeft = false;
  };

  bool haveAllCome() const {
    return llvm::all_of(
        cores, [](const Core &core) { return core.meeting.has_value(); });
  }
  bool haveSomeLeft() const {
    return llvm::any_of(cores, [](const Core &core) { return core.hasLeft; });
  }
  std::optional<std::string> findProblem(int64_t rank) const;

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Core> cores;
  /// Cores that have read, and meetings that are over.
  size_t numDone = 0, numMeetings = 0;
};

class RoomGroup : public CoreGroup {
public:
  using CoreGroup::describeMismatch;
  RoomGroup(std::shared_ptr<Room> room, int64_t rank, int64_t size)
      : CoreGroup(rank, size), room(std::move(room)) {}
  ~RoomGroup() override { room->leave(rank()); }

  std::optional<std::string>
  meet(const Meeting &meeting, const char *mine, int64_t,
       llvm::function_ref<void(Parts)> combine) override {
    return room->meet(rank(), meeting, mine, combine);
  }
  void leave() override { room->leave(rank()); }

private:
  std::shared_ptr<Room> room;
};

} // namespace

/// For a core that waits while all others have come, or some have left.
std::optional<std::string> Room::findProblem(int64_t rank) const {
  const CoreGroup::Meeting &own = *cores[rank].meeting;
  for (auto [other, core] : llvm::enumerate(cores)) {
    bool isUnderWay = !core.meeting && !core.hasLeft;
    if (!isUnderWay && !(core.meeting && core.meeting->what == own.what))
      return RoomGroup::describeMismatch(rank, own, other, core.meeting);
  }
  return std::nullopt;
}

std::optional<std::string>
Room::meet(int64_t rank, const CoreGroup::Meeting &meeting, const char *mine,
           llvm::function_ref<void(CoreGroup::Parts)> combine) {
  // Interrupts tell no condition.
  constexpr std::chrono::milliseconds patience(100);
  auto wait = [&](std::unique_lock<std::mutex> &lock, auto isOver) {
    while (!isOver() && !isInterrupted())
      changed.wait_for(lock, patience);
  };

  std::unique_lock<std::mutex> lock(mutex);
  cores[rank].meeting = meeting;
  cores[rank].bytes = mine;
  changed.notify_all();
  const size_t number = numMeetings;
  wait(lock, [&] { return haveAllCome() || haveSomeLeft(); });
  if (isInterrupted())
    return "interrupted";
  if (std::optional<std::string> problem = findProblem(rank))
    return problem;
  auto parts =
      llvm::map_to_vector(cores, [](const Core &core) { return core.bytes; });
  lock.unlock();
  combine(parts);
  lock.lock();
  if (++numDone == cores.size()) {
    numDone = 0;
    ++numMeetings;
    for (Core &core : cores)
      core.meeting = std::nullopt;
    changed.notify_all();
  }
  wait(lock, [&] { return numMeetings != number; });
  return std::nullopt;
}

void Room::leave(int64_t rank) {
  std::lock_guard<std::mutex> lock(mutex);
  cores[rank].hasLeft = true;
  changed.notify_all();
}

std::vector<std::unique_ptr<CoreGroup>> mlir::trn::makeCoreGroup(int64_t size) {
  auto room = std::make_shared<Room>(size);
  std::vector<std::unique_ptr<CoreGroup>> cores;
  for (int64_t rank = 0; rank < size; ++rank)
    cores.push_back(std::make_unique<RoomGroup>(room, rank, size));
  return cores;
}
