//===- Repetition.cpp - Calls that repeat in a launch ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/Repetition.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mlir::trn;

/// No round of more calls is looked for.
static constexpr size_t maxPeriod = 256;

namespace {

/// A use of memory: by which call, and which of its buffers.
struct Mention {
  size_t call, buffer;
  bool isWritten;
};

/// Follows the memory of calls, one after the other.
class MemoryTracker {
public:
  /// The latest use of the memory of `buffer` in a call before the one at hand,
  /// or in that one; null if there is none.
  const Mention *find(const LaunchCall &call, const Buffer &buffer) const;
  /// The next call. Returns what it does: equal ones let calls that have it do
  /// the same to memory that the calls before them used in the same way.
  std::vector<size_t> add(const LaunchCall &call);

private:
  const std::vector<bool> &findWritten(const Program &program);

  size_t count = 0;
  llvm::DenseMap<uintptr_t, Mention> latest;
  llvm::DenseMap<const Program *, std::vector<bool>> written;
};

} // namespace

const std::vector<bool> &MemoryTracker::findWritten(const Program &program) {
  auto [known, isNew] = written.try_emplace(&program);
  if (!isNew)
    return known->second;
  known->second.resize(program.buffers.size());
  for (const Instruction &instruction : program.instructions)
    for (const Access &write : instruction.writes)
      known->second[write.buffer] = true;
  return known->second;
}

const Mention *MemoryTracker::find(const LaunchCall &call,
                                   const Buffer &buffer) const {
  std::optional<uintptr_t> memory = findMemory(call.arguments, buffer);
  auto found = memory ? latest.find(*memory) : latest.end();
  return found == latest.end() ? nullptr : &found->second;
}

std::vector<size_t> MemoryTracker::add(const LaunchCall &call) {
  const std::vector<Buffer> &buffers = call.program->buffers;
  std::vector<size_t> told = {reinterpret_cast<uintptr_t>(call.program)};
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    std::optional<uintptr_t> memory = findMemory(call.arguments, buffer);
    if (!memory)
      continue;
    auto [known, isNew] =
        latest.try_emplace(*memory, Mention{count, index, false});
    Mention &mention = known->second;
    told.push_back(isNew ? size_t(-1) : count - mention.call);
    told.push_back(mention.buffer);
    told.push_back(mention.isWritten);
    told.push_back(findOffset(call.offsets, buffer));
    mention.call = count;
    mention.buffer = index;
  }
  // What is written is so for later calls.
  const std::vector<bool> &isWritten = findWritten(*call.program);
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (std::optional<uintptr_t> memory = findMemory(call.arguments, buffer))
      latest.find(*memory)->second.isWritten |= isWritten[index];
  ++count;
  return told;
}

static std::vector<std::vector<size_t>>
tellAll(llvm::ArrayRef<LaunchCall> calls) {
  MemoryTracker tracker;
  std::vector<std::vector<size_t>> told;
  for (const LaunchCall &call : calls)
    told.push_back(tracker.add(call));
  return told;
}

/// The longest stretch that repeats; of several, that of the shortest round.
static std::optional<Repetition> findLongest(llvm::ArrayRef<size_t> names) {
  std::optional<Repetition> best;
  size_t most = 0;
  for (size_t period = 1; period <= std::min(maxPeriod, names.size() / 2);
       ++period)
    for (size_t first = 0, end = 0; first + period < names.size();
         first = end + 1) {
      for (end = first;
           end + period < names.size() && names[end] == names[end + period];)
        ++end;
      if (end - first < period || end + period - first <= most)
        continue;
      most = end + period - first;
      best = Repetition{
          first,       end + period,   period % 2 ? 2 * period : period,
          /*reach=*/0, /*distance=*/0, /*round=*/period};
    }
  return best;
}

namespace {
/// The first and the last call that uses memory.
struct Life {
  size_t first, last;
};
} // namespace

static std::vector<Life> findLives(llvm::ArrayRef<LaunchCall> calls) {
  std::vector<Life> lives;
  llvm::DenseMap<uintptr_t, size_t> known;
  for (auto [index, call] : llvm::enumerate(calls))
    for (const Buffer &buffer : call.program->buffers)
      if (std::optional<uintptr_t> memory =
              findMemory(call.arguments, buffer)) {
        auto [it, isNew] = known.try_emplace(*memory, lives.size());
        if (isNew)
          lives.push_back({index, index});
        lives[it->second].last = index;
      }
  return lives;
}

std::optional<Repetition>
mlir::trn::findRepetition(llvm::ArrayRef<LaunchCall> calls) {
  std::vector<std::vector<size_t>> told = tellAll(calls);
  std::map<std::vector<size_t>, size_t> known;
  std::vector<size_t> names;
  for (const std::vector<size_t> &each : told)
    names.push_back(known.try_emplace(each, known.size()).first->second);
  std::optional<Repetition> found = findLongest(names);
  if (!found)
    return std::nullopt;
  for (size_t call = found->first; call < calls.size(); ++call)
    for (size_t i = 1; i < told[call].size(); i += 4)
      if (told[call][i] != size_t(-1))
        found->distance = std::max(found->distance, told[call][i]);
  // What is before uses its memory otherwise. No call is before the first one.
  found->first += std::max<size_t>(found->distance, 1);
  if (found->first >= found->end)
    return std::nullopt;
  for (const Life &life : findLives(calls))
    if (life.first >= found->first && life.first < found->end)
      found->reach =
          std::max(found->reach, std::min(life.last, found->end) - life.first);
  return found;
}

std::optional<OwnedCalls> mlir::trn::dropCalls(llvm::ArrayRef<LaunchCall> calls,
                                               size_t first, size_t count) {
  const size_t resumed = first + count;
  OwnedCalls kept;
  MemoryTracker tracker;
  llvm::DenseMap<uintptr_t, uintptr_t> renamed;
  for (auto [index, call] : llvm::enumerate(calls)) {
    std::vector<uintptr_t> arguments(call.arguments);
    if (index >= resumed)
      for (const Buffer &buffer : call.program->buffers) {
        const Mention *mention = tracker.find(call, buffer);
        if (!mention)
          continue;
        uintptr_t &memory = arguments[buffer.argument];
        if (mention->call >= resumed) {
          auto known = renamed.find(memory);
          memory = known == renamed.end() ? memory : known->second;
          continue;
        }
        // Its like used it as many calls ago.
        if (mention->call < count)
          return std::nullopt;
        const LaunchCall &like = kept.calls[mention->call - count];
        std::optional<uintptr_t> other =
            findMemory(like.arguments, like.program->buffers[mention->buffer]);
        if (!other)
          return std::nullopt;
        renamed[memory] = *other;
        memory = *other;
      }
    tracker.add(call);
    if (index >= first && index < resumed)
      continue;
    kept.arguments.push_back(std::move(arguments));
    kept.calls.push_back({call.program, kept.arguments.back(), call.offsets});
  }
  std::vector<std::vector<size_t>> all = tellAll(calls),
                                   fewer = tellAll(kept.calls);
  all.erase(all.begin() + first, all.begin() + resumed);
  if (all != fewer)
    return std::nullopt;
  return kept;
}

namespace {
/// Writes down calls that use memory as others do.
class CallCopier {
public:
  CallCopier(llvm::ArrayRef<LaunchCall> calls, size_t at, size_t added);

  /// Adds a call like `like` that uses what those before it used as many calls
  /// ago as that one did, but memory from before `first` as that one did.
  /// Whether there is such a call.
  bool add(size_t like, size_t first);

  RepeatedCalls copied;

private:
  std::optional<uintptr_t> findSource(const Mention &mention, size_t like,
                                      size_t first) const;

  llvm::ArrayRef<LaunchCall> calls;
  size_t at, added;
  /// By call and buffer: the latest use of its memory before.
  std::vector<std::vector<std::optional<Mention>>> sources;
  uintptr_t lastMemory = 0;
};
} // namespace

CallCopier::CallCopier(llvm::ArrayRef<LaunchCall> calls, size_t at,
                       size_t added)
    : calls(calls), at(at), added(added) {
  MemoryTracker tracker;
  for (const LaunchCall &call : calls) {
    std::vector<std::optional<Mention>> &own = sources.emplace_back();
    for (const Buffer &buffer : call.program->buffers) {
      const Mention *mention = tracker.find(call, buffer);
      own.push_back(mention ? std::optional(*mention) : std::nullopt);
    }
    tracker.add(call);
    for (uintptr_t memory : call.arguments)
      lastMemory = std::max(lastMemory, memory);
  }
}

std::optional<uintptr_t> CallCopier::findSource(const Mention &mention,
                                                size_t like,
                                                size_t first) const {
  const size_t number = copied.calls.size(), ago = like - mention.call;
  const bool isOld = mention.call < first && number >= at + added;
  if (!isOld && ago > number)
    return std::nullopt;
  const LaunchCall &source = copied.calls[isOld ? mention.call : number - ago];
  if (source.program != calls[mention.call].program)
    return std::nullopt;
  return findMemory(source.arguments, source.program->buffers[mention.buffer]);
}

bool CallCopier::add(size_t like, size_t first) {
  const LaunchCall &call = calls[like];
  const size_t number = copied.calls.size();
  const bool isMore = number >= at && number < at + added;
  std::vector<uintptr_t> arguments(call.arguments);
  llvm::DenseMap<uintptr_t, uintptr_t> renamed;
  for (auto [buffer, source] :
       llvm::zip_equal(call.program->buffers, sources[like])) {
    if (number < at || !findMemory(call.arguments, buffer))
      continue;
    uintptr_t &memory = arguments[buffer.argument];
    auto [known, isNew] = renamed.try_emplace(memory, memory);
    if (isNew && source) {
      std::optional<uintptr_t> found = findSource(*source, like, first);
      if (!found)
        return false;
      known->second = *found;
    } else if (isNew && isMore) {
      known->second = ++lastMemory;
    }
    memory = known->second;
  }
  copied.arguments.push_back(std::move(arguments));
  copied.calls.push_back({call.program, copied.arguments.back(), call.offsets});
  copied.like.push_back(like);
  return true;
}

std::optional<RepeatedCalls>
mlir::trn::addRounds(llvm::ArrayRef<LaunchCall> calls,
                     const Repetition &repetition, size_t rounds) {
  const size_t at = repetition.end, round = repetition.round,
               added = rounds * round;
  if (at < repetition.first + round)
    return std::nullopt;
  CallCopier copier(calls, at, added);
  for (size_t number = 0; number < calls.size() + added; ++number) {
    size_t like = number < at           ? number
                  : number < at + added ? at - round + (number - at) % round
                                        : number - added;
    if (!copier.add(like, repetition.first))
      return std::nullopt;
  }
  // All of them do what their like does.
  std::vector<std::vector<size_t>> told = tellAll(calls),
                                   all = tellAll(copier.copied.calls);
  for (size_t number = 0; number < at + added; ++number)
    if (all[number] != told[copier.copied.like[number]])
      return std::nullopt;
  return std::move(copier.copied);
}
