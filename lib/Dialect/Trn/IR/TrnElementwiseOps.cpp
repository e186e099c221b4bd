//===- TrnElementwiseOps.cpp - Element by element -------------------------===//
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

LogicalResult TensorCopyOp::verify() {
  // tensor_copy_c1
  if (failed(verifySameShape(*this, "src", getSrc(), "dst", getDst())))
    return failure();
  // tensor_copy_c2
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // tensor_copy_c3
  return verifyEngine(*this);
}

LogicalResult ActivationOp::verify() {
  // activation_c1
  if (failed(verifySameShape(*this, "src", getSrc(), "dst", getDst())))
    return failure();
  // activation_c2
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // activation_c3
  if (getScales() && !getScale().isExactlyValue(1.0))
    return emitOpError("scale and scales exclude each other, but both are "
                       "given; drop the constant one");
  // activation_c4
  if (getBiases() && !getBias().isPosZero())
    return emitOpError("bias and biases exclude each other, but both are "
                       "given; drop the constant one");
  // activation_c5
  if (getScales() &&
      failed(verifyColumn(*this, "scales", getScales(), "src", getSrc())))
    return failure();
  // activation_c6
  if (getBiases() &&
      failed(verifyColumn(*this, "biases", getBiases(), "src", getSrc())))
    return failure();
  return success();
}

LogicalResult ActivationOp::verifyOn(const Machine &machine) {
  // activation_m1
  if (!getBias().isPosZero() && !machine.activationScalarBias)
    return emitOpError("the scalar engine of ")
           << machine.name
           << " takes the bias from a tile, but it is a constant; use biases "
              "with one value for each partition";
  return success();
}

LogicalResult TensorTensorOp::verify() {
  // tensor_tensor_c1
  if (failed(verifySameShape(*this, "lhs", getLhs(), "rhs", getRhs())))
    return failure();
  // tensor_tensor_c2
  if (failed(verifySameShape(*this, "lhs", getLhs(), "dst", getDst())))
    return failure();
  // tensor_tensor_c3
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // tensor_tensor_c4
  if (getMemorySpace(getLhs().getType()) == MemorySpace::Psum &&
      getMemorySpace(getRhs().getType()) == MemorySpace::Psum)
    return emitOpError("at most one input may be in psum, but both are; copy "
                       "one of them to sbuf first");
  // tensor_tensor_c5
  return verifyEngine(*this);
}

LogicalResult TensorScalarOp::verify() {
  // tensor_scalar_c1
  if (failed(verifySameShape(*this, "src", getSrc(), "dst", getDst())))
    return failure();
  // tensor_scalar_c2
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // tensor_scalar_c3
  if (getConstant().has_value() == static_cast<bool>(getScalars()))
    return emitOpError("needs either a constant or scalars, but has ")
           << (getScalars() ? "both" : "neither");
  // tensor_scalar_c4
  if (getScalars() &&
      failed(verifyColumn(*this, "scalars", getScalars(), "src", getSrc())))
    return failure();
  // tensor_scalar_c5
  return verifyEngine(*this);
}

LogicalResult ReciprocalOp::verify() {
  // reciprocal_c1
  if (failed(verifySameShape(*this, "src", getSrc(), "dst", getDst())))
    return failure();
  // reciprocal_c2
  return verifyPartitions(*this, "dst", getDst());
}

LogicalResult SelectOp::verify() {
  // select_c1
  if (failed(verifySameShape(*this, "condition", getCondition(), "dst",
                             getDst())) ||
      failed(verifySameShape(*this, "on_true", getOnTrue(), "dst", getDst())) ||
      failed(verifySameShape(*this, "on_false", getOnFalse(), "dst", getDst())))
    return failure();
  // select_c2
  return verifyPartitions(*this, "dst", getDst());
}

LogicalResult MemsetOp::verify() {
  // memset_c1
  return verifyEngine(*this);
}

LogicalResult IotaOp::verify() {
  // iota_c1
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // iota_c2
  constexpr int64_t limit = int64_t(1) << 24;
  for (int64_t parameter : {getStart(), getStep(), getPartitionStep()})
    if (std::abs(parameter) > limit)
      return emitOpError("starts or steps by ")
             << parameter << ", but f32 holds integers exactly only up to "
             << limit << "; count in smaller steps";
  ArrayRef<int64_t> shape = getDst().getType().getShape();
  for (int64_t row : {int64_t(0), shape[0] - 1})
    for (int64_t column : {int64_t(0), shape[1] - 1}) {
      // A row or column beyond the limit is beyond it in small numbers, too.
      int64_t value = getStart() +
                      std::min(row, 4 * limit) * getPartitionStep() +
                      std::min(column, 4 * limit) * getStep();
      if (std::abs(value) > limit)
        return emitOpError("counts to ")
               << value << ", but f32 holds integers exactly only up to "
               << limit << "; count in smaller pieces and add an offset";
    }
  return success();
}
