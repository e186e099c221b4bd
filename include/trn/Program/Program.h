//===- Program.h - A decoded kernel -----------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_PROGRAM_H
#define TRN_PROGRAM_PROGRAM_H

#include "trn/Program/Instruction.h"
#include <string>
#include <vector>

namespace mlir::trn {
struct Machine;

/// A buffer of a kernel: an argument or scratch in HBM, or a placed tile on
/// chip. On chip, slot k of an SBUF buffer starts at byte
/// `offset + k * bytesPerPartition` of each partition. Slot k of a PSUM buffer
/// starts at byte `offset` of bank `bank + k`, or of `bank + n * k` if it is
/// larger than a bank and takes n whole ones.
struct Buffer {
  Space space;
  ElementType type;
  /// Index into `Program::ops` of the alloc; arguments name the kernel itself.
  int32_t op;
  /// HBM: whole size. On chip: 0.
  int64_t bytes = 0;
  /// On chip only.
  int64_t partitions = 0;
  int64_t bytesPerPartition = 0;
  int64_t offset = 0;
  int64_t bank = 0;
  /// `buffers` of the alloc: its k-th execution uses slot k mod `slots`.
  int64_t slots = 1;
  /// Position among the kernel's arguments; -1 for scratch and on-chip buffers.
  int32_t argument = -1;
  /// The kernel only writes the argument (`trn.result`).
  bool result = false;
  /// Source location as text for reports; may be empty.
  std::string location = {};
  /// The matrix in it, by its name in the kernel; may be empty.
  std::string matrix = {};
  /// The number of scratch in HBM that all cores of a logical one share; -1 for
  /// a core's own scratch and for arguments.
  int32_t shared = -1;
};

/// The byte at which slot `slot` of `buffer`, which is on chip, begins in each
/// partition of its memory.
int64_t slotBegin(const Buffer &buffer, int64_t slot, const Machine &machine);

struct Loop {
  int64_t tripCount;
  /// Index of the matching `EndLoop` step.
  int32_t end;
};

/// One element of the flat program. A walker has a position and a counter for
/// each loop. `BeginLoop` sets the counter to 0, or jumps past the end if the
/// trip count is 0. `EndLoop` counts, and jumps back to the body.
struct Step {
  enum class Kind : uint8_t { BeginLoop, EndLoop, Alloc, Dealloc, Execute };
  Kind kind;
  /// A loop, a buffer or an instruction.
  int32_t index;
  /// Index into `Program::ops`; loops have no op of their own.
  int32_t op;
};

/// An origin, as text for reports.
struct OpInfo {
  std::string name;
  std::string location;
};

/// A kernel as plain data: a loop nest over instructions. The interpreter and
/// the simulator walk the same steps in the same order.
struct Program {
  std::string name;
  std::vector<OpInfo> ops;
  std::vector<Buffer> buffers;
  /// Loops that run but never execute anything have no steps.
  std::vector<Loop> loops;
  /// Index of the `BeginLoop` step of each loop.
  std::vector<int32_t> loopBegins;
  std::vector<Instruction> instructions;
  std::vector<Step> steps;
  /// Programs of the other cores of a logical one, which run at the same time
  /// on the same arguments.
  std::vector<Program> others;
};

} // namespace mlir::trn

#endif // TRN_PROGRAM_PROGRAM_H
