//===- ImplicitTranspose.cpp - Write products as stationary^T * moving ----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Before (one product; X as rows, result as columns):
//
//   %o = matmul X[m, k], W[k, n]; transpose
//
// After: whichever operand has the rows of the result is stationary.
//
//   %xt = transposition of X                        (a stage of its own)
//   %o = matmul (k, m), (k, n) -> (m, n) ins(W, %xt)
//
// In a chain the first product's result is wanted as [r, m], because that is
// the stationary operand of the second one; so U is stationary and X^T moves.
//
//===----------------------------------------------------------------------===//

#include "BuildStages.h"
#include "Stages.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/Passes.h"
#include "trn/Transforms/Schedule.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::trn {
#define GEN_PASS_DEF_IMPLICITTRANSPOSE
#include "trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

static Value transposed(OpBuilder &builder, linalg::MatmulOp product,
                        Value value) {
  remark::passed(product.getLoc(), remark::RemarkOpts::name("Transposition")
                                       .category("trn-implicit-transpose"))
      << "transposes an operand on chip";
  return buildTransposition(builder, product.getLoc(), value);
}

/// The left operand of `product` as [k, m].
static Value contractionFirst(OpBuilder &builder, linalg::MatmulOp product,
                              Value lhs) {
  AffineMap map = product.getIndexingMapsArray()[0];
  bool rows = map.getResult(1) == getAffineDimExpr(2, map.getContext());
  return !rows ? lhs : transposed(builder, product, lhs);
}

namespace {
/// The chain of a kernel, as trn-outline-kernels writes it.
struct ChainOps {
  bufferization::MaterializeInDestinationOp store;
  bool resultTransposed = false;
  /// Products and their evictions, in program order.
  SmallVector<std::pair<linalg::MatmulOp, linalg::LinalgOp>, 2> stages;
};
} // namespace

/// Whether `value` is argument `index` of `kernel`, as a tensor.
static bool isArgument(Value value, func::FuncOp kernel, unsigned index) {
  auto input = value.getDefiningOp<bufferization::ToTensorOp>();
  return input && input.getBuffer() == kernel.getArgument(index);
}

/// Follows what `kernel` stores back to its arguments.
static FailureOr<ChainOps> findChain(func::FuncOp kernel) {
  ChainOps chain;
  kernel.walk(
      [&](bufferization::MaterializeInDestinationOp op) { chain.store = op; });
  if (!chain.store || chain.store.getDest() != kernel.getArguments().back())
    return failure();
  Value value = chain.store.getSource();
  if (auto transpose = value.getDefiningOp<linalg::TransposeOp>()) {
    chain.resultTransposed = true;
    value = transpose.getInput();
  }
  unsigned products = kernel.getNumArguments() - 2;
  for (unsigned left = products; left > 0; --left) {
    auto eviction = value.getDefiningOp<linalg::LinalgOp>();
    if (!eviction || !isEviction(eviction))
      return failure();
    auto product = dyn_cast_if_present<linalg::MatmulOp>(getProducer(eviction));
    if (!product || !isArgument(product.getInputs()[1], kernel, left))
      return failure();
    chain.stages.insert(chain.stages.begin(), {product, eviction});
    value = product.getInputs()[0];
  }
  if (!isArgument(value, kernel, 0))
    return failure();
  return chain;
}

/// Whether every product of `kernel` is written as stationary^T * moving.
static bool isRewritten(func::FuncOp kernel) {
  auto result = kernel.walk([](linalg::LinalgOp op) {
    auto product = dyn_cast<linalg::MatmulOp>(*op);
    bool fine = product ? isStationaryTimesMoving(product)
                        : !isa<linalg::TransposeOp>(*op);
    return fine ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// Emits `product`, rounded as `eviction` does, with the lhs given as [k, m];
/// the result is [m, n], or [n, m] if transposed.
static Value emit(OpBuilder &builder, linalg::MatmulOp product,
                  linalg::LinalgOp eviction, Value lhs, bool resultTransposed) {
  Value rhs = product.getInputs()[1];
  if (resultTransposed)
    std::swap(lhs, rhs);
  auto type = cast<RankedTensorType>(eviction->getResult(0).getType());
  return buildProduct(builder, {product.getLoc(), eviction->getLoc()}, lhs,
                      LhsLayout::ContractionFirst, rhs, type.getElementType());
}

namespace {
struct ImplicitTransposePass final
    : trn::impl::ImplicitTransposeBase<ImplicitTransposePass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!isKernel(kernel) || getProgress(kernel) != Progress::Products)
      return;
    FailureOr<Schedule> schedule = readSchedule(kernel);
    if (failed(schedule))
      return signalPassFailure();
    if (isRewritten(kernel))
      return;
    FailureOr<ChainOps> chain = findChain(kernel);
    if (failed(chain)) {
      kernel.emitError(
          "kernel must store the rounded product of its arguments, "
          "in their order, as trn-outline-kernels writes it");
      return signalPassFailure();
    }
    rewrite(*chain, schedule->transpose);
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, kernel->getRegions());
  }

  void rewrite(ChainOps &chain, TransposeMode transpose) {
    OpBuilder builder(chain.store);
    auto [first, firstEviction] = chain.stages.front();
    auto [last, lastEviction] = chain.stages.back();
    Value operand = contractionFirst(builder, first, first.getInputs()[0]);
    if (chain.stages.size() == 2) {
      bool implicit = transpose == TransposeMode::Implicit;
      operand = emit(builder, first, firstEviction, operand,
                     /*resultTransposed=*/implicit);
      if (!implicit)
        operand = transposed(builder, last, operand);
    }
    chain.store.getSourceMutable().assign(
        emit(builder, last, lastEviction, operand, chain.resultTransposed));
  }
};
} // namespace
