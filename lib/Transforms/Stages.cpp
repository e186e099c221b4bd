//===- Stages.cpp - The stages of a kernel on tensors ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Stages.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::trn;

//===----------------------------------------------------------------------===//
// Building stages
//===----------------------------------------------------------------------===//

static Value createEmpty(OpBuilder &builder, Location loc,
                         ArrayRef<int64_t> shape, Type type) {
  return tensor::EmptyOp::create(builder, loc, shape, type);
}

/// Converts a scalar float to `type`, which may be the type that it has.
static Value convertFloat(OpBuilder &builder, Location loc, Value value,
                          Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(builder, loc, type, value);
  return value;
}

static linalg::GenericOp
buildElementwise(OpBuilder &builder, Location loc, Value source,
                 Value destination, AffineMap sourceMap,
                 function_ref<Value(OpBuilder &, Value in, Value out)> body) {
  auto type = cast<RankedTensorType>(destination.getType());
  SmallVector<AffineMap> maps{sourceMap,
                              builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, loc, type, source, destination, maps, iterators,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
        Value value = body(nested, args[0], args[1]);
        linalg::YieldOp::create(
            nested, nestedLoc,
            convertFloat(nested, nestedLoc, value, type.getElementType()));
      });
}

linalg::GenericOp mlir::trn::buildEviction(OpBuilder &builder, Location loc,
                                           Value source, Value destination) {
  return buildElementwise(builder, loc, source, destination,
                          builder.getMultiDimIdentityMap(2),
                          [](OpBuilder &, Value in, Value) { return in; });
}

linalg::GenericOp mlir::trn::buildAccumulation(OpBuilder &builder, Location loc,
                                               Value source,
                                               Value destination) {
  return buildElementwise(
      builder, loc, source, destination, builder.getMultiDimIdentityMap(2),
      [&](OpBuilder &nested, Value in, Value out) -> Value {
        Value wide = convertFloat(nested, loc, out, in.getType());
        return arith::AddFOp::create(nested, loc, wide, in);
      });
}

Value mlir::trn::buildProduct(OpBuilder &builder, ProductLocation locations,
                              Value lhs, LhsLayout layout, Value rhs,
                              Type type) {
  Location loc = locations.product;
  bool contractionFirst = layout == LhsLayout::ContractionFirst;
  SmallVector<int64_t> shape{
      cast<RankedTensorType>(lhs.getType()).getDimSize(contractionFirst),
      cast<RankedTensorType>(rhs.getType()).getDimSize(1)};
  Type f32 = builder.getF32Type();
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
  Value init = linalg::FillOp::create(builder, loc, zero,
                                      createEmpty(builder, loc, shape, f32))
                   .getResult(0);
  AffineExpr m, n, k;
  bindDims(builder.getContext(), m, n, k);
  auto map = [&](AffineExpr row, AffineExpr column) {
    return AffineMap::get(3, 0, {row, column}, builder.getContext());
  };
  NamedAttribute maps = builder.getNamedAttr(
      "indexing_maps",
      builder.getAffineMapArrayAttr(
          {contractionFirst ? map(k, m) : map(m, k), map(k, n), map(m, n)}));
  Value sum = linalg::MatmulOp::create(builder, loc, init.getType(),
                                       ValueRange{lhs, rhs}, init, maps)
                  .getResult(0);
  return buildEviction(builder, locations.eviction, sum,
                       createEmpty(builder, loc, shape, type))
      .getResult(0);
}

Value mlir::trn::buildTransposition(OpBuilder &builder, Location loc,
                                    Value source) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape{type.getDimSize(1), type.getDimSize(0)};
  auto swap = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0},
                                           builder.getContext());
  Value transposed =
      buildElementwise(builder, loc, source,
                       createEmpty(builder, loc, shape, builder.getF32Type()),
                       swap, [](OpBuilder &, Value in, Value) { return in; })
          .getResult(0);
  return buildEviction(builder, loc, transposed,
                       createEmpty(builder, loc, shape, type.getElementType()))
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Recognising stages
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Rewriting stages
//===----------------------------------------------------------------------===//

LogicalResult mlir::trn::cleanUp(Operation *op) {
  MLIRContext *context = op->getContext();
  RewritePatternSet patterns(context);
  context->getLoadedDialect<linalg::LinalgDialect>()
      ->getCanonicalizationPatterns(patterns);
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns, context);
  tensor::InsertSliceOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  scf::ForOp::getCanonicalizationPatterns(patterns, context);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  return applyPatternsGreedily(op, std::move(patterns));
}

void mlir::trn::fuseSlices(RewriterBase &rewriter, linalg::LinalgOp op,
                           function_ref<bool(Operation *)> fuse) {
  SmallVector<Operation *> worklist{op};
  while (!worklist.empty()) {
    Operation *consumer = worklist.pop_back_val();
    for (OpOperand &operand : consumer->getOpOperands()) {
      auto slice = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice)
        continue;
      if (slice.getType() == slice.getSourceType()) {
        rewriter.replaceOp(slice, slice.getSource());
        continue;
      }
      auto producer = dyn_cast<OpResult>(slice.getSource());
      if (!producer || !fuse(producer.getOwner()))
        continue;
      rewriter.setInsertionPoint(slice);
      FailureOr<TilingResult> fused =
          tensor::replaceExtractSliceWithTiledProducer(rewriter, slice,
                                                       producer);
      if (failed(fused))
        continue;
      rewriter.replaceOp(slice, fused->tiledValues[0]);
      llvm::append_range(worklist, fused->tiledOps);
    }
  }
}

/// Splits `root`, and what `fuse` accepts of its producers with it, so that
/// every part's iteration domain is a multiple of `sizes` or smaller than it.
static SmallVector<linalg::LinalgOp>
splitRemainders(RewriterBase &rewriter, linalg::LinalgOp root,
                ArrayRef<int64_t> sizes, function_ref<bool(Operation *)> fuse) {
  SmallVector<linalg::LinalgOp> parts{root};
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    int64_t range = ranges[dim];
    if (size == 0 || range <= size || range % size == 0)
      continue;
    SmallVector<linalg::LinalgOp> remainders;
    for (linalg::LinalgOp &part : parts) {
      rewriter.setInsertionPoint(part);
      auto [full, remainder] =
          linalg::splitOp(rewriter, cast<TilingInterface>(*part), dim,
                          rewriter.getIndexAttr(range - range % size));
      part = cast<linalg::LinalgOp>(*full);
      remainders.push_back(cast<linalg::LinalgOp>(*remainder));
      fuseSlices(rewriter, part, fuse);
      fuseSlices(rewriter, remainders.back(), fuse);
    }
    parts.append(remainders);
  }
  return parts;
}

static FailureOr<linalg::LinalgOp>
tileAndFuseExactly(RewriterBase &rewriter, linalg::LinalgOp root,
                   ArrayRef<int64_t> sizes,
                   function_ref<bool(Operation *)> fuse) {
  SmallVector<OpFoldResult> tileSizes;
  bool tiled = false;
  for (auto [range, size] : llvm::zip(root.getStaticLoopRanges(), sizes)) {
    bool loops = size != 0 && size < range;
    tileSizes.push_back(rewriter.getIndexAttr(loops ? size : 0));
    tiled |= loops;
  }
  if (!tiled)
    return root;
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(tileSizes);
  options.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (!fuse(producer.getOwner()))
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(*root), options);
  if (failed(result))
    return root->emitOpError("cannot be tiled");
  linalg::LinalgOp tile = cast<linalg::LinalgOp>(result->tiledAndFusedOps[0]);
  rewriter.replaceOp(root, result->replacements.lookup(root->getResult(0)));
  return tile;
}

FailureOr<SmallVector<linalg::LinalgOp>>
mlir::trn::tileAndFuse(RewriterBase &rewriter, linalg::LinalgOp root,
                       ArrayRef<int64_t> sizes,
                       function_ref<bool(Operation *)> fuse) {
  SmallVector<linalg::LinalgOp> parts =
      splitRemainders(rewriter, root, sizes, fuse);
  for (linalg::LinalgOp &part : parts) {
    FailureOr<linalg::LinalgOp> tile =
        tileAndFuseExactly(rewriter, part, sizes, fuse);
    if (failed(tile))
      return failure();
    part = *tile;
  }
  return parts;
}

LogicalResult mlir::trn::tileContraction(RewriterBase &rewriter,
                                         linalg::LinalgOp product,
                                         int64_t size) {
  const unsigned contraction = 2; // of (m, n, k)
  for (linalg::LinalgOp part :
       splitRemainders(rewriter, product, {0, 0, size},
                       [](Operation *) { return false; })) {
    if (part.getStaticLoopRanges()[contraction] <= size)
      continue;
    scf::SCFTilingOptions options;
    options.setTileSizes({rewriter.getIndexAttr(0), rewriter.getIndexAttr(0),
                          rewriter.getIndexAttr(size)});
    options.setReductionDims({contraction});
    rewriter.setInsertionPoint(part);
    FailureOr<scf::SCFTilingResult> result =
        scf::tileUsingSCF(rewriter, cast<TilingInterface>(*part), options);
    if (failed(result))
      return part->emitOpError("cannot be tiled along its contraction");
    rewriter.replaceOp(part, result->replacements);
  }
  return success();
}
