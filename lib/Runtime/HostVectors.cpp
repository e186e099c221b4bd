//===- HostVectors.cpp - Vectors of host code -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transfer between a vector and a buffer is masked along the dims of the
// vector where nobody promises that it stays in bounds. Promises are taken
// back, and what no mask covers is checked.
//
//===----------------------------------------------------------------------===//

#include "HostCompiler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/VectorInterfaces.h"

using namespace mlir;
using namespace mlir::trn;

static void takePromisesBack(VectorTransferOpInterface transfer) {
  Builder builder(transfer.getContext());
  SmallVector<bool> inBounds;
  for (AffineExpr dim : transfer.getPermutationMap().getResults())
    inBounds.push_back(isa<AffineConstantExpr>(dim)); // one element for all
  transfer->setAttr(transfer.getInBoundsAttrName(),
                    builder.getBoolArrayAttr(inBounds));
}

static void checkTransfer(VectorTransferOpInterface transfer,
                          HostCalls &calls) {
  OpBuilder builder(transfer);
  Location loc = transfer.getLoc();
  AffineMap map = transfer.getPermutationMap();
  for (auto [dim, index] : llvm::enumerate(transfer.getIndices())) {
    auto require = [&, dim = dim](arith::CmpIPredicate predicate, Value limit) {
      Value isRight = builder.createOrFold<arith::CmpIOp>(
          loc, predicate, transfer.getIndices()[dim], limit);
      if (!matchPattern(isRight, m_One()))
        calls.require(builder, loc, isRight,
                      calls.addSite(transfer, "runs out of bounds along "
                                              "dimension " +
                                                  Twine(dim)));
    };
    require(arith::CmpIPredicate::sge,
            arith::ConstantIndexOp::create(builder, loc, 0));
    if (!map.isFunctionOfDim(dim))
      require(arith::CmpIPredicate::slt, builder.createOrFold<memref::DimOp>(
                                             loc, transfer.getBase(), dim));
  }
}

void mlir::trn::insertVectorChecks(HostCalls &calls) {
  SmallVector<VectorTransferOpInterface> transfers;
  calls.getModule().walk(
      [&](VectorTransferOpInterface op) { transfers.push_back(op); });
  for (VectorTransferOpInterface transfer : transfers) {
    takePromisesBack(transfer);
    checkTransfer(transfer, calls);
  }
}
