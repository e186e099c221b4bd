//===- Launch.h - Kernels that run as one program ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels without work of the host between them are handed to the device
// together. docs/Launches.md explains the effect.
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
  /// By argument position: an identity of the argument's memory. Empty: no
  /// memory is shared.
  llvm::ArrayRef<uintptr_t> arguments = {};
  /// By argument position: the byte of that memory at which the argument
  /// begins, or `unknownOffset`. Empty: each has all of its memory.
  llvm::ArrayRef<int64_t> offsets = {};
};

/// Of an argument that begins somewhere in its memory.
inline constexpr int64_t unknownOffset = -1;

/// The part of a launch for one call.
struct LaunchPart {
  const Program *program;
  /// Its first instruction in the launch; it has as many as its program.
  int32_t firstInstruction;
  /// By buffer of its program: the buffer of the launch.
  std::vector<int32_t> buffers;
};

struct Launch {
  /// All calls, one after the other.
  Program program;
  std::vector<LaunchPart> parts;
  /// By part: how long ago what is in SBUF before it was used, as far as that
  /// matters for the places of the parts from it on.
  std::vector<std::vector<int64_t>> sbufAges;
  /// By buffer of `program`: the first part with it, and its number there.
  struct Origin {
    int32_t part, buffer;
  };
  std::vector<Origin> origins;

  /// The part of an instruction.
  size_t findPart(int32_t instruction) const;
  /// Where the parts begin, by instruction.
  std::vector<int32_t> begins() const;
};

/// Identity of the memory of `buffer` in a call with these `arguments`; none if
/// it is no argument or shares no memory.
std::optional<uintptr_t> findMemory(llvm::ArrayRef<uintptr_t> arguments,
                                    const Buffer &buffer);

/// The byte of its memory at which `buffer` begins in a call with these
/// `offsets`.
int64_t findOffset(llvm::ArrayRef<int64_t> offsets, const Buffer &buffer);

/// How many of `calls`, at least one, can start in one launch. A call cannot
/// join if an argument is an unknown part of memory that it or an earlier call
/// writes, or has another type there: the overlap would go unseen.
size_t countJoinable(llvm::ArrayRef<LaunchCall> calls);

/// Makes one program of `calls`, which must be joinable. Memory becomes one
/// buffer, with all parts of it; arguments are numbered in the order of first
/// use. Each call lies where least of SBUF is in use when it loads its weights,
/// so that they can come while the calls before it still compute. Before its
/// loops, a call loads results of other calls on the queue that stored them, so
/// that weights need not wait for these.
Launch joinCalls(llvm::ArrayRef<LaunchCall> calls, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_PROGRAM_LAUNCH_H
