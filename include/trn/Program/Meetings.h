//===- Meetings.h - Barriers and exchanges of cores -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_MEETINGS_H
#define TRN_PROGRAM_MEETINGS_H

#include "trn/Program/Program.h"
#include <optional>

namespace mlir::trn {

/// A core of a logical core that waits for ever at `op`, while the other is at
/// its `otherOp`. The latter is the kernel itself if that core has ended.
struct MissedMeeting {
  int64_t core;
  int32_t op, otherOp;
  std::string message, note;
};

/// Compares the meetings, by index of instruction, that two programs of a
/// logical core have reached; -1: it has ended. None if they match.
/// - `cores_c4`: the cores of a logical one come to the same barriers and
///   exchanges, in the same order
std::optional<MissedMeeting> compareMeetings(const Program &program,
                                             int32_t meeting,
                                             const Program &other,
                                             int32_t otherMeeting);

/// The first point of a run at which cores of `program` do not meet.
std::optional<MissedMeeting> checkMeetings(const Program &program);

} // namespace mlir::trn

#endif // TRN_PROGRAM_MEETINGS_H
