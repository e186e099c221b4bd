//===- TrnTensorEngineOps.cpp - Products and transposes -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "VerifyTiles.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

using namespace mlir;
using namespace mlir::trn;

/// Elements of one partition.
static int64_t freeSize(MemRefType type) {
  return type.getNumElements() / type.getDimSize(0);
}

bool MatmulOp::mayAccumulate(OpOperand &) { return getAccumulate() != nullptr; }

LogicalResult MatmulOp::verify() {
  MemRefType stationary = getStationary().getType();
  MemRefType moving = getMoving().getType();
  MemRefType dst = getDst().getType();
  // matmul_c1
  if (stationary.getDimSize(0) != moving.getDimSize(0)) {
    InFlightDiagnostic diagnostic =
        emitOpError("stationary and moving must have the same number of "
                    "partitions, but have ")
        << stationary.getDimSize(0) << " and " << moving.getDimSize(0)
        << "; both hold the contraction first";
    return noteOperand(diagnostic, "moving", getMoving());
  }
  // matmul_c2
  if (failed(verifyPartitions(*this, "stationary", getStationary())))
    return failure();
  // matmul_c3
  int64_t m = freeSize(stationary);
  if (m > sharedLimits().stationaryFreeMax)
    return emitOpError("stationary free size is ")
           << m << ", but at most " << sharedLimits().stationaryFreeMax
           << " is allowed; split the rows of the result";
  // matmul_c4
  int64_t n = freeSize(moving);
  if (n > sharedLimits().movingFreeMax)
    return emitOpError("moving free size is ")
           << n << ", but at most " << sharedLimits().movingFreeMax
           << " is allowed; split the columns of the result";
  // matmul_c5
  if (dst.getDimSize(0) != m || freeSize(dst) != n) {
    InFlightDiagnostic diagnostic =
        emitOpError("dst must be ")
        << m << "x" << n << " (free sizes of stationary and moving), but is "
        << dst.getDimSize(0) << "x" << freeSize(dst);
    return noteOperand(diagnostic, "dst", getDst());
  }
  // matmul_c6
  if (stationary.getElementType().isF32() != moving.getElementType().isF32())
    return emitOpError("f32 is multiplied by f32 only, but stationary is ")
           << stationary.getElementType() << " and moving is "
           << moving.getElementType() << "; convert one of them";
  return success();
}

LogicalResult TransposeOp::verify() {
  MemRefType src = getSrc().getType(), dst = getDst().getType();
  // transpose_c1
  if (src.getDimSize(0) != dst.getDimSize(1) ||
      freeSize(src) != dst.getDimSize(0))
    return emitOpError("dst must be ")
           << freeSize(src) << "x" << src.getDimSize(0)
           << ", the transposed shape of src, but is " << dst.getDimSize(0)
           << "x" << dst.getDimSize(1);
  // transpose_c2
  if (failed(verifyPartitions(*this, "src", getSrc())) ||
      failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // transpose_c3
  if (failed(verifyEngine(*this)))
    return failure();
  if (getEngine() != Engine::Tensor)
    return success();
  // transpose_c4
  if (getMemorySpace(src) != MemorySpace::Sbuf ||
      getMemorySpace(dst) != MemorySpace::Psum)
    return emitOpError("the tensor engine transposes from sbuf to psum, but "
                       "src is in ")
           << stringifyMemorySpace(*getMemorySpace(src)) << " and dst in "
           << stringifyMemorySpace(*getMemorySpace(dst))
           << "; only tiles of up to " << sharedLimits().vectorTransposeSize
           << "x" << sharedLimits().vectorTransposeSize
           << " can go to the vector engine";
  // transpose_c5
  if (!dst.getElementType().isF32() &&
      dst.getElementType() != src.getElementType())
    return emitOpError("the tensor engine leaves f32 or the type of src, ")
           << src.getElementType() << ", but dst is " << dst.getElementType();
  return success();
}

LogicalResult TransposeOp::verifyOn(const Machine &machine) {
  Type type = getDst().getType().getElementType();
  // transpose_m1
  if (getEngine() == Engine::Tensor && !type.isF32() &&
      !machine.psumTransposeNarrow)
    return emitOpError("the tensor engine of ")
           << machine.name << " leaves f32 in psum, but dst is " << type
           << "; convert when copying it out";
  return success();
}
