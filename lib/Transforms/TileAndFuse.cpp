//===- TileAndFuse.cpp - Tile stages, shapes static -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileAndFuse.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::trn;

Value mlir::trn::sliceRows(OpBuilder &builder, Location loc, Value tensor,
                           OpFoldResult offset, int64_t size) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets{offset, builder.getIndexAttr(0)};
  SmallVector<OpFoldResult> sizes{builder.getIndexAttr(size),
                                  builder.getIndexAttr(type.getDimSize(1))};
  SmallVector<OpFoldResult> strides(2, builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, sizes,
                                        strides);
}

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
