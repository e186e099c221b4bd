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

/// A kernel as plain data, with its ops: `ops[i]` is the op of
/// `program.ops[i]`. The ops belong to the module and must outlive this.
/// Further fields are the kernel's own statements, for reports.
struct DecodedKernel {
  Program program;
  SmallVector<Operation *> ops;
  /// FLOPs of the model, from `trn.flops`; absent = executed.
  std::optional<int64_t> modelFlops = {};
  /// The plan, as `trn.schedule` says: `schedule`, `blocks`, `partials`.
  std::vector<std::pair<std::string, std::string>> schedule = {};
  /// The same as data.
  std::optional<planning::Schedule> plan = {};
  /// The same as `ops` for `program.others`.
  std::vector<SmallVector<Operation *>> otherOps = {};
};

/// `file:line:column` of the innermost location in a file, else a name given by
/// a front end.
std::string describeLocation(Location location);

/// Decodes a placed kernel: a single block of instructions, buffers, loops with
/// constant trip counts, index arithmetic and static views. Emits an error at
/// any other op. One rule is enforced here alone:
/// - `free_c1`: a dealloc frees the result of an alloc of the kernel
FailureOr<DecodedKernel> decodeKernel(func::FuncOp kernel,
                                      const Machine &machine);

/// The same for a kernel with `trn.other_core`, too: a logical core runs both
/// kernels as one, which `checkMeetings`. One rule is enforced here alone:
/// - `attr_other_core_c2`: it names another kernel that names none, and takes
///   the same arguments
FailureOr<DecodedKernel> decodeCores(func::FuncOp kernel,
                                     const Machine &machine);

} // namespace mlir::trn

#endif // TRN_DECODE_DECODE_H
