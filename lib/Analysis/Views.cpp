//===- Views.cpp - Ops of host code that are views ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/Views.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether the rows of a slice lie behind each other in its source.
static bool isContiguous(tensor::ExtractSliceOp slice) {
  if (!slice.hasUnitStride())
    return false;
  ArrayRef<int64_t> sizes = slice.getStaticSizes(),
                    source = slice.getSourceType().getShape();
  // All of the dims behind the first one that is more than one place.
  size_t dim = 0;
  while (dim < sizes.size() && sizes[dim] == 1)
    ++dim;
  for (++dim; dim < sizes.size(); ++dim)
    if (sizes[dim] != source[dim] || ShapedType::isDynamic(sizes[dim]))
      return false;
  return true;
}

bool mlir::trn::isView(Operation *op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return isContiguous(slice);
  return op->getNumResults() == 1 &&
         isa<ViewLikeOpInterface, bufferization::ToBufferOp,
             bufferization::ToTensorOp, tensor::CastOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::ReshapeOp>(op);
}
