//===- JoinCalls.cpp - Kernels that run as one program --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SbufPlacer.h"
#include "trn/Program/Launch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir::trn;

std::optional<uintptr_t>
mlir::trn::findMemory(llvm::ArrayRef<uintptr_t> arguments,
                      const Buffer &buffer) {
  size_t position = buffer.argument;
  if (buffer.argument < 0 || position >= arguments.size())
    return std::nullopt;
  return arguments[position];
}

int64_t mlir::trn::findOffset(llvm::ArrayRef<int64_t> offsets,
                              const Buffer &buffer) {
  size_t position = buffer.argument;
  if (buffer.argument < 0 || position >= offsets.size())
    return 0;
  return offsets[position];
}

size_t mlir::trn::countJoinable(llvm::ArrayRef<LaunchCall> calls) {
  struct Known {
    ElementType type;
    bool isWritten, hasUnknown, isUnclear;
  };
  llvm::DenseMap<uintptr_t, Known> known;
  for (auto [index, call] : llvm::enumerate(calls)) {
    // The cores of a logical one meet nobody else.
    if (!call.program->others.empty() && calls.size() > 1)
      return std::max<size_t>(index, 1);
    for (const Buffer &buffer : call.program->buffers) {
      std::optional<uintptr_t> memory = findMemory(call.arguments, buffer);
      if (!memory)
        continue;
      const bool isUnknown = findOffset(call.offsets, buffer) == unknownOffset;
      auto [it, isNew] = known.try_emplace(
          *memory, Known{buffer.type, buffer.result, isUnknown, false});
      Known &seen = it->second;
      if (isNew)
        continue;
      seen.hasUnknown |= isUnknown;
      seen.isUnclear |= seen.hasUnknown || buffer.type != seen.type;
      seen.isWritten |= buffer.result;
      if (seen.isUnclear && seen.isWritten)
        return std::max<size_t>(index, 1);
    }
  }
  return calls.size();
}

size_t Launch::findPart(int32_t instruction) const {
  auto next = llvm::upper_bound(
      parts, instruction, [](int32_t instruction, const LaunchPart &part) {
        return instruction < part.firstInstruction;
      });
  return next - parts.begin() - 1;
}

std::vector<int32_t> Launch::begins() const {
  std::vector<int32_t> begins;
  for (const LaunchPart &part : parts)
    begins.push_back(part.firstInstruction);
  return begins;
}

namespace {
class Joiner {
public:
  explicit Joiner(const Machine &machine) : placer(machine) {}

  void add(const LaunchCall &call);

  Launch launch;

private:
  int32_t addBuffer(const LaunchCall &call, int32_t index);
  void addSteps(const Program &program, const LaunchPart &part);
  bool waitsForCalls(const Instruction &load) const;
  void move(Instruction &instruction, const LaunchPart &part) const;
  void move(LinearExpr &expr) const;

  SbufPlacer placer;
  /// Of the call at hand.
  SbufPlace place;
  /// By buffer of the launch: whether a call before the one at hand writes it.
  std::vector<bool> isWritten;
  /// By memory and the type of its elements: the buffer.
  llvm::DenseMap<std::pair<uintptr_t, int64_t>, int32_t> shared;
  /// What the launch has of these before the call at hand.
  int32_t firstOp = 0, firstLoop = 0;
  /// By buffer of the call at hand: the byte of its memory at which it begins.
  llvm::SmallVector<int64_t> begins;
  int32_t numArguments = 0;
};
} // namespace

int32_t Joiner::addBuffer(const LaunchCall &call, int32_t index) {
  const Buffer &buffer = call.program->buffers[index];
  int32_t added = launch.program.buffers.size();
  const int64_t end = begins[index] + buffer.bytes;
  if (std::optional<uintptr_t> memory = findMemory(call.arguments, buffer)) {
    auto [known, isNew] =
        shared.try_emplace({*memory, int64_t(buffer.type)}, added);
    if (!isNew) {
      int64_t &bytes = launch.program.buffers[known->second].bytes;
      bytes = std::max(bytes, end);
      return known->second;
    }
  }
  Buffer copy = buffer;
  copy.bytes = end;
  copy.op += firstOp;
  if (buffer.argument >= 0)
    copy.argument = numArguments++;
  if (copy.space == Space::Sbuf)
    copy.offset = place.offsetOf(buffer);
  launch.program.buffers.push_back(std::move(copy));
  launch.origins.push_back({int32_t(launch.parts.size()), index});
  return added;
}

void Joiner::move(LinearExpr &expr) const {
  for (LinearExpr::Term &term : expr.terms)
    term.loop += firstLoop;
}

void Joiner::move(Instruction &instruction, const LaunchPart &part) const {
  instruction.op += firstOp;
  auto moveAccess = [&](Access &access) {
    move(access.partition);
    move(access.offset);
    access.offset += begins[access.buffer] / byteSize(access.type);
    access.buffer = part.buffers[access.buffer];
  };
  llvm::for_each(instruction.reads, moveAccess);
  llvm::for_each(instruction.writes, moveAccess);
  if (instruction.accumulate)
    move(instruction.accumulate->expr);
}

void Joiner::addSteps(const Program &program, const LaunchPart &part) {
  Program &joined = launch.program;
  int32_t firstStep = joined.steps.size();
  int64_t depth = 0;
  for (Step step : program.steps) {
    step.op += firstOp;
    depth += int64_t(step.kind == Step::Kind::BeginLoop) -
             int64_t(step.kind == Step::Kind::EndLoop);
    if (step.kind == Step::Kind::Execute) {
      step.index += part.firstInstruction;
      // Queues are in order: weights need not wait for what comes this late.
      Instruction &instruction = joined.instructions[step.index];
      if (depth == 0 && waitsForCalls(instruction))
        instruction.engine = Engine::Store;
    } else if (step.kind == Step::Kind::BeginLoop ||
               step.kind == Step::Kind::EndLoop)
      step.index += firstLoop;
    else
      step.index = part.buffers[step.index];
    joined.steps.push_back(step);
  }
  for (Loop loop : program.loops) {
    loop.end += firstStep;
    joined.loops.push_back(loop);
  }
  for (int32_t begin : program.loopBegins)
    joined.loopBegins.push_back(begin + firstStep);
}

/// Whether it reads what a call before it writes.
bool Joiner::waitsForCalls(const Instruction &load) const {
  return load.engine == Engine::Load &&
         llvm::any_of(load.reads, [&](const Access &read) {
           return size_t(read.buffer) < isWritten.size() &&
                  isWritten[read.buffer];
         });
}

void Joiner::add(const LaunchCall &call) {
  const Program &program = *call.program;
  Program &joined = launch.program;
  if (joined.name.empty())
    joined.name = program.name;
  firstOp = joined.ops.size();
  firstLoop = joined.loops.size();
  LaunchPart part{&program, int32_t(joined.instructions.size()), {}};
  const SbufPlacer::Cells ages = placer.ages();
  launch.sbufAges.emplace_back(ages.begin(), ages.end());
  place = placer.add(program);
  // Nobody waits for a part that nobody knows.
  begins = llvm::map_to_vector(program.buffers, [&](const Buffer &buffer) {
    return std::max<int64_t>(findOffset(call.offsets, buffer), 0);
  });
  for (size_t i = 0; i < program.buffers.size(); ++i)
    part.buffers.push_back(addBuffer(call, i));
  joined.ops.insert(joined.ops.end(), program.ops.begin(), program.ops.end());
  for (Instruction instruction : program.instructions) {
    move(instruction, part);
    joined.instructions.push_back(std::move(instruction));
  }
  addSteps(program, part);
  isWritten.resize(joined.buffers.size());
  for (const Instruction &instruction :
       llvm::ArrayRef(joined.instructions).drop_front(part.firstInstruction))
    for (const Access &write : instruction.writes)
      isWritten[write.buffer] = true;
  launch.parts.push_back(std::move(part));
}

Launch mlir::trn::joinCalls(llvm::ArrayRef<LaunchCall> calls,
                            const Machine &machine) {
  Joiner joiner(machine);
  for (const LaunchCall &call : calls)
    joiner.add(call);
  // One call that is alone is as its program is.
  if (calls.size() == 1)
    joiner.launch.program.others = calls.front().program->others;
  return std::move(joiner.launch);
}
