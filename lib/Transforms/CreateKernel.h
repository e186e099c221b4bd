//===- CreateKernel.h - Write a kernel on tensors ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_CREATEKERNEL_H
#define TRN_LIB_TRANSFORMS_CREATEKERNEL_H

#include "KernelRegion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::trn {

/// Creates the private function that computes `region`: its inputs are read as
/// tensors, its results are materialised in the trailing arguments.
func::FuncOp createKernel(OpBuilder &builder, SymbolTable &symbols,
                          StringRef name, const KernelRegion &region);

/// States the FLOPs of the products of `kernel`, or the largest number there is
/// if they are more.
void setFlops(func::FuncOp kernel);

/// Why a kernel is not what it shall replace.
struct RoundingObstacle {
  /// The product, or the op behind it, that the kernel computes otherwise.
  Operation *op;
  std::string reason;
  /// Where it is rounded.
  std::optional<Location> rounding;
};

/// Where `kernel` rounds otherwise than the code that `region` is. With
/// `allowRounding` it may round once more, which a remark says.
std::optional<RoundingObstacle> findRoundingObstacle(func::FuncOp kernel,
                                                     const KernelRegion &region,
                                                     bool allowRounding);

/// Emits `product` on its operands, summed in f32 and then rounded, where its
/// contraction and its result were.
Value emitProduct(OpBuilder &builder, const Product &product);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_CREATEKERNEL_H
