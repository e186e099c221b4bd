//===- TensorMemory.cpp - The memories that tensors live in ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMemory.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

Value mlir::trn::allocateTensor(OpBuilder &builder, Location loc,
                                RankedTensorType type, MemorySpace space) {
  auto alloc =
      bufferization::AllocTensorOp::create(builder, loc, type,
                                           /*dynamicSizes=*/ValueRange(),
                                           /*copy=*/Value());
  alloc.setMemorySpaceAttr(MemorySpaceAttr::get(builder.getContext(), space));
  return alloc;
}

Value mlir::trn::copyTensor(OpBuilder &builder, Location loc, Value source,
                            MemorySpace space) {
  auto type = cast<RankedTensorType>(source.getType());
  Value target = allocateTensor(builder, loc, type, space);
  return bufferization::MaterializeInDestinationOp::create(builder, loc, type,
                                                           source, target)
      .getResult();
}

Value mlir::trn::getOrigin(Value tensor) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(tensor)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop)
        return tensor;
      tensor = loop.getTiedLoopInit(argument)->get();
      continue;
    }
    Operation *op = tensor.getDefiningOp();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      tensor = slice.getSource();
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      tensor = insert.getDest();
    else if (auto store =
                 dyn_cast<bufferization::MaterializeInDestinationOp>(op))
      tensor = store.getDest();
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      tensor = loop.getTiedLoopInit(cast<OpResult>(tensor))->get();
    else if (auto computed = dyn_cast<DestinationStyleOpInterface>(op))
      tensor = computed.getTiedOpOperand(cast<OpResult>(tensor))->get();
    else
      return tensor;
  }
}

std::optional<MemorySpace> mlir::trn::getMemory(Value tensor) {
  Value origin = getOrigin(tensor);
  if (origin.getDefiningOp<bufferization::ToTensorOp>())
    return MemorySpace::Hbm;
  auto alloc = origin.getDefiningOp<bufferization::AllocTensorOp>();
  if (!alloc)
    return std::nullopt;
  auto memory =
      dyn_cast_if_present<MemorySpaceAttr>(alloc.getMemorySpaceAttr());
  return memory ? std::optional(memory.getValue()) : std::nullopt;
}
