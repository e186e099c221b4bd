//===- CheckGroups.h - Accumulation groups, without values ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_CHECKGROUPS_H
#define TRN_PROGRAM_CHECKGROUPS_H

#include "trn/Machine/Machine.h"
#include "trn/Program/Program.h"

namespace mlir::trn {

/// An accumulation that is undefined on the hardware (ISA:536-555).
struct GroupFault {
  /// Indices into `Program::ops`: the accumulating matmul, and the op that is
  /// in its way, if any.
  int32_t op;
  int32_t other = -1;
  std::string message;
  std::string note;
};

/// Walks over a placed program, whose accesses stay inside of PSUM:
/// - `group_c1`: a group starts by overwriting
/// - `group_c2`: a bank has one open group
/// - `group_c3`: nothing is accumulated on what another instruction wrote
/// After `maxExecutions` instructions the rest is left to the interpreter,
/// which holds the same rules.
std::optional<GroupFault> checkGroups(const Program &program,
                                      const Machine &machine,
                                      int64_t maxExecutions);

} // namespace mlir::trn

#endif // TRN_PROGRAM_CHECKGROUPS_H
