//===- TrnEngines.cpp - Which engines can execute an op -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

using namespace mlir;
using namespace mlir::trn;

static bool inSbuf(MemRefType type) {
  return getMemorySpace(type) == MemorySpace::Sbuf;
}

/// The vector engine reaches both on-chip memories, GpSimd has no port to PSUM.
static SmallVector<ComputeEngine> vectorOrGpSimd(ArrayRef<MemRefType> tiles) {
  if (llvm::all_of(tiles, inSbuf))
    return {ComputeEngine::Vector, ComputeEngine::GpSimd};
  return {ComputeEngine::Vector};
}

SmallVector<ComputeEngine> TransposeOp::getPossibleEngines() {
  MemRefType src = getSrc().getType();
  bool tensor = inSbuf(src) && !inSbuf(getDst().getType());
  bool vector = llvm::all_of(src.getShape(), [](int64_t size) {
    return size <= sharedLimits().vectorTransposeSize;
  });
  SmallVector<ComputeEngine> engines;
  if (tensor || !vector)
    engines.push_back(ComputeEngine::Tensor);
  if (vector)
    engines.push_back(ComputeEngine::Vector);
  return engines;
}

SmallVector<ComputeEngine> TensorCopyOp::getPossibleEngines() {
  return vectorOrGpSimd({getSrc().getType(), getDst().getType()});
}

SmallVector<ComputeEngine> TensorTensorOp::getPossibleEngines() {
  if (getFunction() == BinaryFunction::Pow)
    return {ComputeEngine::GpSimd};
  return vectorOrGpSimd(
      {getLhs().getType(), getRhs().getType(), getDst().getType()});
}

SmallVector<ComputeEngine> TensorScalarOp::getPossibleEngines() {
  if (getSums())
    return {ComputeEngine::Vector};
  SmallVector<MemRefType> tiles = {getSrc().getType(), getDst().getType()};
  for (Value scalars : {getScalars(), getThenScalars()})
    if (scalars)
      tiles.push_back(cast<MemRefType>(scalars.getType()));
  return vectorOrGpSimd(tiles);
}

SmallVector<ComputeEngine> ScalarTensorTensorOp::getPossibleEngines() {
  return {ComputeEngine::Vector};
}

SmallVector<ComputeEngine> MemsetOp::getPossibleEngines() {
  return vectorOrGpSimd({getDst().getType()});
}
