//===- HostCode.h - The code around kernels ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUNTIME_HOSTCODE_H
#define TRN_RUNTIME_HOSTCODE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::trn {

/// All functions that calls from one function may reach, itself included, in
/// the order of their first mention.
struct HostCode {
  SmallVector<func::FuncOp> functions;
  SmallVector<func::FuncOp> kernels;
};

/// Follows all calls from `entry`. Emits an error if host code does something
/// reserved for kernels, or calls a kernel in an untraceable way. With `isRun`
/// it must also be runnable: each function needs a body, for example.
FailureOr<HostCode> collectHostCode(func::FuncOp entry, bool isRun = true);

/// One call of a kernel: a position in `HostCode::kernels`, and for each
/// argument an identity of its memory and, as in `LaunchCall`, where it begins
/// in there.
struct RecordedCall {
  size_t kernel;
  SmallVector<uintptr_t, 6> arguments;
  SmallVector<int64_t, 6> offsets = {};
  /// Between the previous call and this one, the host works on data or reads
  /// some, or may do so.
  bool followsHost = true;
};

/// The kernel calls that `entry` makes, in order, on core `core` of its grid.
/// They are found without running anything. Emits an error if the order depends
/// on values.
FailureOr<SmallVector<RecordedCall>>
traceCalls(func::FuncOp entry, const HostCode &code, int64_t core = 0);

/// Whether some of it asks which core runs it.
bool asksForCore(const HostCode &code);

} // namespace mlir::trn

#endif // TRN_RUNTIME_HOSTCODE_H
