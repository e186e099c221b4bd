//===- RowWork.h - What VectorE takes for rows ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_ROWWORK_H
#define TRN_LIB_PLANNING_ROWWORK_H

#include "trn/Machine/Function.h"
#include "trn/Machine/Work.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::trn::planning {

/// Cycles of `function` of two tiles of `n` columns each.
inline int64_t combineCycles(const Machine &machine, Function function,
                             const OperandInfo &left, const OperandInfo &right,
                             const OperandInfo &target, int64_t n) {
  bool isFast = llvm::is_contained(
      {Function::Add, Function::Sub, Function::Mul}, function);
  return tensorTensorCycles(machine,
                            isFast ? ElementwiseOp::AddSubtractMultiply
                                   : ElementwiseOp::Other,
                            left, right, target, n);
}

/// Cycles of a reduction of `n` columns to one.
inline int64_t reduceCycles(Function function, ElementType source,
                            ElementType target, int64_t n) {
  return tensorReduceCycles(function == Function::Min ? ReduceOp::Other
                                                      : ReduceOp::AddMax,
                            source, target, n);
}

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_ROWWORK_H
