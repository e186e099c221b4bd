//===- RemarkHostOps.cpp - Why ops stay on the host -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RemarkHostOps.h"

#include "ElementReaders.h"
#include "KernelRegion.h"
#include "trn/Analysis/HostOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether a kernel computes `value`.
static bool isOfKernel(Value value) {
  auto read = findSource(value).getDefiningOp<bufferization::ToTensorOp>();
  return read && read.getBuffer().getDefiningOp<memref::AllocOp>();
}

/// Why no kernel computes `op`.
static std::string findReason(Operation *op) {
  std::string obstacle = findRegionObstacle(op);
  if (!obstacle.empty())
    return obstacle;
  if (isa<linalg::TransposeOp>(op) ||
      llvm::hasSingleElement(op->getRegion(0).front()))
    return "it only moves elements, and no kernel reads or stores them in "
           "that order";
  if (llvm::none_of(op->getOperands(), isOfKernel))
    return "it does not read the result of a kernel, and beside host code its "
           "own would take a launch";
  for (Value operand : cast<linalg::LinalgOp>(op).getDpsInputs())
    if (operand.getDefiningOp() && !isOfKernel(operand) &&
        !findUniform(operand))
      return "it reads what the host computes, beside the result of a kernel";
  return "the kernel that computes what it reads ends before it";
}

void mlir::trn::remarkHostOps(func::FuncOp func) {
  if (!func.getContext()->getRemarkEngine())
    return;
  for (const HostOp &host : findHostOps(func)) {
    Operation *op = host.op;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (host.isLoad || op->getParentOfType<func::FuncOp>() != func ||
        isa<linalg::FillOp>(op) || (linalgOp && isProductLike(linalgOp)))
      continue;
    remark::missed(op->getLoc(), remark::RemarkOpts::name("Host")
                                     .category("trn-outline-kernels")
                                     .function(func.getName()))
        << remark::reason("{0}", findReason(op));
  }
}
