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
// its contraction, with partial sums that will live in SBUF:
//
//   %p = U[0:BK]^T * %xt[0:BK];  for k0: %p += U[k0]^T * %xt[k0];  %yt = %p
//
// If Y's strip does not fit, its last rows go to a scratch buffer in HBM:
//
//   %ya = U[:, 0:res]^T * %xt;  %yb = U[:, res:]^T * %xt
//   %o = %ya^T * V[0:res] + %yb^T * V[res:]
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/Passes.h"
#include "trn/Transforms/Schedule.h"
#include "trn/Transforms/Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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

static bool isLinalg(Operation *op) { return isa<linalg::LinalgOp>(op); }

/// Rows [offset, offset + size) of `tensor`.
static Value sliceRows(OpBuilder &builder, Location loc, Value tensor,
                       OpFoldResult offset, int64_t size) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets{offset, builder.getIndexAttr(0)};
  SmallVector<OpFoldResult> sizes{builder.getIndexAttr(size),
                                  builder.getIndexAttr(type.getDimSize(1))};
  SmallVector<OpFoldResult> strides(2, builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, sizes,
                                        strides);
}

//===----------------------------------------------------------------------===//
// Blocked contractions
//===----------------------------------------------------------------------===//

namespace {
/// Replaces product stages that share an operand (the parts of Y) by stages
/// over blocks of the contraction, in one loop.
class ContractionBlocker {
public:
  ContractionBlocker(IRRewriter &rewriter, SmallVector<linalg::LinalgOp> stages,
                     Type partials)
      : rewriter(rewriter), stages(stages), loc(this->stages[0].getLoc()),
        partials(partials) {}

  void block(int64_t size);

private:
  /// The sums over one block, added to `sums`, or written if there are none.
  SmallVector<Value> addBlock(OpFoldResult offset, int64_t size,
                              ValueRange sums);
  void finish(linalg::LinalgOp stage, Value sums);

  IRRewriter &rewriter;
  SmallVector<linalg::LinalgOp> stages;
  Location loc;
  Type partials;
};
} // namespace

static bool isScratch(Value tensor) {
  return tensor.getDefiningOp<bufferization::AllocTensorOp>();
}

SmallVector<Value> ContractionBlocker::addBlock(OpFoldResult offset,
                                                int64_t size, ValueRange sums) {
  llvm::SmallDenseMap<Value, Value> slices; // shared operands are sliced once
  auto slice = [&](Value operand) {
    Value &part = slices[operand];
    if (!part)
      part = sliceRows(rewriter, loc, operand, offset, size);
    return part;
  };
  SmallVector<Value> results;
  SmallVector<linalg::LinalgOp> products;
  for (auto [index, stage] : llvm::enumerate(stages)) {
    ValueRange inputs = getProducer(stage)->getOperands();
    Location loc = getProducer(stage).getLoc();
    Value sum =
        buildProduct(rewriter, {loc, loc}, slice(inputs[0]),
                     LhsLayout::ContractionFirst, slice(inputs[1]), partials);
    auto written = sum.getDefiningOp<linalg::LinalgOp>();
    products.push_back(getProducer(written));
    if (!sums.empty()) {
      sum = buildAccumulation(rewriter, loc, products.back()->getResult(0),
                              sums[index])
                .getResult(0);
      rewriter.eraseOp(written);
    } else if (isScratch(stage.getDpsInitOperand(0)->get())) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(written);
      written.setDpsInitOperand(
          0,
          allocateTensor(rewriter, loc, cast<RankedTensorType>(sum.getType()),
                         MemorySpace::Hbm));
    }
    results.push_back(sum);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  for (linalg::LinalgOp product : products)
    fuseSlices(rewriter, product, isLinalg);
  return results;
}

void ContractionBlocker::block(int64_t size) {
  int64_t contraction = getProducer(stages[0]).getStaticLoopRanges()[2];
  rewriter.setInsertionPoint(stages.back());
  SmallVector<Value> sums = addBlock(rewriter.getIndexAttr(0), size, {});
  int64_t full = contraction / size * size;
  if (full > size) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    auto loop = scf::ForOp::create(rewriter, loc, constant(size),
                                   constant(full), constant(size), sums);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next =
        addBlock(loop.getInductionVar(), size, loop.getRegionIterArgs());
    rewriter.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(rewriter, loc, next);
    llvm::copy(loop.getResults(), sums.begin());
  }
  if (full < contraction)
    sums = addBlock(rewriter.getIndexAttr(full), contraction - full, sums);
  for (auto [stage, sum] : llvm::zip(stages, sums))
    finish(stage, sum);
}

/// Makes the sums the result of `stage`: they are it already if they have its
/// type and may stay where they are; otherwise they are moved or rounded.
void ContractionBlocker::finish(linalg::LinalgOp stage, Value sums) {
  Value destination = stage.getDpsInitOperand(0)->get();
  rewriter.setInsertionPoint(stage);
  if (sums.getType() != stage->getResult(0).getType())
    sums =
        buildEviction(rewriter, stage.getLoc(), sums, destination).getResult(0);
  else if (!isScratch(destination) &&
           !getOrigin(destination).getDefiningOp<tensor::EmptyOp>())
    sums = bufferization::MaterializeInDestinationOp::create(
               rewriter, stage.getLoc(), sums.getType(), sums, destination)
               .getResult();
  rewriter.replaceOp(stage, sums);
}

//===----------------------------------------------------------------------===//
// Spills
//===----------------------------------------------------------------------===//

/// Splits the contraction of the product behind `last` at `resident`, and what
/// its stationary or moving operand Y holds with it: the second part of Y gets
/// a scratch buffer in HBM.
static void spillRank(IRRewriter &rewriter, linalg::LinalgOp last,
                      int64_t resident) {
  auto product = cast<linalg::MatmulOp>(getProducer(last));
  int64_t rank = product.getStaticLoopRanges()[2];
  unsigned y = isEviction(product.getInputs()[0].getDefiningOp()) ? 0 : 1;
  rewriter.setInsertionPoint(product);
  Value sum = product.getOutputs()[0];
  SmallVector<linalg::LinalgOp> parts;
  for (auto [offset, size] : {std::pair<int64_t, int64_t>(0, resident),
                              {resident, rank - resident}}) {
    if (size == 0)
      continue;
    SmallVector<Value> operands;
    for (Value operand : product.getInputs())
      operands.push_back(sliceRows(rewriter, product.getLoc(), operand,
                                   rewriter.getIndexAttr(offset), size));
    auto part =
        cast<linalg::LinalgOp>(*rewriter.clone(*product.getOperation()));
    parts.push_back(part);
    part->setOperands(0, 2, operands);
    part->setOperand(2, sum);
    sum = part->getResult(0);
    OpBuilder::InsertionGuard guard(rewriter);
    fuseSlices(rewriter, part, isLinalg);
    if (offset == 0 && resident > 0)
      continue;
    auto spilled = part->getOperand(y).getDefiningOp<linalg::LinalgOp>();
    rewriter.setInsertionPoint(spilled);
    spilled.setDpsInitOperand(
        0,
        allocateTensor(rewriter, spilled.getLoc(),
                       cast<RankedTensorType>(spilled->getResult(0).getType()),
                       MemorySpace::Hbm));
  }
  // Both parts of Y come before both products, so that one loop can make them.
  for (linalg::LinalgOp part : parts)
    rewriter.moveOpBefore(part, product);
  rewriter.replaceOp(product, sum);
}

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
  sink([&](Operation *op) { return isLinalg(op) && !isFill(op); });
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
        tileAndFuse(rewriter, root, sizes, isLinalg);
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
      ContractionBlocker(rewriter, blocked,
                         getFloatType(rewriter.getContext(), *plan.partials))
          .block(plan.blockK);
    return success();
  }
};
} // namespace
