//===- OperandResolver.h - Buffers and offsets of operands ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_OPERANDRESOLVER_H
#define TRN_DIALECT_TRN_IR_OPERANDRESOLVER_H

#include "trn/Machine/Machine.h"
#include "trn/Program/Instruction.h"

#include "mlir/IR/Value.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir::trn {

/// The decoder's answers to an op that decodes itself: operands in terms of the
/// program's buffers and loop counters.
class OperandResolver {
public:
  virtual ~OperandResolver() = default;

  /// The elements that a memref covers. Emits an error on failure.
  virtual FailureOr<Access> access(Value memref) = 0;
  /// An i1 as a condition on loop counters. Emits an error on failure.
  virtual FailureOr<Condition> condition(Value i1) = 0;
  virtual const Machine &machine() = 0;
};

} // namespace mlir::trn

#endif // TRN_DIALECT_TRN_IR_OPERANDRESOLVER_H
