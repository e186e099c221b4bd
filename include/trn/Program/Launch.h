//===- Launch.h - Kernels that run as one program ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels between which the host does nothing are handed to the device
// together. docs/Launches.md explains what that changes.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_LAUNCH_H
#define TRN_PROGRAM_LAUNCH_H

#include "trn/Program/Program.h"

namespace mlir::trn {

struct Machine;

/// One call of a kernel in a launch. What it points to must outlive the launch.
struct LaunchCall {
  const Program *program;
  /// What tells the memory of one argument from another's, by argument
  /// position. Empty: it shares none.
  llvm::ArrayRef<uintptr_t> arguments = {};
};

/// What belongs to one call.
struct LaunchPart {
  const Program *program;
  /// Where the launch has its instructions, as many as its program has.
  int32_t firstInstruction;
  /// By buffer of its program: the buffer of the launch.
  std::vector<int32_t> buffers;
};

struct Launch {
  /// All calls, one behind the other.
  Program program;
  std::vector<LaunchPart> parts;
  /// By buffer of `program`: the part that it belongs to first, and which one
  /// it is there.
  struct Origin {
    int32_t part, buffer;
  };
  std::vector<Origin> origins;

  /// The part of an instruction.
  size_t findPart(int32_t instruction) const;
  /// Where the parts begin, by instruction.
  std::vector<int32_t> begins() const;
};

/// What tells the memory of an argument from others' in a call that is given
/// `arguments`; none if `buffer` is no argument, or shares its memory with
/// none.
std::optional<uintptr_t> findMemory(llvm::ArrayRef<uintptr_t> arguments,
                                    const Buffer &buffer);

/// How many of `calls`, one at least, a launch can begin with. A call has to
/// stay out that is given other bytes of memory of which a call before it was
/// given some, if either writes them: nobody would see that they are the same.
size_t countJoinable(llvm::ArrayRef<LaunchCall> calls);

/// Makes one program of `calls`, which must be joinable. What is the same
/// memory becomes one buffer; arguments are numbered in the order in which
/// calls name them first. Calls take turns at both ends of SBUF, so that one
/// can begin while the one before it still uses its own. In front of its loops,
/// a call fetches what others computed with the queue that stored it, which
/// lets its weights come before.
Launch joinCalls(llvm::ArrayRef<LaunchCall> calls, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_PROGRAM_LAUNCH_H
