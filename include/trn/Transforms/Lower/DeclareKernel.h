//===- DeclareKernel.h - Kernels without instructions -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_LOWER_DECLAREKERNEL_H
#define TRN_TRANSFORMS_LOWER_DECLAREKERNEL_H

#include "trn/Planning/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// A private kernel without a body, whose last arguments are `results` results.
func::FuncOp declareKernel(OpBuilder &builder, Location loc, StringRef name,
                           ArrayRef<Type> arguments, unsigned results);

/// An empty kernel for schedules of `graph`. Its arguments are the graph's
/// inputs, then its results.
func::FuncOp createKernel(OpBuilder &builder, const planning::Graph &graph);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_LOWER_DECLAREKERNEL_H
