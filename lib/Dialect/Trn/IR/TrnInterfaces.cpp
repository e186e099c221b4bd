//===- TrnInterfaces.cpp - How ops become instructions --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnInterfaces.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::trn;

#include "trn/Dialect/Trn/IR/TrnInterfaces.cpp.inc"

Engine trn::toEngine(ComputeEngine engine) {
  switch (engine) {
  case ComputeEngine::Tensor:
    return Engine::Tensor;
  case ComputeEngine::Vector:
    return Engine::Vector;
  case ComputeEngine::Scalar:
    return Engine::Scalar;
  case ComputeEngine::GpSimd:
    return Engine::GpSimd;
  }
  llvm_unreachable("unknown engine");
}

void trn::collectInstructionEffects(
    Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto destination = cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<MemorySpace> space = getMemorySpace(operand.get().getType());
    if (!space)
      continue;
    bool init = destination.isDpsInit(&operand);
    if (!init || cast<InstructionOpInterface>(op).mayAccumulate(operand))
      effects.emplace_back(MemoryEffects::Read::get(), &operand,
                           getResource(*space));
    if (init)
      effects.emplace_back(MemoryEffects::Write::get(), &operand,
                           getResource(*space));
  }
}
