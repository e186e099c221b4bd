//===- SharedLoops.cpp - Dimensions that an op walks together -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;

using OfTensor = SharedLoops::OfTensor;

static OfTensor allDims(int64_t rank) {
  return llvm::to_vector_of<int, 4>(llvm::seq<int>(0, rank));
}

/// A loop for each dimension of a tensor.
static SharedLoops walkAlong(Type type) {
  SharedLoops shared;
  for (int64_t size : cast<RankedTensorType>(type).getShape())
    shared.loops.push_back({size, false, !ShapedType::isDynamic(size)});
  return shared;
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

/// Dimensions that are a loop; others, such as d0 + d1, hold their loops back.
static OfTensor readMap(AffineMap map, ArrayRef<int64_t> sizes,
                        SharedLoops &shared) {
  OfTensor dims;
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), sizes)) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    dims.push_back(loop ? int(loop.getPosition()) : -1);
    if (!loop || ShapedType::isDynamic(size))
      expr.walk([&](AffineExpr part) {
        if (auto inside = dyn_cast<AffineDimExpr>(part))
          shared.loops[inside.getPosition()].isSplittable = false;
      });
  }
  return dims;
}

static std::optional<SharedLoops> readLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return std::nullopt;
  SharedLoops shared;
  for (auto [size, kind] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    shared.loops.push_back({size, kind == utils::IteratorType::reduction,
                            !ShapedType::isDynamic(size)});
  for (OpOperand &operand : op->getOpOperands())
    shared.operands.push_back(isa<RankedTensorType>(operand.get().getType())
                                  ? readMap(op.getMatchingIndexingMap(&operand),
                                            op.getShape(&operand), shared)
                                  : OfTensor());
  for (OpResult result : op->getResults())
    shared.results.push_back(
        readMap(op.getIndexingMapMatchingResult(result),
                cast<RankedTensorType>(result.getType()).getShape(), shared));
  // A core does not know which of all indices are its own.
  op->walk([&](linalg::IndexOp index) {
    shared.loops[index.getDim()].isSplittable = false;
  });
  return shared;
}

//===----------------------------------------------------------------------===//
// Ops on all elements, and on slices
//===----------------------------------------------------------------------===//

static std::optional<SharedLoops> readElementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  SharedLoops shared = walkAlong(op->getResult(0).getType());
  for (Type type : op->getOperandTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && size_t(tensor.getRank()) != shared.loops.size())
      return std::nullopt;
    shared.operands.push_back(tensor ? allDims(tensor.getRank()) : OfTensor());
    for (int loop : shared.operands.back())
      shared.loops[loop].isSplittable &= !tensor.isDynamicDim(loop);
  }
  shared.results.push_back(allDims(shared.loops.size()));
  return shared;
}

static SharedLoops readConcat(tensor::ConcatOp op) {
  SharedLoops shared = walkAlong(op.getType());
  shared.loops[op.getDim()].isSplittable = false;
  OfTensor dims = allDims(shared.loops.size());
  shared.operands.assign(op->getNumOperands(), dims);
  shared.results.push_back(dims);
  return shared;
}

static SharedLoops readPad(tensor::PadOp op) {
  SharedLoops shared = walkAlong(op.getType());
  for (auto [loop, low, high] :
       llvm::zip_equal(shared.loops, op.getMixedLowPad(), op.getMixedHighPad()))
    if (!isZeroInteger(low) || !isZeroInteger(high))
      loop.isSplittable = false;
  OfTensor dims = allDims(shared.loops.size());
  shared.operands.assign(op->getNumOperands(), OfTensor());
  shared.operands.front() = dims;
  shared.results.push_back(dims);
  return shared;
}

/// Loops along the dimensions of the tensor that has a slice; `inSlice` are the
/// dimensions of the slice.
static SharedLoops readSlice(OffsetSizeAndStrideOpInterface op,
                             RankedTensorType whole,
                             const llvm::SmallBitVector &dropped,
                             OfTensor &inSlice) {
  SharedLoops shared = walkAlong(whole);
  for (auto [dim, loop] : llvm::enumerate(shared.loops)) {
    bool isAll = op.getStaticSizes()[dim] == loop.size &&
                 op.getStaticOffsets()[dim] == 0 &&
                 op.getStaticStrides()[dim] == 1;
    loop.isSplittable &= isAll && !dropped.test(dim);
    if (!dropped.test(dim))
      inSlice.push_back(dim);
  }
  shared.operands.assign(op->getNumOperands(), OfTensor());
  return shared;
}

static SharedLoops readExtractSlice(tensor::ExtractSliceOp op) {
  OfTensor slice;
  SharedLoops shared =
      readSlice(op, op.getSourceType(), op.getDroppedDims(), slice);
  shared.operands.front() = allDims(shared.loops.size());
  shared.results.push_back(slice);
  return shared;
}

static SharedLoops readInsertSlice(tensor::InsertSliceOp op) {
  OfTensor slice;
  SharedLoops shared =
      readSlice(op, op.getDestType(), op.getDroppedDims(), slice);
  shared.operands[0] = slice;
  shared.operands[1] = allDims(shared.loops.size());
  shared.results.push_back(shared.operands[1]);
  return shared;
}

std::optional<SharedLoops> SharedLoops::read(Operation *op) {
  using Found = std::optional<SharedLoops>;
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case([](linalg::LinalgOp op) { return readLinalg(op); })
      .Case([](tensor::ConcatOp op) { return Found(readConcat(op)); })
      .Case([](tensor::PadOp op) { return Found(readPad(op)); })
      .Case(
          [](tensor::ExtractSliceOp op) { return Found(readExtractSlice(op)); })
      .Case([](tensor::InsertSliceOp op) { return Found(readInsertSlice(op)); })
      .Default([](Operation *op) {
        return op->hasTrait<OpTrait::Elementwise>() || isa<tensor::CastOp>(op)
                   ? readElementwise(op)
                   : Found();
      });
}
