//===- RecordedCalls.h - The kernel calls of a run --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a run calls, in order, and how its calls fall into launches.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_RECORDEDCALLS_H
#define TRN_PROGRAM_RECORDEDCALLS_H

#include "trn/Program/Launch.h"

namespace mlir::trn {

/// One call of a kernel: its number, and for each argument an identity of its
/// memory and, as in `LaunchCall`, where it begins in there.
struct RecordedCall {
  size_t kernel;
  llvm::SmallVector<uintptr_t, 6> arguments;
  llvm::SmallVector<int64_t, 6> offsets = {};
  /// Between the previous call and this one, the host works on data or reads
  /// some, or may do so.
  bool followsHost = true;
};

/// By kernel: its program, or null if that is unknown.
using Programs = llvm::ArrayRef<const Program *>;

/// `calls` with their programs, which must be known.
llvm::SmallVector<LaunchCall> toLaunchCalls(llvm::ArrayRef<RecordedCall> calls,
                                            Programs programs);

/// The first of `calls`, at least one, that make one launch: no host works
/// between them, and they can be joined. A call of an unknown program is alone.
llvm::ArrayRef<RecordedCall> takeLaunch(llvm::ArrayRef<RecordedCall> calls,
                                        Programs programs);

/// What makes two launches the same: their kernels and, for each argument, the
/// first one of the launch that is the same memory, and where it begins.
std::vector<int64_t> describeLaunch(llvm::ArrayRef<RecordedCall> calls);

} // namespace mlir::trn

#endif // TRN_PROGRAM_RECORDEDCALLS_H
