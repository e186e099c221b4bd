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

using namespace mlir::trn;

static int64_t atLeastMinimum(const Machine &machine, int64_t cycles) {
  return std::max(machine.minCycles, cycles);
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

int64_t mlir::trn::activationCycles(const Machine &machine, int64_t n) {
  return atLeastMinimum(machine, n);
}

int64_t mlir::trn::activationReduceCycles(const Machine &machine, int64_t n) {
  return activationCycles(machine, n) + machine.reduceExtraCycles;
}

int64_t mlir::trn::tensorCopyCycles(const Machine &machine,
                                    const OperandInfo &source,
                                    const OperandInfo &target, int64_t n) {
  int64_t elementsPerCycle = 1;
  if (source.isNarrow() && target.isNarrow()) {
    bool plain = !source.inPsum && !target.inPsum && source.contiguous &&
                 target.contiguous;
    elementsPerCycle =
        plain ? machine.vectorFastCopy : machine.vectorFastCopyMixed;
  }
  return atLeastMinimum(machine, llvm::divideCeil(n, elementsPerCycle));
}

int64_t mlir::trn::tensorScalarCycles(const Machine &machine,
                                      const OperandInfo &source,
                                      const OperandInfo &target, int64_t n) {
  return tensorCopyCycles(machine, source, target, n);
}

int64_t mlir::trn::tensorScalarReduceCycles(const Machine &machine, int64_t n) {
  return atLeastMinimum(machine, n) + machine.reduceExtraCycles;
}

int64_t mlir::trn::tensorTensorCycles(const Machine &machine, ElementwiseOp op,
                                      const OperandInfo &lhs,
                                      const OperandInfo &rhs,
                                      const OperandInfo &target, int64_t n) {
  if (lhs.inPsum != rhs.inPsum)
    return atLeastMinimum(machine, n);
  auto isFast = [](const OperandInfo &operand) {
    return operand.type == ElementType::BF16 && operand.contiguous &&
           !operand.inPsum;
  };
  if (op == ElementwiseOp::AddSubtractMultiply && isFast(lhs) && isFast(rhs) &&
      isFast(target))
    return atLeastMinimum(machine, n);
  bool narrow = lhs.isNarrow() && rhs.isNarrow() && target.isNarrow();
  int64_t factor = narrow && !lhs.inPsum ? machine.vectorFastTensorTensor : 1;
  return atLeastMinimum(machine, llvm::divideCeil(2 * n, factor));
}

int64_t mlir::trn::scalarTensorTensorCycles(const Machine &machine,
                                            ElementwiseOp op, ElementType lhs,
                                            ElementType rhs, int64_t n) {
  bool fast = op == ElementwiseOp::AddSubtractMultiply &&
              lhs == ElementType::BF16 && rhs == ElementType::BF16 &&
              n % 2 == 0;
  return atLeastMinimum(machine, fast ? n : 2 * n);
}

int64_t mlir::trn::tensorTensorScanCycles(const Machine &machine, int64_t n) {
  return atLeastMinimum(machine, 2 * n);
}

int64_t mlir::trn::tensorReduceCycles(const Machine &machine, ReduceOp op,
                                      ElementType source, ElementType target,
                                      int64_t n) {
  bool fast = op == ReduceOp::AddMax && source == ElementType::BF16 &&
              target == ElementType::BF16;
  return atLeastMinimum(machine, fast ? llvm::divideCeil(n, 2) : n);
}

int64_t mlir::trn::memsetCycles(const Machine &machine, ElementType type,
                                double value, int64_t n) {
  bool fast = value == 0 && byteSize(type) == 2;
  return atLeastMinimum(machine, fast ? llvm::divideCeil(n, 2) : n);
}

int64_t mlir::trn::reciprocalCycles(const Machine &machine, int64_t n) {
  return atLeastMinimum(machine, machine.reciprocalCyclesPerElement * n);
}

int64_t mlir::trn::selectCycles(const Machine &machine, int64_t n) {
  return atLeastMinimum(machine, n);
}

int64_t mlir::trn::bnStatsCycles(const Machine &machine, int64_t n) {
  return atLeastMinimum(machine, n);
}

int64_t mlir::trn::bnAggregateCycles(const Machine &machine, int64_t n) {
  return atLeastMinimum(machine, llvm::divideCeil(13 * n, 3));
}

int64_t mlir::trn::vectorTransposeCycles(const Machine &machine, int64_t n) {
  return atLeastMinimum(machine, n);
}

int64_t mlir::trn::iotaCycles(const Machine &machine, int64_t n) {
  return machine.iotaStartCycles + n;
}
