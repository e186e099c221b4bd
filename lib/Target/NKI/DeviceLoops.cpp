//===- DeviceLoops.cpp - Loops that run on the device ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLoops.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

uint64_t nki::countInstructions(const KernelReading &kernel, scf::ForOp loop) {
  uint64_t count = 0;
  loop->walk([&](InstructionOpInterface op) {
    uint64_t runs = 1;
    for (auto around = op->getParentOfType<scf::ForOp>();;
         around = around->getParentOfType<scf::ForOp>()) {
      runs = llvm::SaturatingMultiply<uint64_t>(runs, kernel.tripCount(around));
      if (around == loop)
        break;
    }
    count = llvm::SaturatingAdd(count, runs);
  });
  return count;
}

static int64_t coefficientOf(const LinearExpr &expr, int32_t loop) {
  for (const LinearExpr::Term &term : expr.terms)
    if (term.loop == loop)
      return term.coefficient;
  return 0;
}

std::optional<int64_t> nki::findDeviceStep(const KernelReading &kernel,
                                           scf::ForOp loop) {
  int32_t number = kernel.numberOf(loop);
  std::optional<int64_t> step;
  bool differsElsewhere = false;
  loop->walk([&](Operation *op) {
    differsElsewhere |= isa<InstructionOpInterface>(op) && !isInstruction(op);
    if (!isInstruction(op))
      return;
    if (auto matmul = dyn_cast<MatmulOp>(op))
      differsElsewhere |= coefficientOf(kernel.adds(matmul).expr, number);
    for (Value operand : op->getOperands()) {
      if (!isa<MemRefType>(operand.getType()))
        continue;
      Access access = kernel.access(operand, op);
      const Tensor &tensor = kernel.tensorOf(access);
      int64_t moved = coefficientOf(access.offset, number);
      if (!moved && !coefficientOf(access.partition, number))
        continue;
      ArrayRef<int64_t> shape = tensor.type.getShape();
      // The outermost dimension that the iterations move along.
      int64_t indices = 0;
      for (int64_t stride : stridesOf(shape))
        if (!indices && moved % stride == 0)
          indices = moved / stride;
      differsElsewhere |=
          tensor.isOnChip() || indices < 1 || step.value_or(indices) != indices;
      step = indices;
    }
  });
  return differsElsewhere ? std::nullopt : step;
}

std::string DeviceLoop::takeRegister(LinearExpr &offset,
                                     ArrayRef<int64_t> shape) const {
  int64_t moved = coefficientOf(offset, number);
  if (!moved)
    return "";
  offset += LinearExpr::counter(number, -moved);
  SmallVector<int64_t, 4> strides = stridesOf(shape);
  auto dim = llvm::find(strides, moved / step) - strides.begin();
  return ", scalar_offset=" + name + ", indirect_dim=" + std::to_string(dim);
}
