//===- KernelRequest.h - What becomes one kernel ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_KERNELREQUEST_H
#define TRN_LIB_TRANSFORMS_KERNELREQUEST_H

#include "trn/Transforms/ChainMatcher.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::trn {

/// What becomes one kernel: a chain, and whether its result is stored as
/// [n, m].
struct KernelRequest {
  Chain chain;
  bool resultTransposed;

  /// The tensors that it reads, in the order of the kernel's arguments.
  SmallVector<Value> inputs() const {
    SmallVector<Value> values{chain.first().lhs};
    for (const Product &product : chain.products)
      values.push_back(product.rhs);
    return values;
  }
};

/// Creates the private function that computes `request`: its inputs are read as
/// tensors, its result is materialised in the trailing argument.
func::FuncOp createKernel(OpBuilder &builder, SymbolTable &symbols,
                          StringRef name, const KernelRequest &request);

/// Whether `kernel` rounds as the code does that `request` was found in; if
/// not, a remark says where. With `allowRounding` it may round once more, which
/// a remark says too.
bool roundsAlike(func::FuncOp kernel, const KernelRequest &request,
                 bool allowRounding);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_KERNELREQUEST_H
