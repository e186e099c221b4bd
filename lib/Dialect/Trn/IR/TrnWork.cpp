//===- TrnWork.cpp - What ops ask of their engines ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/Work.h"
#include "trn/Program/DmaWork.h"

using namespace mlir;
using namespace mlir::trn;

/// Elements of one partition.
static int64_t freeSize(MemRefType type) {
  return type.getNumElements() / type.getDimSize(0);
}

static ElementType elementType(MemRefType type) {
  return *getElementType(type.getElementType());
}

static OperandInfo infoOf(MemRefType tile) {
  AccessDims dims = getDims(tile);
  mergeDims({&dims}, /*keepFirst=*/true);
  bool isContiguous =
      dims.size() == 1 || (dims.size() == 2 && dims.back().stride == 1);
  return {elementType(tile), getMemorySpace(tile) == MemorySpace::Psum,
          isContiguous};
}

static Work cycles(int64_t count) {
  Work work;
  work.cycles = count;
  return work;
}

static Work transferWork(MemRefType src, MemRefType dst,
                         Work (*work)(const DmaSide &, const DmaSide &)) {
  auto space = [](MemRefType type) {
    return getMemorySpace(type) == MemorySpace::Hbm ? Space::Hbm : Space::Sbuf;
  };
  return work({getDims(src), space(src), elementType(src)},
              {getDims(dst), space(dst), elementType(dst)});
}

Work DmaCopyOp::getWork(const Machine &) {
  return transferWork(getSrc().getType(), getDst().getType(), dmaWork);
}

Work DmaTransposeOp::getWork(const Machine &) {
  return transferWork(getSrc().getType(), getDst().getType(), dmaTransposeWork);
}

static Work rowsWork(MemRefType rows, MemRefType tile) {
  AccessDims dims = getDims(rows), own = getDims(tile);
  bool isTile = getMemorySpace(tile) == MemorySpace::Sbuf;
  return dmaRowsWork(
      ArrayRef(dims).drop_front(), elementType(rows),
      {own, isTile ? Space::Sbuf : Space::Hbm, elementType(tile)});
}

Work DmaGatherOp::getWork(const Machine &) {
  return rowsWork(getSrc().getType(), getDst().getType());
}

Work DmaScatterOp::getWork(const Machine &) {
  return rowsWork(getDst().getType(), getSrc().getType());
}

static Work collectiveWork(MemRefType whole) {
  Work work;
  work.bytes = whole.getNumElements() * byteSize(elementType(whole));
  return work;
}

Work AllReduceOp::getWork(const Machine &) {
  return collectiveWork(getDst().getType());
}

Work AllGatherOp::getWork(const Machine &) {
  return collectiveWork(getDst().getType());
}

Work ReduceScatterOp::getWork(const Machine &) {
  return collectiveWork(getSrc().getType());
}

Work AllToAllOp::getWork(const Machine &) {
  return collectiveWork(getSrc().getType());
}

Work CollectivePermuteOp::getWork(const Machine &) {
  return collectiveWork(getSrc().getType());
}

Work CoreBarrierOp::getWork(const Machine &) { return {}; }

Work SendReceiveOp::getWork(const Machine &) {
  return transferWork(getSrc().getType(), getDst().getType(), dmaWork);
}

Work MatmulOp::getWork(const Machine &machine) {
  MemRefType stationary = getStationary().getType();
  int64_t columns = freeSize(getMoving().getType());
  Work work = cycles(matmulCycles(machine, elementType(stationary), columns));
  // Multiply and add counted apart.
  work.flops = 2 * stationary.getNumElements() * columns;
  return work;
}

Work TransposeOp::getWork(const Machine &machine) {
  MemRefType src = getSrc().getType();
  if (getEngine() != Engine::Tensor)
    return cycles(vectorTransposeCycles(freeSize(src)));
  Work work = cycles(
      tensorTransposeCycles(machine, elementType(src), src.getDimSize(0)));
  // A product with the identity: every element meets all rows of the array.
  work.transposeFlops = 2 * machine.partitions * src.getNumElements();
  return work;
}

Work TensorCopyOp::getWork(const Machine &machine) {
  MemRefType src = getSrc().getType(), dst = getDst().getType();
  return cycles(
      tensorCopyCycles(machine, infoOf(src), infoOf(dst), freeSize(dst)));
}

Work ActivationOp::getWork(const Machine &machine) {
  int64_t count = freeSize(getDst().getType());
  return cycles(getSums() ? activationReduceCycles(machine, count)
                          : activationCycles(count));
}

Work TensorTensorOp::getWork(const Machine &machine) {
  bool fast = getFunction() == BinaryFunction::Add ||
              getFunction() == BinaryFunction::Sub ||
              getFunction() == BinaryFunction::Mul;
  return cycles(tensorTensorCycles(
      machine, fast ? ElementwiseOp::AddSubtractMultiply : ElementwiseOp::Other,
      infoOf(getLhs().getType()), infoOf(getRhs().getType()),
      infoOf(getDst().getType()), freeSize(getDst().getType())));
}

Work TensorScalarOp::getWork(const Machine &machine) {
  MemRefType src = getSrc().getType(), dst = getDst().getType();
  if (getSums())
    return cycles(tensorScalarReduceCycles(machine, freeSize(dst)));
  // Two operations take as long as one (ISA:1087).
  return cycles(
      tensorScalarCycles(machine, infoOf(src), infoOf(dst), freeSize(dst)));
}

Work ScalarTensorTensorOp::getWork(const Machine &machine) {
  MemRefType src = getSrc().getType(), rhs = getRhs().getType();
  // Of all pairs of operations, one is said to be fast (ISA26:1222).
  bool fast = getFunction() == BinaryFunction::Sub &&
              getThenFunction() == BinaryFunction::Mul;
  return cycles(scalarTensorTensorCycles(
      machine, fast ? ElementwiseOp::AddSubtractMultiply : ElementwiseOp::Other,
      elementType(src), elementType(rhs), freeSize(src)));
}

Work TensorTensorScanOp::getWork(const Machine &) {
  return cycles(tensorTensorScanCycles(freeSize(getDst().getType())));
}

Work ReciprocalOp::getWork(const Machine &machine) {
  return cycles(reciprocalCycles(machine, freeSize(getDst().getType())));
}

Work SelectOp::getWork(const Machine &) {
  return cycles(selectCycles(freeSize(getDst().getType())));
}

Work IotaOp::getWork(const Machine &machine) {
  return cycles(iotaCycles(machine, freeSize(getDst().getType())));
}

Work AffineSelectOp::getWork(const Machine &machine) {
  // As iota (ISA26:289).
  return cycles(iotaCycles(machine, freeSize(getDst().getType())));
}

Work TensorReduceOp::getWork(const Machine &) {
  MemRefType src = getSrc().getType();
  bool fast = getFunction() == ReduceFunction::Add ||
              getFunction() == ReduceFunction::Max;
  return cycles(tensorReduceCycles(
      fast ? ReduceOp::AddMax : ReduceOp::Other, elementType(src),
      elementType(getDst().getType()), freeSize(src)));
}

Work PartitionReduceOp::getWork(const Machine &machine) {
  MemRefType src = getSrc().getType();
  return cycles(
      partitionReduceCycles(machine, src.getDimSize(0), freeSize(src)));
}

Work BnStatsOp::getWork(const Machine &) {
  return cycles(bnStatsCycles(freeSize(getSrc().getType())));
}

Work BnAggrOp::getWork(const Machine &) {
  return cycles(bnAggregateCycles(freeSize(getSrc().getType())));
}

Work Max8Op::getWork(const Machine &) {
  return cycles(searchCycles(freeSize(getSrc().getType())));
}

Work FindIndex8Op::getWork(const Machine &) {
  return cycles(searchCycles(freeSize(getData().getType())));
}

Work MatchReplace8Op::getWork(const Machine &) {
  return cycles(searchCycles(freeSize(getData().getType())));
}

Work PartitionGatherOp::getWork(const Machine &machine) {
  return cycles(gatherCycles(machine, freeSize(getDst().getType())));
}

Work StreamShuffleOp::getWork(const Machine &) {
  return cycles(shuffleCycles(freeSize(getSrc().getType())));
}

Work MemsetOp::getWork(const Machine &machine) {
  MemRefType dst = getDst().getType();
  return cycles(memsetCycles(machine, elementType(dst),
                             getValue().convertToDouble(), freeSize(dst)));
}
