//===- TileBlocks.cpp - Tile stages into blocks in SBUF -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Inside a strip, a stage
//
//   %yt = U^T * %xt                    U in HBM, %xt the strip of X^T
//
// becomes a loop over the blocks of its weight, with what moves between HBM and
// SBUF copied as a whole:
//
//   %x = copy of %xt in SBUF, if it comes from HBM       once for the strip
//   for r0:
//     %u = copy of U[:, r0] in SBUF
//     %yt[r0] = %u^T * %x
//
// A result that belongs in HBM is collected in an SBUF block and stored at the
// end of the iteration; a partial sum in HBM is loaded first.
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
#define GEN_PASS_DEF_TILEBLOCKS
#include "trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

/// The kernel argument that `tensor` is a part of; null if it is none.
static BlockArgument getArgument(Value tensor) {
  auto input = getOrigin(tensor).getDefiningOp<bufferization::ToTensorOp>();
  return input ? dyn_cast<BlockArgument>(input.getBuffer()) : BlockArgument();
}

static bool isInHbm(Value tensor) {
  return getMemory(tensor) == MemorySpace::Hbm;
}

/// A scratch buffer in HBM, which spilled rows live in.
static bool isScratch(Value tensor) {
  return isInHbm(tensor) && !getArgument(tensor);
}

/// Whether the body of `op` reads the previous value of its result.
static bool updatesResult(linalg::LinalgOp op) {
  return op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

//===----------------------------------------------------------------------===//
// Copies between HBM and SBUF
//===----------------------------------------------------------------------===//

static void loadOperand(IRRewriter &rewriter, OpOperand &operand) {
  Value value = operand.get();
  rewriter.setInsertionPoint(operand.getOwner());
  // The value may be a slice, which has the location of its reader.
  operand.set(copyTensor(rewriter, getOrigin(value).getLoc(), value,
                         MemorySpace::Sbuf));
}

/// Gives the result of `stage` a buffer in SBUF; if it belongs in HBM, it is
/// copied there behind the stage.
static void placeResult(IRRewriter &rewriter, linalg::LinalgOp stage) {
  OpOperand &init = *stage.getDpsInitOperand(0);
  Value destination = init.get();
  Location loc = stage.getLoc();
  auto type = cast<RankedTensorType>(destination.getType());
  if (getMemory(destination) == MemorySpace::Sbuf)
    return;
  rewriter.setInsertionPoint(stage);
  if (!isInHbm(destination)) {
    init.set(allocateTensor(rewriter, loc, type, MemorySpace::Sbuf));
    return;
  }
  init.set(updatesResult(stage)
               ? copyTensor(rewriter, loc, destination, MemorySpace::Sbuf)
               : allocateTensor(rewriter, loc, type, MemorySpace::Sbuf));
  rewriter.setInsertionPointAfter(stage);
  auto store = bufferization::MaterializeInDestinationOp::create(
      rewriter, loc, type, stage->getResult(0), destination);
  rewriter.replaceAllUsesExcept(stage->getResult(0), store.getResult(), store);
}

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

namespace {
class BlockTiler {
public:
  BlockTiler(const BlockPlan &plan, const Machine &machine, func::FuncOp kernel)
      : plan(plan), machine(machine), kernel(kernel),
        rewriter(kernel.getContext()) {}

  LogicalResult run();

private:
  LogicalResult tileStage(linalg::LinalgOp stage);
  /// Block sizes of the dims of `stage`; 0 where a block is all of the strip.
  SmallVector<int64_t> blockSizes(linalg::LinalgOp stage);
  LogicalResult reloadSpills(linalg::LinalgOp stage);

  const BlockPlan &plan;
  const Machine &machine;
  func::FuncOp kernel;
  IRRewriter rewriter;
};
} // namespace

SmallVector<int64_t> BlockTiler::blockSizes(linalg::LinalgOp stage) {
  bool stored = getArgument(stage.getDpsInitOperand(0)->get()) ==
                kernel.getArguments().back();
  linalg::LinalgOp producer = getProducer(stage);
  // X^T[k, m]: raw X blocks of moving-tile rows by block-x columns.
  if (isTransposition(producer))
    return getArgument(producer.getDpsInputs()[0])
               ? SmallVector<int64_t>{plan.blockX, machine.movingFreeMax}
               : SmallVector<int64_t>{0, 0};
  // Rounding a strip of partial sums to the result.
  if (!producer)
    return {0, stored ? plan.blockN : 0};
  // The operand that is a weight (not X, which was loaded for the strip) gives
  // its dim the block size.
  SmallVector<int64_t> sizes;
  int64_t block = stored || plan.blockR == 0 ? plan.blockN : plan.blockR;
  for (Value operand : producer.getDpsInputs())
    sizes.push_back(getArgument(operand) ? block : 0);
  return sizes;
}

/// Loads the spilled rows of Y that `stage` reads, by pieces of the strip that
/// are as wide as a moving tile.
LogicalResult BlockTiler::reloadSpills(linalg::LinalgOp stage) {
  SmallVector<int64_t> sizes(2, 0);
  for (linalg::LinalgOp product : getProducts(stage))
    for (auto [dim, operand] : llvm::enumerate(product.getDpsInputs()))
      if (isScratch(operand))
        sizes[dim] = machine.movingFreeMax;
  if (sizes == SmallVector<int64_t>{0, 0})
    return success();
  FailureOr<SmallVector<linalg::LinalgOp>> pieces =
      tileAndFuse(rewriter, stage, sizes, isInsideStage);
  if (failed(pieces))
    return failure();
  for (linalg::LinalgOp piece : *pieces)
    for (linalg::LinalgOp product : getProducts(piece))
      for (OpOperand *operand : product.getDpsInputOperands())
        if (isScratch(operand->get()))
          loadOperand(rewriter, *operand);
  return success();
}

LogicalResult BlockTiler::tileStage(linalg::LinalgOp stage) {
  // X^T, where it arrives as such, is loaded once for the strip.
  Value x = kernel.getArgument(0);
  for (linalg::LinalgOp product : getProducts(stage))
    for (OpOperand *operand : product.getDpsInputOperands())
      if (getArgument(operand->get()) == x)
        loadOperand(rewriter, *operand);
  // An intermediate result stays in SBUF for the strip.
  Value destination = stage.getDpsInitOperand(0)->get();
  if (!isInHbm(destination))
    placeResult(rewriter, stage);

  SmallVector<int64_t> sizes = blockSizes(stage);
  FailureOr<SmallVector<linalg::LinalgOp>> blocks =
      tileAndFuse(rewriter, stage, sizes, isInsideStage);
  if (failed(blocks))
    return failure();
  for (linalg::LinalgOp block : *blocks) {
    placeResult(rewriter, block);
    linalg::LinalgOp producer = getProducer(block);
    if (isTransposition(producer) && isInHbm(producer.getDpsInputs()[0]))
      loadOperand(rewriter, *producer.getDpsInputOperand(0));
    for (linalg::LinalgOp product : getProducts(block))
      for (OpOperand *operand : product.getDpsInputOperands())
        if (getArgument(operand->get()))
          loadOperand(rewriter, *operand);
    if (failed(reloadSpills(block)))
      return failure();
  }
  return success();
}

LogicalResult BlockTiler::run() {
  SmallVector<linalg::LinalgOp> stages = collectStages(kernel);
  for (linalg::LinalgOp stage : stages)
    if (failed(tileStage(stage)))
      return failure();
  remark::passed(kernel.getLoc(), remark::RemarkOpts::name("Blocks")
                                      .category("trn-tile-blocks")
                                      .function(kernel.getName()))
      << remark::metric("stages", static_cast<int64_t>(stages.size()))
      << remark::metric("block_r", plan.blockR)
      << remark::metric("block_n", plan.blockN);
  return cleanUp(kernel);
}

namespace {
struct TileBlocksPass final : trn::impl::TileBlocksBase<TileBlocksPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!isKernel(kernel) || getProgress(kernel) >= Progress::Blocks)
      return;
    if (getProgress(kernel) < Progress::Strips) {
      kernel.emitError("kernel has no strips; run trn-tile-strips first");
      return signalPassFailure();
    }
    FailureOr<Schedule> schedule = readPlannedSchedule(kernel);
    FailureOr<Machine> machine = getTileLimits(kernel);
    if (failed(schedule) || failed(machine) ||
        failed(BlockTiler(*schedule->blocks, *machine, kernel).run()))
      return signalPassFailure();
  }
};
} // namespace
