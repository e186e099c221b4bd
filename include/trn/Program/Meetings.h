//===- Meetings.h - Whether cores meet --------------------------*- C++ -*-===//
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

/// Where one core of a logical one waits for ever: it is at `op` of its own,
/// while the other is at `otherOp` of its own, the kernel itself where that has
/// ended.
struct MissedMeeting {
  int64_t core;
  int32_t op, otherOp;
  std::string message, note;
};

/// The meetings that two programs of a logical core have come to, as indices of
/// instructions; -1 for one that has ended. Nothing if they meet.
/// - `cores_c4`: the cores of a logical one come to the same barriers and
///   exchanges, in the same order
std::optional<MissedMeeting> compareMeetings(const Program &program,
                                             int32_t meeting,
                                             const Program &other,
                                             int32_t otherMeeting);

/// The first place of a run where the cores of `program` do not meet.
std::optional<MissedMeeting> checkMeetings(const Program &program);

} // namespace mlir::trn

#endif // TRN_PROGRAM_MEETINGS_H
