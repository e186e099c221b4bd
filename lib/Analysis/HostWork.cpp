//===- HostWork.cpp - Which ops of host code are work ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostWork.h"

#include "trn/Analysis/Views.h"
#include "trn/Support/HostTensor.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::trn;

/// Takes part of a tensor, or puts one into it.
static bool isScalarAccess(Operation *op) {
  return isa<affine::AffineLoadOp, affine::AffineStoreOp, memref::LoadOp,
             memref::StoreOp, tensor::ExtractOp, tensor::InsertOp>(op);
}

/// Whether `value` is handed on as a buffer, whose rows lie behind each other.
static bool becomesBuffer(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
            user))
      return becomesBuffer(user->getResult(0));
    return isa<bufferization::ToBufferOp>(user);
  });
}

/// Says where data is or what shape it has.
static bool isFree(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>() || isa<CallOpInterface>(op))
    return true;
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return !alloc.getCopy();
  if (auto vector = dyn_cast<tensor::FromElementsOp>(op))
    return vector.getElements().size() == 1; // a scalar
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return isView(slice) || !becomesBuffer(slice);
  return isView(op) || isa<tensor::EmptyOp, UnrealizedConversionCastOp>(op);
}

bool mlir::trn::isHostWork(Operation *op) {
  if (isFree(op))
    return false;
  if (isa<tensor::ParallelInsertSliceOp>(op) ||
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType, VectorType>))
    return true;
  auto isShaped = llvm::IsaPred<ShapedType>;
  bool takesData = llvm::any_of(op->getOperandTypes(), isShaped);
  if (takesData &&
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<FloatType, ComplexType>))
    return true;
  return takesData && hasEffect<MemoryEffects::Write>(op);
}

/// The operands that `op` reads; not those that it only writes to.
static SmallVector<Value> getInputs(Operation *op) {
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return destination.getDpsInputs();
  return op->getOperands();
}

bool mlir::trn::readsData(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return (linalgOp && linalgOp.hasIndexSemantics()) ||
         llvm::any_of(getInputs(op), [](Value value) {
           return isa<ShapedType>(value.getType());
         });
}

static std::optional<int64_t> countBytes(Type type) {
  std::optional<int64_t> count = 1;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    count = shaped.hasRank() ? countElements(shaped.getShape()) : std::nullopt;
    type = shaped.getElementType();
  }
  int64_t parts = 1;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    parts = 2;
    type = complex.getElementType();
  }
  int64_t bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  return count ? llvm::checkedMul<int64_t>(*count,
                                           parts * llvm::divideCeil(bits, 8))
               : std::nullopt;
}

/// The types of what moves.
static SmallVector<Type> getMovedTypes(Operation *op) {
  // Both ways, and nothing of the tensor around it.
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return {insert.getSourceType(), insert.getSourceType()};
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op))
    return {insert.getSourceType(), insert.getSourceType()};
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    return {extract.getType(), extract.getType()};
  SmallVector<Type> types;
  for (Value input : getInputs(op))
    types.push_back(input.getType());
  // Buffers that are written; a tensor is a result.
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    llvm::copy_if(ValueRange(destination.getDpsInits()).getTypes(),
                  std::back_inserter(types), llvm::IsaPred<BaseMemRefType>);
  llvm::append_range(types, op->getResultTypes());
  if (isScalarAccess(op))
    llvm::erase_if(types, [](Type type) {
      return isa<ShapedType>(type) || type.isIndex();
    });
  else if (llvm::any_of(types, llvm::IsaPred<VectorType>))
    llvm::erase_if(types, [](Type type) { return !isa<VectorType>(type); });
  else
    llvm::erase_if(types, [](Type type) { return !isa<ShapedType>(type); });
  return types;
}

std::optional<int64_t> mlir::trn::countMovedBytes(Operation *op) {
  int64_t sum = 0;
  for (Type type : getMovedTypes(op)) {
    std::optional<int64_t> bytes = countBytes(type);
    if (!bytes || llvm::AddOverflow(sum, *bytes, sum))
      return std::nullopt;
  }
  return sum;
}
