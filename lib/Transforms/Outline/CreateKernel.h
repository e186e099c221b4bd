//===- CreateKernel.h - Write a kernel on tensors ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_CREATEKERNEL_H
#define TRN_LIB_TRANSFORMS_OUTLINE_CREATEKERNEL_H

#include "KernelRegion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// Creates the private function that computes `results` by `ops`, which are in
/// the order of the code: `inputs` are read as tensors, results materialised in
/// the trailing arguments. It is in no module yet.
func::FuncOp createKernel(OpBuilder &builder, StringRef name,
                          ArrayRef<RegionOp> ops, ArrayRef<RegionInput> inputs,
                          ArrayRef<Value> results);

/// Why a kernel is not what it shall replace.
struct Obstacle {
  /// The product, or the op behind it, that the kernel computes otherwise.
  Operation *op;
  std::string reason;
  /// Where it is rounded, if that is why.
  std::optional<Location> rounding;
};

/// Where `kernel` rounds otherwise than the code that `region` is. With
/// `allowRounding` it may round once more, which a remark says.
std::optional<Obstacle> findRoundingObstacle(func::FuncOp kernel,
                                             const KernelRegion &region,
                                             bool allowRounding);

/// Emits `product` on its operands, summed in f32 and then rounded, where its
/// contraction and its result were; it is then what was emitted.
void emitProduct(OpBuilder &builder, Product &product);

/// Whether `op`, of a kernel's body, sums.
bool isBodyProduct(Operation *op);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_CREATEKERNEL_H
