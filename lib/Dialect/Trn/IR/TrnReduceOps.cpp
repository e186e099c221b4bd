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
  ArrayRef<int64_t> from = getSrc().getType().getShape();
  ArrayRef<int64_t> to = getDst().getType().getShape();
  size_t kept = 0;
  while (kept < std::min(from.size(), to.size()) && from[kept] == to[kept])
    ++kept;
  bool onesFollow =
      llvm::all_of(to.drop_front(kept), [](int64_t size) { return size == 1; });
  if (kept == 0 || !onesFollow) {
    InFlightDiagnostic diagnostic =
        emitOpError("dst must have the first dimensions of src, ");
    llvm::interleave(from, diagnostic, "x");
    diagnostic << ", the partition at least, and then ones, but is ";
    llvm::interleave(to, diagnostic, "x");
    return noteOperand(diagnostic, "dst", getDst());
  }
  // tensor_reduce_c2
  return verifyPartitions(*this, "dst", getDst());
}

LogicalResult PartitionReduceOp::verify() {
  // partition_reduce_c1
  MemRefType src = getSrc().getType(), dst = getDst().getType();
  if (dst.getDimSize(0) != 1 ||
      src.getShape().drop_front() != dst.getShape().drop_front()) {
    InFlightDiagnostic diagnostic =
        emitOpError("dst must have one partition and the free dimensions of "
                    "src, ");
    llvm::interleave(src.getShape().drop_front(), diagnostic, "x");
    diagnostic << ", but is ";
    llvm::interleave(dst.getShape(), diagnostic, "x");
    return noteOperand(diagnostic, "dst", getDst());
  }
  // partition_reduce_c2
  if (failed(verifyPartitions(*this, "src", getSrc())))
    return failure();
  // partition_reduce_c3
  if (getFunction() != ReduceFunction::Add &&
      getFunction() != ReduceFunction::Max)
    return emitOpError("GpSimd folds partitions by add or max, not by ")
           << stringifyReduceFunction(getFunction());
  return success();
}
