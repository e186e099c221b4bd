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

/// The functions that a call of one function may reach, itself included, in the
/// order of their first mention.
struct HostCode {
  SmallVector<func::FuncOp> functions;
  SmallVector<func::FuncOp> kernels;
};

/// Follows all calls from `entry`. Emits an error where host code does what
/// only a kernel may do or calls a kernel in a way that nobody can follow; and,
/// if it `isRun`, where it does what cannot be run, as a function without a
/// body.
FailureOr<HostCode> collectHostCode(func::FuncOp entry, bool isRun = true);

/// One call of a kernel: a position in `HostCode::kernels`, and for each
/// argument what tells its memory from another's.
struct RecordedCall {
  size_t kernel;
  SmallVector<uintptr_t, 6> arguments;
  /// The host does something between the call before it and this one, or may
  /// do so: it works on data or reads some of it.
  bool followsHost = true;
};

/// The calls of kernels that running `entry` makes, in order, found without
/// running anything. Emits an error where the order depends on values.
FailureOr<SmallVector<RecordedCall>> traceCalls(func::FuncOp entry,
                                                const HostCode &code);

} // namespace mlir::trn

#endif // TRN_RUNTIME_HOSTCODE_H
