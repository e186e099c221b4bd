//===- KernelGraph.h - The graph of a kernel's body -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_LOWER_KERNELGRAPH_H
#define TRN_TRANSFORMS_LOWER_KERNELGRAPH_H

#include "trn/Planning/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// Origin of a matrix: its argument, or the product and the rounding that
/// compute it.
struct MatrixLocations {
  Location value;
  Location product;
};

struct KernelGraph {
  planning::Graph graph;
  /// By matrix.
  SmallVector<MatrixLocations> locations;
};

/// The computation of `kernel`, whose body is linalg on tensors. Products may
/// sum over any dim of their operands. Fails with a diagnostic at an op that
/// kernels cannot compute.
FailureOr<KernelGraph> buildKernelGraph(func::FuncOp kernel);

/// The same for a candidate kernel; the error says why it cannot be one.
llvm::Expected<KernelGraph> readKernel(func::FuncOp kernel);

/// Whether the body of `kernel` is linalg on tensors: not compiled yet.
bool hasTensorBody(func::FuncOp kernel);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_LOWER_KERNELGRAPH_H
