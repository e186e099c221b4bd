//===- TrnFolds.cpp - Simpler forms of ops --------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::trn;

LogicalResult trn::foldMemRefCasts(Operation *op) {
  return memref::foldMemRefCast(op);
}

/// A copy of a tile onto itself does nothing.
template <typename Op>
static LogicalResult eraseSelfCopy(Op op, PatternRewriter &rewriter) {
  if (op.getSrc() != op.getDst())
    return rewriter.notifyMatchFailure(op, "src and dst differ");
  rewriter.eraseOp(op);
  return success();
}

LogicalResult DmaCopyOp::canonicalize(DmaCopyOp op, PatternRewriter &rewriter) {
  return eraseSelfCopy(op, rewriter);
}

LogicalResult TensorCopyOp::canonicalize(TensorCopyOp op,
                                         PatternRewriter &rewriter) {
  return eraseSelfCopy(op, rewriter);
}

/// Whether `function(x, constant)` is x for every x, signed zeros included.
static bool isIdentity(BinaryFunction function, const APFloat &constant) {
  switch (function) {
  case BinaryFunction::Mul:
  case BinaryFunction::Div:
    return constant.isExactlyValue(1.0);
  case BinaryFunction::Sub:
    return constant.isPosZero();
  case BinaryFunction::Add:
    return constant.isNegZero();
  default:
    return false;
  }
}

/// An operation with its neutral element is a copy.
LogicalResult TensorScalarOp::canonicalize(TensorScalarOp op,
                                           PatternRewriter &rewriter) {
  std::optional<APFloat> constant = op.getConstant();
  if (!constant || op.getReversed())
    return rewriter.notifyMatchFailure(op, "no constant on the right");
  if (op.getThenFunction() || op.getSums())
    return rewriter.notifyMatchFailure(op, "more than one operation");
  if (!isIdentity(op.getFunction(), *constant))
    return rewriter.notifyMatchFailure(op, "the constant is not neutral");
  rewriter.replaceOpWithNewOp<TensorCopyOp>(op, op.getSrc(), op.getDst(),
                                            op.getAssignedEngine());
  return success();
}
