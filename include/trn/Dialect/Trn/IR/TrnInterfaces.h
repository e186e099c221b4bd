//===- TrnInterfaces.h - How ops become instructions ------------*- C++ -*-===//
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

/// The effects of an instruction in destination style: each input is read, each
/// init is written (and read, if the op may accumulate), on the resource of the
/// memory that the operand lives in.
void collectInstructionEffects(
    Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects);

/// Types of 8 bits hold weights: nothing is computed into i8.
LogicalResult verifyStorage(Operation *op);

/// Makes operands that are `memref.cast`s of something more static use it.
LogicalResult foldMemRefCasts(Operation *op);

} // namespace mlir::trn

#include "trn/Dialect/Trn/IR/TrnInterfaces.h.inc"

#endif // TRN_DIALECT_TRN_IR_TRNINTERFACES_H
