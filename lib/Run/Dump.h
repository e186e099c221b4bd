//===- Dump.h - Write what buffers hold as npy ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_DUMP_H
#define TRN_LIB_RUN_DUMP_H

#include "trn/Runtime/Runtime.h"

namespace mlir::trn {

/// A buffer of a kernel, at an iteration of the loops around its writes, as
/// the flag `--dump` of `trn-run` names it.
struct Dump {
  /// As it was given, without the file.
  std::string text;
  /// Empty: the only one with such a buffer.
  std::string kernel;
  /// Which one of the calls of the kernel, from 0 on.
  int64_t call = 0;
  /// `yt`, `yt.psum` or, if there are several, `yt.psum.1`.
  std::string buffer;
  /// Indices that are left out are the last ones.
  SmallVector<int64_t, 4> iteration = {};
  std::string path;
};

/// Reads `[KERNEL[#CALL]:]NAME[@I,J,...][=FILE.npy]`; without a file, what
/// stands before it with `.npy`.
llvm::Expected<Dump> parseDump(StringRef text);

/// Finds the buffer of `dump`. Emits an error at `entry` that names those that
/// there are.
FailureOr<KernelSnapshot> findBuffer(func::FuncOp entry, const Dump &dump,
                                     ArrayRef<DecodedKernel> kernels);

/// Writes what was kept for `dump` in a run of `executable`, rows that lie
/// beside each other on the partitions below each other.
LogicalResult writeDump(func::FuncOp entry, const Dump &dump,
                        const KernelSnapshot &kept,
                        const Executable &executable);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_DUMP_H
