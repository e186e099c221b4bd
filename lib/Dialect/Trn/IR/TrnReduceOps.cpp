//===- TrnReduceOps.cpp - Many values into one ----------------------------===//
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

LogicalResult TensorReduceOp::verify() {
  // tensor_reduce_c1
  if (failed(verifyColumn(*this, "dst", getDst(), "src", getSrc())))
    return failure();
  // tensor_reduce_c2
  return verifyPartitions(*this, "dst", getDst());
}
