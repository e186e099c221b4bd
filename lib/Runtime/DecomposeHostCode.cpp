//===- DecomposeHostCode.cpp - Host code that bufferizes -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCompiler.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether `value` is a tensor that a function is given, or a slice of one. It
/// keeps its values, so nothing can be materialized in it.
static bool isArgument(Value value) {
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<TensorType>(value.getType()) &&
         isa<func::FuncOp>(argument.getOwner()->getParentOp());
}

/// The elements of `gather` one by one.
static void decompose(tensor::GatherOp gather) {
  OpBuilder builder(gather);
  Location loc = gather.getLoc();
  Value source = gather.getSource(), indices = gather.getIndices();
  ArrayRef<int64_t> gathered = gather.getGatherDims();
  int64_t rank = gather.getSourceType().getRank();
  int64_t loops = gather.getIndicesType().getRank() - 1;
  bool keepsDims = gather.getResultType().getRank() == loops + rank;

  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, indices);
  sizes.pop_back();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(gathered, dim))
      sizes.push_back(tensor::getMixedSize(builder, loc, source, dim));
    else if (keepsDims)
      sizes.push_back(builder.getIndexAttr(1));
  Value empty = tensor::EmptyOp::create(
      builder, loc, sizes, gather.getResultType().getElementType());
  auto body = [&](OpBuilder &nested, Location loc, ValueRange) {
    auto indexOf = [&](int64_t loop) -> Value {
      return linalg::IndexOp::create(nested, loc, loop);
    };
    SmallVector<Value> place =
        llvm::map_to_vector(llvm::seq<int64_t>(0, loops), indexOf);
    place.emplace_back();
    SmallVector<Value> element;
    int64_t loop = loops;
    for (int64_t dim = 0; dim < rank; ++dim) {
      const auto *found = llvm::find(gathered, dim);
      if (found == gathered.end()) {
        element.push_back(indexOf(loop++));
        continue;
      }
      loop += keepsDims;
      place.back() =
          arith::ConstantIndexOp::create(nested, loc, found - gathered.begin());
      Value index = tensor::ExtractOp::create(nested, loc, indices, place);
      if (!index.getType().isIndex())
        index = arith::IndexCastOp::create(nested, loc, nested.getIndexType(),
                                           index);
      element.push_back(index);
    }
    Value value = tensor::ExtractOp::create(nested, loc, source, element);
    linalg::YieldOp::create(nested, loc, value);
  };
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(
      builder, loc, empty.getType(), ValueRange(), empty,
      builder.getMultiDimIdentityMap(sizes.size()), iterators, body);
  Value result = copy.getResult(0);
  if (result.getType() != gather.getType())
    result = tensor::CastOp::create(builder, loc, gather.getType(), result);
  gather.getResult().replaceAllUsesWith(result);
  gather.erase();
}

/// Ops that bufferization does not know become ops that it knows.
static LogicalResult decomposeOps(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::AggregatedOpInterface> aggregated;
  SmallVector<linalg::PackOp> packs;
  SmallVector<linalg::UnPackOp> unpacks;
  SmallVector<tensor::GatherOp> gathers;
  module.walk([&](Operation *op) {
    if (auto known = dyn_cast<linalg::AggregatedOpInterface>(op))
      aggregated.push_back(known); // for example linalg.softmax
    else if (auto pack = dyn_cast<linalg::PackOp>(op))
      packs.push_back(pack);
    else if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
      unpacks.push_back(unpack);
    else if (auto gather = dyn_cast<tensor::GatherOp>(op))
      gathers.push_back(gather);
  });
  for (tensor::GatherOp gather : gathers)
    decompose(gather);
  for (linalg::PackOp pack : packs) {
    rewriter.setInsertionPoint(pack);
    if (failed(linalg::lowerPack(rewriter, pack)))
      return pack.emitOpError("cannot be decomposed");
  }
  for (linalg::UnPackOp unpack : unpacks) {
    rewriter.setInsertionPoint(unpack);
    if (failed(linalg::lowerUnPack(rewriter, unpack)))
      return unpack.emitOpError("cannot be decomposed");
  }
  for (linalg::AggregatedOpInterface op : aggregated) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return op.emitOpError("cannot be decomposed");
    rewriter.replaceOp(op, *results);
  }
  module.walk([&](bufferization::MaterializeInDestinationOp op) {
    if (isArgument(op.getDest()))
      rewriter.replaceOp(op, op.getSource());
  });
  RewritePatternSet patterns(module.getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  walkAndApplyPatterns(module, std::move(patterns));
  return success();
}

/// What nothing turns into buffers.
static LogicalResult checkTensorOps(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) -> WalkResult {
    bool usesTensors = llvm::any_of(
        llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes()),
        llvm::IsaPred<TensorType>);
    if (!usesTensors || isa<bufferization::BufferizableOpInterface>(op) ||
        op->hasTrait<OpTrait::ReturnLike>())
      return WalkResult::advance();
    return op->emitOpError("of host code has no lowering to buffers; lower it "
                           "to linalg, tensor or scf first");
  });
  return failure(result.wasInterrupted());
}

LogicalResult mlir::trn::decomposeHostCode(ModuleOp module) {
  if (failed(decomposeOps(module)))
    return failure();
  // Loops of affine may carry tensors. What folds comes
  // behind bufferization.
  RewritePatternSet patterns(module.getContext());
  populateAffineToStdConversionPatterns(patterns);
  walkAndApplyPatterns(module, std::move(patterns));
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  return failure(failed(pm.run(module)) || failed(checkTensorOps(module)));
}
