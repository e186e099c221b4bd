//===- BlockContraction.cpp - Block contractions in SBUF ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockContraction.h"

#include "BuildStages.h"
#include "Stages.h"
#include "TensorMemory.h"
#include "TileAndFuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// Replaces product stages that share an operand (the parts of Y) by stages
/// over blocks of the contraction, in one loop.
class ContractionBlocker {
public:
  ContractionBlocker(IRRewriter &rewriter, ArrayRef<linalg::LinalgOp> stages,
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
    fuseSlices(rewriter, product, llvm::IsaPred<linalg::LinalgOp>);
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

void mlir::trn::blockContraction(IRRewriter &rewriter,
                                 ArrayRef<linalg::LinalgOp> stages,
                                 int64_t size, Type partials) {
  ContractionBlocker(rewriter, stages, partials).block(size);
}
