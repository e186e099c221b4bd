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

/// Whether some of it asks which core runs it.
bool asksForCore(const HostCode &code);

} // namespace mlir::trn

#endif // TRN_RUNTIME_HOSTCODE_H
