//===- TileStrips.cpp - Tile kernels into row strips ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Stages at the level of whole matrices
//
//   %xt = transposition X;  %yt = U^T * %xt;  %o = %yt^T * V
//
// become a loop over strips of block-m rows, with every stage inside it:
//
//   for m0: %xt = transposition X[m0];  %yt = U^T * %xt;  %o[m0] = %yt^T * V
//
// So Y's strip is computed once and is there for all of O's columns: the strip
// cache. `recompute` also loops over block-n columns around all of it.
//
// If the X strip does not fit SBUF, the product that reads it is blocked along
// its contraction, with partial sums that will live in SBUF; if Y's strip does
// not fit, its last rows go to a scratch buffer in HBM.
//
//===----------------------------------------------------------------------===//

#include "BlockContraction.h"
#include "SpillRank.h"
#include "Stages.h"
#include "TensorMemory.h"
#include "TileAndFuse.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/Passes.h"
#include "trn/Transforms/Schedule.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::trn {
#define GEN_PASS_DEF_TILESTRIPS
#include "trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

/// The stages that compute the intermediate Y which `last` reads, or its parts.
static SmallVector<linalg::LinalgOp> findIntermediate(linalg::LinalgOp last) {
  SmallVector<linalg::LinalgOp> stages;
  for (linalg::LinalgOp product : getProducts(last))
    for (Value operand : product.getDpsInputs()) {
      auto stage = operand.getDefiningOp<linalg::LinalgOp>();
      // Explicitly transposed, Y lies one stage further back.
      if (stage && isTransposition(getProducer(stage)))
        stage =
            getProducer(stage)->getOperand(0).getDefiningOp<linalg::LinalgOp>();
      if (stage && isProduct(getProducer(stage)))
        stages.push_back(stage);
    }
  return stages;
}

/// Moves stages right before their first use. A remainder of the block columns
/// uses a Y that was made for all of them: it must not be kept in SBUF while
/// the others compute theirs.
static void sinkStages(Block *block) {
  auto sink = [&](auto accept) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block))) {
      Operation *first = nullptr;
      for (Operation *user : op.getUsers())
        if (Operation *inBlock = block->findAncestorOpInBlock(*user);
            !first || inBlock->isBeforeInBlock(first))
          first = inBlock;
      if (first && accept(&op))
        op.moveBefore(first);
    }
  };
  // Accumulators start right before their own product.
  auto isFill = llvm::IsaPred<linalg::FillOp>;
  sink([&](Operation *op) { return isa<linalg::LinalgOp>(op) && !isFill(op); });
  sink(isFill);
}

/// Lets `root` compute into the result argument itself, strip by strip.
static void writeInPlace(IRRewriter &rewriter, func::FuncOp kernel,
                         linalg::LinalgOp root) {
  rewriter.setInsertionPointToStart(&kernel.front());
  root.setDpsInitOperand(0, bufferization::ToTensorOp::create(
                                rewriter, root.getLoc(),
                                root->getResult(0).getType(),
                                kernel.getArguments().back(), /*restrict=*/true,
                                /*writable=*/true));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether the products of `kernel`, the last of which `root` rounds, are those
/// that its arguments stand for, in the form of trn-implicit-transpose.
static LogicalResult checkProducts(func::FuncOp kernel, linalg::LinalgOp root) {
  SmallVector<linalg::MatmulOp> products;
  kernel.walk([&](linalg::MatmulOp op) { products.push_back(op); });
  for (linalg::MatmulOp product : products)
    if (!isStationaryTimesMoving(product))
      return product.emitOpError("must hold the contraction first in both "
                                 "operands; run trn-implicit-transpose first");
  auto result = cast<MemRefType>(kernel.getArgumentTypes().back());
  if (root->getResult(0).getType() !=
      memref::getTensorTypeFromMemRefType(result))
    return root->emitOpError("must have the type of the result argument, ")
           << result;
  bool isChain = kernel.getNumArguments() == 4;
  if (products.size() != (isChain ? 2u : 1u) ||
      (isChain && findIntermediate(root).size() != 1))
    return kernel.emitError("kernel must hold one product of X and U, or that "
                            "and its product with V");
  return success();
}

namespace {
struct TileStripsPass final : trn::impl::TileStripsBase<TileStripsPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!isKernel(kernel) || getProgress(kernel) != Progress::Products)
      return;
    FailureOr<Schedule> schedule = readPlannedSchedule(kernel);
    if (failed(schedule) ||
        failed(tileKernel(kernel, *schedule, *schedule->blocks)))
      return signalPassFailure();
  }

  LogicalResult tileKernel(func::FuncOp kernel, const Schedule &schedule,
                           const BlockPlan &plan) {
    IRRewriter rewriter(&getContext());
    linalg::LinalgOp root = collectStages(kernel).back();
    if (!isProduct(getProducer(root)))
      return root->emitOpError("must round a product, since it is the last "
                               "stage of a kernel");
    if (failed(checkProducts(kernel, root)))
      return failure();
    writeInPlace(rewriter, kernel, root);
    bool blockColumns =
        schedule.strategy == Strategy::Recompute || plan.rereadX;
    SmallVector<int64_t> sizes{plan.blockM, blockColumns ? plan.blockN : 0};
    if (schedule.outputTransposed)
      std::swap(sizes[0], sizes[1]);
    FailureOr<SmallVector<linalg::LinalgOp>> strips =
        tileAndFuse(rewriter, root, sizes, llvm::IsaPred<linalg::LinalgOp>);
    if (failed(strips))
      return failure();
    // What was fused left unused originals behind.
    (void)runRegionDCE(rewriter, kernel.getBody());
    for (linalg::LinalgOp last : *strips)
      sinkStages(last->getBlock());
    for (linalg::LinalgOp last : *strips)
      if (failed(shapeStrip(rewriter, last, schedule, plan)))
        return failure();
    remark::passed(kernel.getLoc(), remark::RemarkOpts::name("Strips")
                                        .category("trn-tile-strips")
                                        .function(kernel.getName()))
        << remark::metric("block_m", plan.blockM);
    return cleanUp(kernel);
  }

  /// Applies spills and blocked contractions inside one strip, whose last stage
  /// is `last`.
  LogicalResult shapeStrip(IRRewriter &rewriter, linalg::LinalgOp last,
                           const Schedule &schedule, const BlockPlan &plan) {
    bool chain = last->getParentOfType<func::FuncOp>().getNumArguments() == 4;
    int64_t rank = getProducer(last).getStaticLoopRanges()[2];
    if (chain && plan.residentRank < rank)
      spillRank(rewriter, last, plan.residentRank);
    SmallVector<linalg::LinalgOp> blocked{last};
    if (chain)
      blocked = findIntermediate(last);
    // Two block columns may share one Y, which is blocked with the first.
    if (blocked.empty())
      return success();
    int64_t contraction = getProducer(blocked[0]).getStaticLoopRanges()[2];
    if (plan.blockK < contraction)
      blockContraction(rewriter, blocked, plan.blockK,
                       getFloatType(rewriter.getContext(), *plan.partials));
    return success();
  }
};
} // namespace
