//===- CreateKernel.h - Write a kernel on tensors ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_CREATEKERNEL_H
#define TRN_LIB_TRANSFORMS_CREATEKERNEL_H

#include "trn/Transforms/ChainMatcher.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::trn {

/// Creates the private function that computes `chain`: its inputs are read as
/// tensors, its result is materialised in the trailing argument.
func::FuncOp createKernel(OpBuilder &builder, SymbolTable &symbols,
                          StringRef name, const Chain &chain);

/// Whether `kernel` rounds as the code does that `chain` was found in; if not,
/// a remark says where. With `allowRounding` it may round once more, which a
/// remark says too.
bool roundsAlike(func::FuncOp kernel, const Chain &chain, bool allowRounding);

/// Emits `product` on its operands, of which the rhs is [k, n], summed in f32
/// and then rounded, where its contraction and its result were.
Value emitProduct(OpBuilder &builder, const Product &product);

/// The transpose of a static matrix.
Value emitTranspose(OpBuilder &builder, Location loc, Value source);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_CREATEKERNEL_H
