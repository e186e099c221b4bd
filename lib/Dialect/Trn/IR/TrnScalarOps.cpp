//===- TrnScalarOps.cpp - Elements and scalars ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTiles.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

using namespace mlir;
using namespace mlir::trn;

LogicalResult TensorScalarOp::verify() {
  // tensor_scalar_c1
  if (failed(verifySameShape(*this, "src", getSrc(), "dst", getDst())))
    return failure();
  // tensor_scalar_c2
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // tensor_scalar_c3
  if (failed(verifyScalar(*this, "", getConstant().has_value(), getScalars())))
    return failure();
  // tensor_scalar_c4
  if (getScalars() &&
      failed(verifyColumn(*this, "scalars", getScalars(), "src", getSrc())))
    return failure();
  // tensor_scalar_c6
  bool hasOperand = getThenConstant() || getThenScalars();
  if (!getThenFunction() && (hasOperand || getThenReversed()))
    return emitOpError("has an operand of a second operation, but not which");
  if (getThenFunction() &&
      failed(verifyScalar(*this, "after 'then' ", getThenConstant().has_value(),
                          getThenScalars())))
    return failure();
  // tensor_scalar_c7
  if (getThenScalars() &&
      failed(verifyColumn(*this, "scalars after 'then'", getThenScalars(),
                          "src", getSrc())))
    return failure();
  // tensor_scalar_c8
  if (failed(verifyFold(*this, getReduceFunction().has_value(), getSums(),
                        getAccumulate())))
    return failure();
  // tensor_scalar_c9
  if (getSums() && getThenFunction())
    return emitOpError("reduces the results of two operations, but the vector "
                       "engine reduces those of one; use two instructions");
  // tensor_scalar_c10
  if (getSums() &&
      failed(verifyColumn(*this, "sums", getSums(), "src", getSrc())))
    return failure();
  // tensor_scalar_c5
  return verifyEngine(*this);
}

LogicalResult ScalarTensorTensorOp::verify() {
  // scalar_tensor_tensor_c1
  if (failed(verifySameShape(*this, "src", getSrc(), "dst", getDst())) ||
      failed(verifySameShape(*this, "rhs", getRhs(), "dst", getDst())))
    return failure();
  // scalar_tensor_tensor_c2
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // scalar_tensor_tensor_c3
  if (failed(verifyScalar(*this, "", getConstant().has_value(), getScalars())))
    return failure();
  // scalar_tensor_tensor_c4
  if (getScalars() &&
      failed(verifyColumn(*this, "scalars", getScalars(), "src", getSrc())))
    return failure();
  // scalar_tensor_tensor_c5
  if (failed(verifyOneInPsum(*this, getSrc(), getRhs())))
    return failure();
  // scalar_tensor_tensor_c6
  return verifyEngine(*this);
}

LogicalResult TensorTensorScanOp::verify() {
  // tensor_tensor_scan_c1
  if (failed(verifySameShape(*this, "data0", getData0(), "dst", getDst())) ||
      failed(verifySameShape(*this, "data1", getData1(), "dst", getDst())))
    return failure();
  // tensor_tensor_scan_c2
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // tensor_tensor_scan_c3
  if (getInitial().has_value() == static_cast<bool>(getInitials()))
    return emitOpError("needs either an initial value or initials, but has ")
           << (getInitials() ? "both" : "neither");
  // tensor_tensor_scan_c4
  if (getInitials() && failed(verifyColumn(*this, "initials", getInitials(),
                                           "data0", getData0())))
    return failure();
  // tensor_tensor_scan_c5
  return verifyOneInPsum(*this, getData0(), getData1());
}
