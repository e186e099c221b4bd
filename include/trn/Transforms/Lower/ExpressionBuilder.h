//===- ExpressionBuilder.h - Bodies of linalg as expressions ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_LOWER_EXPRESSIONBUILDER_H
#define TRN_TRANSFORMS_LOWER_EXPRESSIONBUILDER_H

#include "trn/Planning/Expression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"

namespace mlir::trn {

/// Whether engines can compute `op`, from the body of an element-wise linalg
/// op, in its result type and with its rounding.
bool isExpressible(Operation *op);

/// Turns scalar code into values of an expression.
class ExpressionBuilder {
public:
  /// Makes the value of a scalar that no op computes.
  using Leaf = llvm::function_ref<FailureOr<unsigned>(mlir::Value)>;

  /// The result is rounded to `precision`.
  ExpressionBuilder(planning::Expression &expression, ElementType precision,
                    Leaf leaf)
      : expression(expression), precision(precision), leaf(leaf) {}

  /// The value of `scalar`. Fails, with a diagnostic, at an op that engines
  /// cannot compute.
  FailureOr<unsigned> build(mlir::Value scalar);

private:
  FailureOr<unsigned> buildOp(Operation *op);
  unsigned buildPower(unsigned base, unsigned power, ElementType type);
  FailureOr<unsigned> buildCondition(Operation *op);
  unsigned negate(unsigned condition);
  FailureOr<unsigned> buildSelect(arith::SelectOp op, ElementType type);
  unsigned buildOfBaseTwo(Operation *op, unsigned x, ElementType type);
  unsigned buildExpM1(unsigned x, ElementType type);
  unsigned buildLog1p(unsigned x, ElementType type);
  std::optional<unsigned> foldOp(Operation *op, ArrayRef<unsigned> arguments);
  std::optional<unsigned> skipNeutral(Function function,
                                      ArrayRef<unsigned> arguments) const;
  unsigned apply(Function function, ArrayRef<unsigned> arguments,
                 ElementType type);

  planning::Expression &expression;
  ElementType precision;
  Leaf leaf;
  DenseMap<mlir::Value, unsigned> known;
};

/// Replaces `value` by a single function of the engines, such as silu for x /
/// (1 + exp(-x)), if there is one. Constants in it may be rounded to
/// `precision`.
unsigned recognizeFunction(planning::Expression &expression, unsigned value,
                           ElementType precision);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_LOWER_EXPRESSIONBUILDER_H
