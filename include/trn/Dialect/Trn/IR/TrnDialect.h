//===- TrnDialect.h - The trn dialect ---------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNDIALECT_H
#define TRN_DIALECT_TRN_IR_TRNDIALECT_H

#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnBase.h"
#include "trn/Dialect/Trn/IR/TrnInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir {
class PatternRewriter; // of the generated `canonicalize`
} // namespace mlir

#define GET_OP_CLASSES
#include "trn/Dialect/Trn/IR/TrnOps.h.inc"

#endif // TRN_DIALECT_TRN_IR_TRNDIALECT_H
