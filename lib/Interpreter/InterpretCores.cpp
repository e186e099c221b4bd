//===- InterpretCores.cpp - Runs the cores of a logical one ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cores take turns, from meeting to meeting. What one of them may see of the
// other in between is nothing: so the order of turns does not matter, and what
// it would matter for is a fault.
//
//===----------------------------------------------------------------------===//

#include "CoreInterpreter.h"

#include "trn/Program/Meetings.h"
#include "trn/Support/SingleThreadedCalls.h"

#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace mlir::trn;
using llvm::ArrayRef;

/// More find nothing to do: few tasks are ready at a time.
static constexpr unsigned maxThreads = 64;

//===----------------------------------------------------------------------===//
// What a core does where it meets the other
//===----------------------------------------------------------------------===//

std::optional<Fault> CoreInterpreter::wait(const PreparedInstruction &prepared,
                                           LocatedOperands &operands) {
  // What others see or take must be there. A barrier accesses nothing, but its
  // tensor must be one.
  if (prepared.source->semantics == Semantics::Barrier)
    for (auto [index, operand] : llvm::enumerate(prepared.operands))
      if (std::optional<Fault> fault = memory.locate(
              operand, walker.counters(), walker.slot(operand.access->buffer),
              "waits for", operands.located[index]))
        return fault;
  waiting = Waiting{&prepared, operands.located};
  return std::nullopt;
}

/// Calls `visit` with the address of each element of an operand, row by row.
template <typename Visit>
static void forEachElement(ArrayRef<ElementNest::Level> levels, size_t operand,
                           char *first, Visit visit) {
  if (levels.empty())
    return visit(first);
  for (int64_t i = 0; i < levels.front().size; ++i)
    forEachElement(levels.drop_front(), operand,
                   first + i * levels.front().strides[operand], visit);
}

CoreInterpreter::Sent CoreInterpreter::pack() const {
  const PreparedInstruction &exchange = *waiting->prepared;
  const Access &read = exchange.source->reads.front();
  const int64_t size = byteSize(read.type);
  Sent sent;
  bool hasHoles =
      memory.findHole(exchange.operands[0], waiting->located[0]).has_value();
  forEachElement(ArrayRef(exchange.nest.levels), /*operand=*/0,
                 waiting->located[0].pointer, [&](const char *from) {
                   sent.bytes.insert(sent.bytes.end(), from, from + size);
                   if (hasHoles)
                     sent.holes.push_back(!memory.isWritten(from, size));
                 });
  return sent;
}

void CoreInterpreter::unpack(const Sent &sent) {
  const PreparedInstruction &exchange = *waiting->prepared;
  const int64_t size = byteSize(exchange.source->writes.front().type);
  size_t index = 0;
  forEachElement(ArrayRef(exchange.nest.levels), /*operand=*/1,
                 waiting->located[1].pointer, [&](char *to) {
                   std::memcpy(to, sent.bytes.data() + index * size, size);
                   if (!sent.holes.empty() && sent.holes[index])
                     memory.forget(to, size);
                   ++index;
                 });
}

/// The latest instruction among the first `steps` steps that writes, or else
/// reads, `byte` of `buffer` in HBM.
static int32_t findAccess(const Program &program,
                          ArrayRef<PreparedInstruction> prepared,
                          uint64_t steps, int32_t buffer, int64_t byte,
                          bool isWrite) {
  int32_t found = 0;
  Walker walker(program);
  for (const Step *step; steps > 0 && (step = walker.next()); --steps) {
    if (step->kind != Step::Kind::Execute)
      continue;
    const PreparedInstruction &at = prepared[step->index];
    if (isMeeting(at.source->semantics))
      continue;
    for (auto [index, operand] : llvm::enumerate(at.operands)) {
      if (operand.access->buffer != buffer ||
          (index >= at.source->reads.size()) != isWrite)
        continue;
      int64_t start = operand.access->offset.evaluate(walker.counters()) *
                      byteSize(operand.access->type);
      if (operand.forEachRun([&](int64_t lo, int64_t hi) {
            return start + lo <= byte && byte < start + hi;
          }))
        found = at.source->op;
    }
  }
  return found;
}

std::optional<Fault> CoreInterpreter::joinBuffer(int32_t buffer,
                                                 CoreInterpreter &other,
                                                 int32_t otherBuffer) {
  SharedAccesses::Maps *own = memory.shared.find(buffer),
                       *theirs = other.memory.shared.find(otherBuffer);
  if (!own || !theirs)
    return std::nullopt;
  const Buffer &memoryOfBoth = program.buffers[buffer];
  if (std::optional<int64_t> byte =
          findRace(*own, *theirs, memoryOfBoth.bytes)) {
    auto writes = [&](const SharedAccesses::Maps &maps) {
      return !maps.written.findHole(0, 1, *byte, *byte + 2);
    };
    bool isWrite = writes(*own), isOtherWrite = writes(*theirs);
    int32_t op = findAccess(program, prepared, steps, buffer, *byte, isWrite);
    int32_t otherOp = findAccess(other.program, other.prepared, other.steps,
                                 otherBuffer, *byte, isOtherWrite);
    // cores_c5
    Fault fault{"cores_c5",
                op,
                std::string(isWrite ? "writes" : "reads") + " element " +
                    std::to_string(*byte / byteSize(memoryOfBoth.type)) +
                    " of what both cores share, and the other core " +
                    (!isOtherWrite ? "reads it"
                     : isWrite     ? "writes another value there"
                                   : "writes it") +
                    ", without a core_barrier of it in between",
                {{memoryOfBoth.op, "this memory"}}};
    fault.elsewhere = {otherOp, "the other core does so here"};
    return fault;
  }
  memory.addWritten(buffer, other.memory, otherBuffer);
  other.memory.addWritten(otherBuffer, memory, buffer);
  own->clear();
  theirs->clear();
  return std::nullopt;
}

std::optional<Fault> CoreInterpreter::joinShared(CoreInterpreter &other) {
  if (waiting)
    return joinBuffer(waiting->prepared->source->writes.front().buffer, other,
                      other.waiting->prepared->source->writes.front().buffer);
  for (auto [index, buffer] : llvm::enumerate(program.buffers))
    for (auto [otherIndex, theirs] : llvm::enumerate(other.program.buffers))
      if (isSameMemory(buffer, theirs))
        if (std::optional<Fault> fault = joinBuffer(index, other, otherIndex))
          return fault;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Both cores
//===----------------------------------------------------------------------===//

/// At a meeting of both.
static std::optional<Fault> meet(const Program &program, CoreInterpreter &own,
                                 CoreInterpreter &other) {
  if (std::optional<MissedMeeting> missed =
          compareMeetings(program, own.getMeeting(), program.others.front(),
                          other.getMeeting())) {
    Fault fault{"cores_c4", missed->op, missed->message, {}};
    fault.core = missed->core;
    fault.elsewhere = {missed->otherOp, missed->note};
    return fault;
  }
  if (own.getMeeting() < 0 ||
      program.instructions[own.getMeeting()].semantics == Semantics::Barrier)
    return own.joinShared(other);
  CoreInterpreter::Sent sent = own.pack();
  own.unpack(other.pack());
  other.unpack(sent);
  return std::nullopt;
}

static std::optional<Fault> interpretCores(const Program &program,
                                           const Machine &machine,
                                           ArrayRef<void *> arguments,
                                           unsigned threads,
                                           const InterpreterOptions &options) {
  InterpreterOptions others = options;
  others.progress = {};
  others.snapshots = {};
  CoreInterpreter own(program, machine, threads, options);
  CoreInterpreter other(program.others.front(), machine, threads, others);
  auto ofOther = [](std::optional<Fault> fault) {
    if (fault)
      fault->core = 1;
    return fault;
  };
  if (std::optional<Fault> fault = own.start(arguments, &own))
    return fault;
  if (std::optional<Fault> fault = ofOther(other.start(arguments, &own)))
    return fault;
  do {
    if (std::optional<Fault> fault = own.advance())
      return fault;
    if (std::optional<Fault> fault = ofOther(other.advance()))
      return fault;
    std::optional<Fault> fault = meet(program, own, other);
    if (!fault)
      continue;
    if (fault->rule != options.ignoredRule)
      return fault;
    if (fault->rule == "cores_c4") // they meet no more
      break;
  } while (own.getMeeting() >= 0);
  return own.finish();
}

std::optional<Fault> mlir::trn::interpret(const Program &program,
                                          const Machine &machine,
                                          ArrayRef<void *> arguments,
                                          const InterpreterOptions &options) {
  unsigned threads = options.threads;
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, maxThreads);
  SingleThreadedCalls singleThreaded;
  if (!program.others.empty())
    return interpretCores(program, machine, arguments, threads, options);
  CoreInterpreter core(program, machine, threads, options);
  if (std::optional<Fault> fault = core.start(arguments))
    return fault;
  do {
    if (std::optional<Fault> fault = core.advance())
      return fault;
    // cores_c4
    if (int32_t meeting = core.getMeeting();
        meeting >= 0 && options.ignoredRule != "cores_c4")
      return Fault{"cores_c4",
                   program.instructions[meeting].op,
                   "waits for ever: the kernel runs on one core",
                   {}};
  } while (core.getMeeting() >= 0);
  return core.finish();
}
