//===- StepsFormat.h - Steps of counts as text ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_DIALECT_TRN_IR_STEPSFORMAT_H
#define TRN_LIB_DIALECT_TRN_IR_STEPSFORMAT_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::trn {

/// `step N` for one step, and `steps [N, ...]`.
ParseResult parseSteps(OpAsmParser &parser, DenseI32ArrayAttr &steps);
void printSteps(OpAsmPrinter &printer, Operation *op, DenseI32ArrayAttr steps);

} // namespace mlir::trn

#endif // TRN_LIB_DIALECT_TRN_IR_STEPSFORMAT_H
