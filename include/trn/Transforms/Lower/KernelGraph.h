//===- KernelGraph.h - What the body of a kernel computes -------*- C++ -*-===//
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

/// Where a matrix comes from: the argument that holds it, or the product and
/// the rounding that compute it.
struct MatrixLocations {
  Location value;
  Location product;
};

struct KernelGraph {
  planning::Graph graph;
  /// By matrix.
  SmallVector<MatrixLocations> locations;
};

/// What `kernel`, whose body is linalg on tensors, computes. Products may sum
/// over any dim of their operands. Fails with a diagnostic at what is neither a
/// product of matrices, nor its rounding, nor a transposition.
FailureOr<KernelGraph> buildKernelGraph(func::FuncOp kernel);

/// The same of what shall be a kernel; or an error that says why it can be
/// none.
llvm::Expected<KernelGraph> readKernel(func::FuncOp kernel);

/// Whether the body of `kernel` is linalg on tensors: it is not compiled yet.
bool hasTensorBody(func::FuncOp kernel);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_LOWER_KERNELGRAPH_H
