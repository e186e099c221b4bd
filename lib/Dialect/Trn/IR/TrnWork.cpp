//===- TrnWork.cpp - What ops ask of their engines ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Program/DmaWork.h"

using namespace mlir;
using namespace mlir::trn;

/// Elements of one partition.
static int64_t freeSize(MemRefType type) {
  return type.getNumElements() / type.getDimSize(0);
}

static Work simpleWork(const Machine &machine, int64_t cycles) {
  Work work;
  work.cycles = std::max(machine.minCycles, cycles);
  return work;
}

static DmaSide sideOf(MemRefType type, ArrayRef<Access::Dim> dims) {
  Space space =
      getMemorySpace(type) == MemorySpace::Hbm ? Space::Hbm : Space::Sbuf;
  return {dims, space, *getElementType(type.getElementType())};
}

Work DmaCopyOp::getWork(const Machine &machine) {
  SmallVector<Access::Dim, 4> srcDims = getDims(getSrc().getType());
  SmallVector<Access::Dim, 4> dstDims = getDims(getDst().getType());
  return dmaWork(sideOf(getSrc().getType(), srcDims),
                 sideOf(getDst().getType(), dstDims));
}

Work DmaTransposeOp::getWork(const Machine &machine) {
  // The source seen in the order in which the destination is written.
  SmallVector<Access::Dim, 4> srcDims = getDims(getSrc().getType());
  std::swap(srcDims[0], srcDims[1]);
  SmallVector<Access::Dim, 4> dstDims = getDims(getDst().getType());
  return dmaWork(sideOf(getSrc().getType(), srcDims),
                 sideOf(getDst().getType(), dstDims));
}

Work MatmulOp::getWork(const Machine &machine) {
  MemRefType stationary = getStationary().getType();
  int64_t columns = freeSize(getMoving().getType());
  int64_t passes =
      stationary.getElementType().isF32() ? machine.tensorF32Passes : 1;
  Work work;
  work.cycles = passes * std::max(machine.tensorMinCycles, columns);
  work.flops = 2 * stationary.getNumElements() * columns;
  return work;
}

Work TransposeOp::getWork(const Machine &machine) {
  MemRefType src = getSrc().getType();
  if (getEngine() != Engine::Tensor)
    return simpleWork(machine, freeSize(src));
  int64_t passes = src.getElementType().isF32() ? machine.tensorF32Passes : 1;
  Work work;
  work.cycles = passes * std::max(machine.tensorMinCycles, src.getDimSize(0));
  // A product with the identity: every element meets all rows of the array.
  work.transposeFlops = 2 * machine.partitions * src.getNumElements();
  return work;
}

Work TensorCopyOp::getWork(const Machine &machine) {
  return simpleWork(machine, freeSize(getDst().getType()));
}

Work ActivationOp::getWork(const Machine &machine) {
  return simpleWork(machine, freeSize(getDst().getType()));
}

Work TensorTensorOp::getWork(const Machine &machine) {
  MemRefType lhs = getLhs().getType(), rhs = getRhs().getType();
  bool bothSbuf = getMemorySpace(lhs) == MemorySpace::Sbuf &&
                  getMemorySpace(rhs) == MemorySpace::Sbuf;
  // Two reads through one port take turns.
  return simpleWork(machine, (bothSbuf ? 2 : 1) * freeSize(lhs));
}

Work TensorScalarOp::getWork(const Machine &machine) {
  return simpleWork(machine, freeSize(getDst().getType()));
}

Work MemsetOp::getWork(const Machine &machine) {
  return simpleWork(machine, freeSize(getDst().getType()));
}
