//===- Decode.h - Kernels as programs ---------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DECODE_DECODE_H
#define TRN_DECODE_DECODE_H

#include "trn/Planning/Plan.h"
#include "trn/Program/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

struct Machine;

/// A kernel as plain data, and the way back: `ops[i]` is what `program.ops[i]`
/// tells of. The ops belong to the module and must outlive this. Beside them,
/// what the kernel says of itself for reports.
struct DecodedKernel {
  Program program;
  SmallVector<Operation *> ops;
  /// FLOPs of the model, from `trn.flops`; absent = executed.
  std::optional<int64_t> modelFlops = {};
  /// How the kernel was compiled, as `trn.schedule` says: `schedule`, `blocks`,
  /// `partials`.
  std::vector<std::pair<std::string, std::string>> schedule = {};
  /// The same as data.
  std::optional<planning::Schedule> plan = {};
  /// The same as `ops` for `program.others`.
  std::vector<SmallVector<Operation *>> otherOps = {};
};

/// `file:line:column` of the innermost place in a file, or else the name that a
/// front end gave.
std::string describeLocation(Location location);

/// Decodes a placed kernel: a single block of instructions, buffers, loops with
/// constant trip counts, index arithmetic and static views. Emits an error at
/// the op that does not belong into a kernel. Of the rules, one is held by this
/// alone:
/// - `free_c1`: a dealloc frees the result of an alloc of the kernel
FailureOr<DecodedKernel> decodeKernel(func::FuncOp kernel,
                                      const Machine &machine);

/// The same with what `trn.other_core` names, if it does: two kernels that a
/// logical core runs as one, which `checkMeetings`. Of the rules, one is held
/// by this alone:
/// - `attr_other_core_c2`: it names another kernel that names none, and takes
///   the same arguments
FailureOr<DecodedKernel> decodeCores(func::FuncOp kernel,
                                     const Machine &machine);

} // namespace mlir::trn

#endif // TRN_DECODE_DECODE_H
