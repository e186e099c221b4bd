//===- LinalgToTrn.cpp - Linalg tiles to trn instructions -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A tile product with its accumulator
//
//   linalg.fill 0 -> %sum
//   scf.for %k = %lb ... { linalg.matmul ins(%s, %m) outs(%sum) }
//   linalg.matmul ins(%s2, %m2) outs(%sum)                    (the remainder)
//
// becomes one accumulation group, which starts by overwriting:
//
//   scf.for %k = %lb ... {
//     %more = arith.cmpi ne, %k, %lb
//     trn.matmul stationary(%s) moving(%m) into %sum accumulate(%more)
//   }
//   trn.matmul stationary(%s2) moving(%m2) into %sum accumulate(%true)
//
// Everything else is a conversion op by op.
//
//===----------------------------------------------------------------------===//

#include "trn/Conversion/Passes.h"
#include "trn/Dialect/Trn/IR/Kernel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::trn {
#define GEN_PASS_DEF_LINALGTOTRN
#include "trn/Conversion/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

static std::optional<MemorySpace> spaceOf(Value memref) {
  auto space = dyn_cast_if_present<MemorySpaceAttr>(
      cast<MemRefType>(memref.getType()).getMemorySpace());
  return space ? std::optional(space.getValue()) : std::nullopt;
}

static bool isOnChip(Value memref) {
  std::optional<MemorySpace> space = spaceOf(memref);
  return space && *space != MemorySpace::Hbm;
}

//===----------------------------------------------------------------------===//
// Accumulation groups
//===----------------------------------------------------------------------===//

/// Whether `op` is a product into `accumulator`.
static bool accumulatesInto(Operation &op, Value accumulator) {
  auto matmul = dyn_cast<linalg::MatmulOp>(op);
  return matmul && matmul.getOutputs()[0] == accumulator;
}

static void convertProduct(IRRewriter &rewriter, Operation &op,
                           Value accumulate) {
  auto matmul = cast<linalg::MatmulOp>(op);
  rewriter.setInsertionPoint(matmul);
  rewriter.replaceOpWithNewOp<MatmulOp>(matmul, matmul.getInputs()[0],
                                        matmul.getInputs()[1],
                                        matmul.getOutputs()[0], accumulate);
}

/// Converts the products behind `fill` that accumulate into what it fills.
static LogicalResult convertGroup(IRRewriter &rewriter, linalg::FillOp fill) {
  Value accumulator = fill.getOutputs()[0];
  bool first = true;
  auto always = [&](Location loc) -> Value {
    return first ? Value()
                 : arith::ConstantIntOp::create(rewriter, loc, /*value=*/1,
                                                /*width=*/1);
  };
  for (Operation *op = fill->getNextNode(); op;) {
    Operation *next = op->getNextNode();
    if (accumulatesInto(*op, accumulator)) {
      rewriter.setInsertionPoint(op);
      convertProduct(rewriter, *op, always(op->getLoc()));
      first = false;
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (Operation &nested : llvm::make_early_inc_range(*loop.getBody())) {
        if (!accumulatesInto(nested, accumulator))
          continue;
        rewriter.setInsertionPoint(&nested);
        Value more = always(nested.getLoc());
        if (first)
          more = arith::CmpIOp::create(
              rewriter, nested.getLoc(), arith::CmpIPredicate::ne,
              loop.getInductionVar(), loop.getLowerBound());
        convertProduct(rewriter, nested, more);
        first = false;
      }
    }
    op = next;
  }
  if (first)
    return fill.emitError("fills PSUM, but no product accumulates into it; "
                          "PSUM is written by the tensor engine");
  rewriter.eraseOp(fill);
  return success();
}

//===----------------------------------------------------------------------===//
// Single ops
//===----------------------------------------------------------------------===//

/// Whether `body` yields its first argument, converted or not.
static bool yieldsInput(Block &body) {
  Value value = body.getTerminator()->getOperand(0);
  if (Operation *cast = value.getDefiningOp();
      isa_and_nonnull<arith::TruncFOp, arith::ExtFOp>(cast))
    value = cast->getOperand(0);
  return value == body.getArgument(0);
}

/// Whether `body` yields the sum of its arguments, converted or not.
static bool yieldsSum(Block &body) {
  Value value = body.getTerminator()->getOperand(0);
  if (auto truncate = value.getDefiningOp<arith::TruncFOp>())
    value = truncate.getIn();
  auto add = value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  Value out = add.getLhs();
  if (auto extend = out.getDefiningOp<arith::ExtFOp>())
    out = extend.getIn();
  return out == body.getArgument(1) && add.getRhs() == body.getArgument(0);
}

namespace {
struct ConvertElementwise final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumDpsInputs() != 1 || op.getNumLoops() != 2 ||
        !linalg::isElementwise(op))
      return rewriter.notifyMatchFailure(
          op, "a tile instruction reads one matrix, element by element");
    Value source = op.getInputs()[0], target = op.getOutputs()[0];
    AffineMap map = op.getIndexingMapsArray()[0];
    if (yieldsInput(*op.getBody())) {
      if (map.isIdentity())
        rewriter.replaceOpWithNewOp<TensorCopyOp>(op, source, target);
      else
        rewriter.replaceOpWithNewOp<TransposeOp>(op, source, target);
      return success();
    }
    if (!yieldsSum(*op.getBody()))
      return rewriter.notifyMatchFailure(op, "it neither copies nor adds");
    rewriter.replaceOpWithNewOp<TensorTensorOp>(op, BinaryFunction::Add, source,
                                                target, target);
    return success();
  }
};

struct ConvertCopy final : OpRewritePattern<memref::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::CopyOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<DmaCopyOp>(op, op.getSource(), op.getTarget());
    return success();
  }
};

struct ConvertAlloc final : OpRewritePattern<memref::AllocOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::AllocOp op,
                                PatternRewriter &rewriter) const override {
    if (!isOnChip(op))
      return rewriter.notifyMatchFailure(op, "scratch in HBM stays a memref");
    rewriter.replaceOpWithNewOp<AllocOp>(op, op.getType());
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The zeros that the fills wrote have no place in a program.
static void eraseUnusedScalars(func::FuncOp kernel) {
  kernel.walk([](arith::ConstantOp op) {
    if (op->use_empty())
      op.erase();
  });
}

namespace {
struct LinalgToTrnPass final : trn::impl::LinalgToTrnBase<LinalgToTrnPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!isKernel(kernel))
      return;
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::FillOp> fills;
    kernel.walk([&](linalg::FillOp op) { fills.push_back(op); });
    for (linalg::FillOp fill : fills)
      if (failed(convertGroup(rewriter, fill)))
        return signalPassFailure();

    RewritePatternSet patterns(&getContext());
    patterns.add<ConvertAlloc, ConvertCopy, ConvertElementwise>(&getContext());
    walkAndApplyPatterns(kernel, std::move(patterns));
    eraseUnusedScalars(kernel);
    kernel.walk([&](linalg::LinalgOp op) {
      op->emitOpError("has no trn instruction: a tile is a product of two "
                      "matrices, a transposition, a copy or a sum");
      signalPassFailure();
    });
  }
};
} // namespace
