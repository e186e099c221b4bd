//===- Meetings.cpp - Whether cores meet ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/Meetings.h"

#include "trn/Program/PrintProgram.h"
#include "trn/Program/Walker.h"

using namespace mlir::trn;

/// Advances to the next meeting; -1 at the end.
static int32_t findMeeting(const Program &program, Walker &walker) {
  while (const Step *step = walker.next())
    if (step->kind == Step::Kind::Execute &&
        isMeeting(program.instructions[step->index].semantics))
      return step->index;
  return -1;
}

/// `argument 2`, or its name.
static std::string describe(const Buffer &buffer, bool byName) {
  if (byName && !buffer.matrix.empty())
    return buffer.matrix;
  if (buffer.argument >= 0)
    return "argument " + std::to_string(buffer.argument);
  return buffer.shared >= 0 ? "shared scratch " + std::to_string(buffer.shared)
                            : "scratch of its own";
}

/// `core_barrier of argument 2`, `send_receive of 128x512 f32 through pipe 0`:
/// what must be the same for both cores, but for the names of buffers.
static std::string describe(const Program &program, const Instruction &meeting,
                            bool byName) {
  const Access &access = meeting.reads.front();
  if (meeting.semantics == Semantics::Barrier)
    return "core_barrier of " +
           describe(program.buffers[access.buffer], byName);
  std::string sizes;
  for (const Access::Dim &dim : access.dims)
    sizes += (sizes.empty() ? "" : "x") + std::to_string(dim.size);
  return "send_receive of " + sizes + " " + stringify(access.type).str() +
         " through pipe " +
         std::to_string(meeting.collective ? meeting.collective->pipe : 0);
}

std::optional<MissedMeeting> mlir::trn::compareMeetings(const Program &program,
                                                        int32_t meeting,
                                                        const Program &other,
                                                        int32_t otherMeeting) {
  if (meeting < 0 && otherMeeting < 0)
    return std::nullopt;
  if (meeting < 0) {
    std::optional<MissedMeeting> missed =
        compareMeetings(other, otherMeeting, program, meeting);
    missed->core = 1;
    return missed;
  }
  // cores_c4
  const Instruction &own = program.instructions[meeting];
  std::string text = describe(program, own, /*byName=*/true);
  if (otherMeeting < 0)
    return MissedMeeting{0, own.op, /*otherOp=*/0,
                         "waits for ever: the other core has ended without a " +
                             text,
                         "what the other core runs"};
  const Instruction &theirs = other.instructions[otherMeeting];
  if (describe(program, own, /*byName=*/false) ==
      describe(other, theirs, /*byName=*/false))
    return std::nullopt;
  return MissedMeeting{0, own.op, theirs.op,
                       "is a " + text + ", but the other core is at a " +
                           describe(other, theirs, /*byName=*/true) +
                           "; both come to the same meetings in one order",
                       "the other core is here"};
}

std::optional<MissedMeeting> mlir::trn::checkMeetings(const Program &program) {
  if (program.others.empty())
    return std::nullopt;
  const Program &other = program.others.front();
  Walker own(program), theirs(other);
  while (true) {
    int32_t meeting = findMeeting(program, own);
    int32_t otherMeeting = findMeeting(other, theirs);
    std::optional<MissedMeeting> missed =
        compareMeetings(program, meeting, other, otherMeeting);
    if (missed || meeting < 0)
      return missed;
  }
}
