//===- TrnBufferOps.cpp - Buffers on chip ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"

using namespace mlir;
using namespace mlir::trn;

void AllocOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0),
                       getResource(*getMemorySpace(getType())));
}

void AllocOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  // Asked for invalid ops, too, when they are printed in a diagnostic.
  OpResult result = getOperation()->getResult(0);
  if (std::optional<MemorySpace> space = getMemorySpace(result.getType()))
    setName(result, stringifyMemorySpace(*space));
}

LogicalResult AllocOp::verify() {
  bool psum = getMemorySpace(getType()) == MemorySpace::Psum;
  // alloc_c1
  if (getBank() && !psum)
    return emitOpError("bank is for buffers in psum, but the buffer is in ")
           << stringifyMemorySpace(*getMemorySpace(getType()))
           << "; a placed sbuf buffer has an offset only";
  // alloc_c2
  if (psum && getBank().has_value() != getOffset().has_value())
    return emitOpError("a placed psum buffer has both a bank and an offset, "
                       "but only the ")
           << (getBank() ? "bank" : "offset") << " is given";
  // alloc_c3
  int64_t elementBytes = byteSize(*getElementType(getType().getElementType()));
  if (getOffset().value_or(0) % elementBytes != 0)
    return emitOpError("offset must be a multiple of the element size, ")
           << elementBytes << " bytes, but is " << *getOffset();
  return success();
}

void DeallocOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Free::get(), &getBufferMutable(),
                       getResource(*getMemorySpace(getBuffer().getType())));
}
