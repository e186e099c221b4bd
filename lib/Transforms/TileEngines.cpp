//===- TileEngines.cpp - Tile blocks for the tensor engine ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A block in SBUF
//
//   %out = cast(%stationary^T * %moving)
//
// becomes loops over tiles that fit the engine, with the accumulator in PSUM:
//
//   for m by 128: for n by 512:
//     %sum = 0                                       in PSUM
//     for k by 128: %sum += %stationary[k, m]^T * %moving[k, n]
//     %out[m, n] = cast(%sum)
//
// Transpositions likewise: square tiles fill one PSUM tile, which is evicted as
// a whole.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "TensorMemory.h"
#include "TileAndFuse.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/Passes.h"
#include "trn/Transforms/Schedule.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace mlir::trn {
#define GEN_PASS_DEF_TILEENGINES
#include "trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

/// Gives the accumulator of the tile that `eviction` ends a buffer in PSUM.
static void accumulateInPsum(IRRewriter &rewriter, linalg::LinalgOp eviction) {
  linalg::LinalgOp first = getProducer(eviction);
  while (
      auto previous =
          first.getDpsInitOperand(0)->get().getDefiningOp<linalg::LinalgOp>())
    first = previous;
  OpOperand &init = *first.getDpsInitOperand(0);
  rewriter.setInsertionPoint(first);
  init.set(allocateTensor(rewriter, first.getLoc(),
                          cast<RankedTensorType>(init.get().getType()),
                          MemorySpace::Psum));
}

static LogicalResult tileBlock(IRRewriter &rewriter, linalg::LinalgOp block,
                               const Machine &machine) {
  FailureOr<SmallVector<linalg::LinalgOp>> tiles = tileAndFuse(
      rewriter, block, {machine.stationaryFreeMax, machine.movingFreeMax},
      isInsideStage);
  if (failed(tiles))
    return failure();
  for (linalg::LinalgOp tile : *tiles) {
    linalg::LinalgOp producer = getProducer(tile);
    if (!producer)
      continue;
    accumulateInPsum(rewriter, tile);
    // Tiling a product erases it.
    bool transposes = isTransposition(producer);
    for (linalg::LinalgOp product : getProducts(tile))
      if (failed(tileContraction(rewriter, product, machine.partitions)))
        return failure();
    if (transposes &&
        failed(tileAndFuse(rewriter, producer, {0, machine.stationaryFreeMax},
                           [](Operation *) { return false; })))
      return failure();
  }
  return success();
}

namespace {
struct TileEnginesPass final : trn::impl::TileEnginesBase<TileEnginesPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!isKernel(kernel) || getProgress(kernel) >= Progress::Tiles)
      return;
    if (getProgress(kernel) < Progress::Blocks) {
      kernel.emitError("kernel has no blocks; run trn-tile-blocks first");
      return signalPassFailure();
    }
    FailureOr<Machine> machine = getTileLimits(kernel);
    if (failed(machine))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> blocks = collectStages(kernel);
    for (linalg::LinalgOp block : blocks)
      if (failed(tileBlock(rewriter, block, *machine)))
        return signalPassFailure();
    remark::passed(kernel.getLoc(), remark::RemarkOpts::name("Tiles")
                                        .category("trn-tile-engines")
                                        .function(kernel.getName()))
        << remark::metric("blocks", static_cast<int64_t>(blocks.size()));
    if (failed(cleanUp(kernel)))
      return signalPassFailure();
  }
};
} // namespace
