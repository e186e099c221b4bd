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

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/Passes.h"
#include "trn/Transforms/Schedule.h"
#include "trn/Transforms/Stages.h"

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
  return rows ? transposed(builder, product, lhs) : lhs;
}

/// Emits `product`, rounded as it is, with the lhs given as [k, m]; the result
/// is [m, n], or [n, m] if transposed.
static Value emit(OpBuilder &builder, linalg::MatmulOp product, Value lhs,
                  bool resultTransposed) {
  Value rhs = product.getInputs()[1];
  if (resultTransposed)
    std::swap(lhs, rhs);
  Operation *eviction = *product->user_begin();
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
    if (!isKernel(kernel) || collectStages(kernel).empty())
      return;
    FailureOr<Schedule> schedule = readSchedule(kernel);
    if (failed(schedule))
      return signalPassFailure();
    SmallVector<linalg::MatmulOp> products;
    kernel.walk([&](linalg::MatmulOp op) { products.push_back(op); });
    bufferization::MaterializeInDestinationOp store;
    kernel.walk(
        [&](bufferization::MaterializeInDestinationOp op) { store = op; });
    if (!store || products.empty() || products.size() > 2)
      return;
    auto final = store.getSource().getDefiningOp<linalg::TransposeOp>();

    OpBuilder builder(store);
    Value operand =
        contractionFirst(builder, products[0], products[0].getInputs()[0]);
    if (products.size() == 2) {
      bool implicit = schedule->transpose == TransposeMode::Implicit;
      operand = emit(builder, products[0], operand,
                     /*resultTransposed=*/implicit);
      if (!implicit)
        operand = transposed(builder, products[1], operand);
    }
    linalg::MatmulOp last = products.back();
    Value result = emit(builder, last, operand,
                        /*resultTransposed=*/bool(final));
    store.getSourceMutable().assign(result);
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, kernel->getRegions());
  }
};
} // namespace
