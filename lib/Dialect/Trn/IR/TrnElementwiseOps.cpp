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
  // activation_c7
  if (failed(verifyFold(*this, getReduceFunction().has_value(), getSums(),
                        getAccumulate())))
    return failure();
  if (!getSums())
    return success();
  // activation_c8
  if (getReduceFunction() != ReduceFunction::Add)
    return emitOpError("the scalar engine can only add up its results, but the "
                       "reduction is ")
           << stringifyReduceFunction(*getReduceFunction())
           << "; use trn.tensor_reduce";
  // activation_c9
  return verifyColumn(*this, "sums", getSums(), "src", getSrc());
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
  if (failed(verifyOneInPsum(*this, getLhs(), getRhs())))
    return failure();
  // tensor_tensor_c5
  if (failed(verifyEngine(*this)))
    return failure();
  // tensor_tensor_c6
  if (getFunction() == BinaryFunction::Pow)
    for (Value operand : getOperands())
      if (getMemorySpace(operand.getType()) == MemorySpace::Psum)
        return emitOpError("computes powers on GpSimd, which has no port to "
                           "psum; copy the operand to sbuf first");
  return success();
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
  if (failed(verifyEngine(*this)))
    return failure();
  // memset_c2
  auto type = dyn_cast<IntegerType>(getDst().getType().getElementType());
  APFloat value = getValue();
  int64_t end =
      type ? std::min(exactIntegers, int64_t(1) << (type.getWidth() - 1)) : 0;
  bool isHeld = !type || (value.isInteger() &&
                          std::abs(value.convertToDouble()) < double(end) &&
                          !(type.isUnsigned() && value.isNegative()));
  if (isHeld)
    return success();
  return emitOpError("fills a tile of ")
         << type << " with " << value.convertToDouble()
         << ", but an engine leaves integers below " << end << " in magnitude"
         << (type.isUnsigned() ? " that have no sign" : "");
}
