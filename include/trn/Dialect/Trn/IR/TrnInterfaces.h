//===- TrnInterfaces.h - From ops to instructions ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNINTERFACES_H
#define TRN_DIALECT_TRN_IR_TRNINTERFACES_H

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/OperandResolver.h"
#include "trn/Program/Instruction.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::trn {

/// The queue of a compute engine.
Engine toEngine(ComputeEngine engine);

/// The effects of an instruction in destination style. Each input is read; each
/// init is written, and read if the op may accumulate. The resource is the
/// memory of the operand.
void collectInstructionEffects(
    Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects);

/// 8-bit types hold weights: no result is i8.
LogicalResult verifyStorage(Operation *op);

/// Replaces operands that are `memref.cast`s by their more static sources.
LogicalResult foldMemRefCasts(Operation *op);

} // namespace mlir::trn

#include "trn/Dialect/Trn/IR/TrnInterfaces.h.inc"

#endif // TRN_DIALECT_TRN_IR_TRNINTERFACES_H
