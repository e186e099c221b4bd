//===- Stages.cpp - The stages of a kernel on tensors ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"

#include "TensorMemory.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

using namespace mlir;
using namespace mlir::trn;

bool mlir::trn::isProduct(Operation *op) {
  return isa_and_nonnull<linalg::MatmulOp>(op);
}

bool mlir::trn::isTransposition(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  return generic && generic.getNumDpsInputs() == 1 &&
         generic.getNumLoops() == 2 &&
         generic.getIndexingMapsArray()[0] ==
             AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0},
                                          op->getContext());
}

bool mlir::trn::isStationaryTimesMoving(linalg::MatmulOp product) {
  MLIRContext *context = product.getContext();
  AffineExpr m, n, k;
  bindDims(context, m, n, k);
  return product.getIndexingMapsArray() ==
         SmallVector<AffineMap>{AffineMap::get(3, 0, {k, m}, context),
                                AffineMap::get(3, 0, {k, n}, context),
                                AffineMap::get(3, 0, {m, n}, context)};
}

bool mlir::trn::isEviction(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  return generic && generic.getNumDpsInputs() == 1 &&
         generic.getNumDpsInits() == 1 && generic.getNumLoops() == 2 &&
         linalg::isElementwise(generic) && !isTransposition(op);
}

bool mlir::trn::isInsideStage(Operation *op) {
  return isProduct(op) || isTransposition(op) || isa<linalg::FillOp>(op);
}

linalg::LinalgOp mlir::trn::getProducer(linalg::LinalgOp eviction) {
  Operation *producer = eviction.getDpsInputOperand(0)->get().getDefiningOp();
  if (isProduct(producer) || isTransposition(producer))
    return cast<linalg::LinalgOp>(producer);
  return {};
}

SmallVector<linalg::LinalgOp>
mlir::trn::getProducts(linalg::LinalgOp eviction) {
  SmallVector<linalg::LinalgOp> products;
  for (linalg::LinalgOp op = getProducer(eviction); op && isProduct(op);
       op = op.getDpsInitOperand(0)->get().getDefiningOp<linalg::LinalgOp>())
    products.push_back(op);
  std::reverse(products.begin(), products.end());
  return products;
}

SmallVector<linalg::LinalgOp> mlir::trn::collectStages(Operation *root) {
  SmallVector<linalg::LinalgOp> stages;
  root->walk([&](linalg::LinalgOp op) {
    if (isEviction(op) && op.hasPureTensorSemantics())
      stages.push_back(op);
  });
  return stages;
}

Progress mlir::trn::getProgress(func::FuncOp kernel) {
  if (collectStages(kernel).empty())
    return Progress::Buffers;
  Progress progress = Progress::Products;
  if (kernel.getNumArguments() &&
      llvm::any_of(kernel.getArguments().back().getUsers(),
                   llvm::IsaPred<bufferization::ToTensorOp>))
    progress = Progress::Strips;
  kernel.walk([&](bufferization::AllocTensorOp alloc) {
    std::optional<MemorySpace> memory = getMemory(alloc);
    if (memory == MemorySpace::Psum)
      progress = Progress::Tiles;
    else if (memory == MemorySpace::Sbuf)
      progress = std::max(progress, Progress::Blocks);
  });
  return progress;
}
