//===- CheckAccesses.h - Whether engines reach operands ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_CHECKACCESSES_H
#define TRN_PROGRAM_CHECKACCESSES_H

#include "trn/Machine/Machine.h"
#include "trn/Program/Program.h"

namespace mlir::trn {

/// An access that no execution may make.
struct AccessFault {
  /// Index into `Program::ops`.
  int32_t op;
  int32_t buffer;
  std::string message;
};

/// Checks the accesses of every instruction, for all iterations at once:
/// - `access_c1`: it stays inside its buffer
/// - `access_c2`: it starts at a partition where that many partitions can start
///   (A1:711-713)
/// - `access_c3`: it has no more elements per partition than one instruction
///   can address (A1:336, 430)
/// - `access_c4`: it has no more strided dimensions than one instruction can
///   address (A1:716-720)
/// - `access_c5`: strides are no larger than one instruction can address
///   (A1:716-720)
/// - `access_c6`: an instruction writes no element twice, since the value would
///   depend on the order of elements
/// - `access_c7`: what the tensor engine writes to partitions behind 0 comes
///   from the columns of its array that start there. Columns 64 to 127 write
///   partitions from 64 on (ISA:515-526)
///
/// c2 to c5 hold for compute engines only; the DMA takes rows one by one.
std::optional<AccessFault> checkAccesses(const Program &program,
                                         const Machine &machine);

} // namespace mlir::trn

#endif // TRN_PROGRAM_CHECKACCESSES_H
