//===- Work.cpp - What instructions cost ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/Work.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::trn;

/// Of `n` elements, a part of a cycle counted whole.
static int64_t cyclesOf(int64_t n, double cyclesPerElement) {
  return std::ceil(double(n) * cyclesPerElement);
}

int64_t mlir::trn::matmulCycles(const Machine &machine, ElementType type,
                                int64_t movingFree) {
  int64_t passes = type == ElementType::F32 ? machine.tensorF32Passes : 1;
  return passes * std::max(machine.tensorMinCycles, movingFree);
}

int64_t mlir::trn::tensorTransposeCycles(const Machine &machine,
                                         ElementType type, int64_t partitions) {
  int64_t passes =
      type == ElementType::F32 ? machine.tensorF32TransposePasses : 1;
  return passes * std::max(machine.tensorMinCycles, partitions);
}

int64_t mlir::trn::activationReduceCycles(const Machine &machine, int64_t n) {
  return activationCycles(n) + machine.reduceExtraCycles;
}

int64_t mlir::trn::tensorCopyCycles(const Machine &machine,
                                    const OperandInfo &source,
                                    const OperandInfo &target, int64_t n) {
  bool plain = !source.inPsum && !target.inPsum && source.contiguous &&
               target.contiguous;
  bool narrow = source.isNarrow() && target.isNarrow();
  if (!plain)
    return cyclesOf(n, narrow ? machine.vectorCopyMixedNarrowCycles
                              : machine.vectorCopyMixedCycles);
  if (narrow)
    return cyclesOf(n, machine.vectorCopyNarrowCycles);
  if (source.isByte() && machine.vectorCopyByteCycles)
    return cyclesOf(n, machine.vectorCopyByteCycles);
  return cyclesOf(n, source.isNarrow() || source.isByte()
                         ? machine.vectorCopyWideningCycles
                         : machine.vectorCopyF32Cycles);
}

int64_t mlir::trn::tensorScalarCycles(const Machine &machine,
                                      const OperandInfo &source,
                                      const OperandInfo &target, int64_t n) {
  return tensorCopyCycles(machine, source, target, n);
}

int64_t mlir::trn::tensorScalarReduceCycles(const Machine &machine, int64_t n) {
  return n + machine.reduceExtraCycles;
}

int64_t mlir::trn::tensorTensorCycles(const Machine &machine, ElementwiseOp op,
                                      const OperandInfo &lhs,
                                      const OperandInfo &rhs,
                                      const OperandInfo &target, int64_t n) {
  if (lhs.inPsum != rhs.inPsum)
    return n;
  auto isFast = [](const OperandInfo &operand) {
    return operand.type == ElementType::BF16 && operand.contiguous &&
           !operand.inPsum;
  };
  if (op == ElementwiseOp::AddSubtractMultiply && isFast(lhs) && isFast(rhs) &&
      isFast(target))
    return cyclesOf(n, machine.vectorPairBF16Cycles);
  bool narrow = lhs.isNarrow() && rhs.isNarrow() && target.isNarrow();
  return cyclesOf(n, narrow && !lhs.inPsum ? machine.vectorPairNarrowCycles
                                           : machine.vectorPairF32Cycles);
}

int64_t mlir::trn::scalarTensorTensorCycles(const Machine &machine,
                                            ElementwiseOp op, ElementType lhs,
                                            ElementType rhs, int64_t n) {
  bool fast = op == ElementwiseOp::AddSubtractMultiply &&
              lhs == ElementType::BF16 && rhs == ElementType::BF16 &&
              n % 2 == 0;
  return cyclesOf(n, fast ? machine.vectorPairBF16Cycles
                          : machine.vectorPairF32Cycles);
}

int64_t mlir::trn::tensorReduceCycles(ReduceOp op, ElementType source,
                                      ElementType target, int64_t n) {
  bool fast = op == ReduceOp::AddMax && source == ElementType::BF16 &&
              target == ElementType::BF16;
  return fast ? llvm::divideCeil(n, 2) : n;
}

int64_t mlir::trn::memsetCycles(const Machine &machine, ElementType type,
                                double value, int64_t n) {
  bool fast = value == 0 && byteSize(type) == 2;
  return cyclesOf(n, machine.memsetCyclesPerElement / (fast ? 2 : 1));
}

int64_t mlir::trn::reciprocalCycles(const Machine &machine, int64_t n) {
  return machine.reciprocalCyclesPerElement * n;
}

int64_t mlir::trn::bnAggregateCycles(int64_t n) {
  return llvm::divideCeil(13 * n, 3);
}

int64_t mlir::trn::iotaCycles(const Machine &machine, int64_t n) {
  return machine.iotaStartCycles + n;
}

int64_t mlir::trn::gatherCycles(const Machine &machine, int64_t n) {
  return machine.iotaStartCycles + n;
}

int64_t mlir::trn::partitionReduceCycles(const Machine &machine,
                                         int64_t partitions, int64_t n) {
  int64_t halvings = llvm::Log2_64_Ceil(partitions);
  return machine.iotaStartCycles + n * std::max<int64_t>(halvings, 1);
}
