//===- NormalizeProducts.cpp - One form of products -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A linear layer of a batch, as frontends write it
//
//   %t = linalg.transpose %w                       [n, k] -> [k, n]
//   %b = linalg.broadcast %t                       [k, n] -> [b, k, n]
//   %y = linalg.batch_matmul %x, %b                [b, m, n]
//   %o = arith.truncf %y
//
// becomes a product of two matrices that reads the weight as it is stored:
//
//   %x2 = tensor.collapse_shape %x                 [b * m, k]
//   %y2 = linalg.generic (m, k) * (n, k) -> (m, n)
//   %o2 = linalg.generic { arith.truncf }
//   %o = tensor.expand_shape %o2                   [b, m, n]
//
// Each step works with upstream's patterns where there are some:
// - casts on tensors and elementwise ops are generics, shapes are static
// - convolutions without overlaps are products (Convolutions.cpp)
// - weights of 8 bits are widened before and scaled behind (StoredWeights.cpp)
// - products read through what only moves or widens values (ReadThrough.cpp)
// - products whose columns are read apart are several (SplitColumns.cpp)
// - products are products of two matrices (PlainProduct.cpp)
// - reshapes come behind elementwise ops, where they meet the next product's
// - heads that share keys are rows, if these are few (JoinHeads.cpp)
//
//===----------------------------------------------------------------------===//

#include "ElementwiseOps.h"
#include "JoinHeads.h"
#include "NormHeads.h"
#include "NormalizeSteps.h"
#include "OneSpelling.h"
#include "ReadNumbers.h"
#include "RewriteOps.h"
#include "RotateRows.h"
#include "SplitColumns.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Transforms/Normalize/DimRange.h"
#include "trn/Transforms/Normalize/HeadMatcher.h"
#include "trn/Transforms/Normalize/Passes.h"
#include "trn/Transforms/Normalize/ProductLoops.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/ReadThrough.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::trn {
#define GEN_PASS_DEF_NORMALIZEPRODUCTS
#include "trn/Transforms/Normalize/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

/// Whether `op` is a product that can be rewritten.
static bool isNormalizable(linalg::LinalgOp op) {
  auto isPlain = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.getEncoding();
  };
  return op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
         llvm::all_of(op->getOperandTypes(), isPlain) &&
         !op.hasIndexSemantics() && op.getNumDpsInputs() == 2 &&
         op.getNumDpsInits() == 1 && isProductLike(op) && !isPacked(op) &&
         isa<FloatType>(getElementTypeOrSelf(op->getResult(0))) &&
         getElementTypeOrSelf(op->getResult(0)).getIntOrFloatBitWidth() <= 32 &&
         !llvm::is_contained(op.getStaticLoopRanges(), 0);
}

static SmallVector<linalg::LinalgOp> findProducts(func::FuncOp func) {
  SmallVector<linalg::LinalgOp> products;
  func.walk([&](linalg::LinalgOp op) {
    if (isProductLike(op))
      products.push_back(op);
  });
  return products;
}

/// Applies `patterns` to what surrounds products; all else stays as it is.
static void apply(func::FuncOp func, RewritePatternSet patterns) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<linalg::LinalgOp, tensor::CastOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, tensor::ReshapeOp, tensor::ExtractSliceOp,
            tensor::InsertSliceOp>(op))
      ops.push_back(op);
  });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
      .enableConstantCSE(false);
  (void)rewriteOps(func, ops, std::move(patterns), config);
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

/// Elementwise ops around products as generics, and tensors with all that is
/// known of their shapes.
static void generalizeElementwise(func::FuncOp func) {
  MLIRContext *context = func.getContext();
  RewritePatternSet shapes(context);
  context->getLoadedDialect<linalg::LinalgDialect>()
      ->getCanonicalizationPatterns(shapes);
  tensor::CastOp::getCanonicalizationPatterns(shapes, context);
  populateReshapePatterns(shapes);
  addReshapeFolding(shapes);
  apply(func, std::move(shapes));
  RewritePatternSet generics(context);
  linalg::populateElementwiseToLinalgConversionPatterns(generics);
  linalg::populateLinalgNamedOpsGeneralizationPatterns(generics);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps)
      .enableConstantCSE(false)
      .enableFolding(false);
  SmallVector<Operation *> ops = findElementwise(findProducts(func));
  llvm::append_range(ops, findWidenings(func));
  (void)rewriteOps(func, ops, std::move(generics), config);
  freeOutputs(findElementwise(findProducts(func)));
  readFills(func, findElementwise(findProducts(func)));
  fuseConditions(func, findConsumers(findProducts(func)));
  for (Operation *op : findConsumers(findProducts(func)))
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      splitMasks(generic);
}

/// Which dimensions of `value`, which is computed of products, are batches;
/// none if it is computed otherwise. `known` holds those that have been asked
/// for.
static SmallVector<bool>
findBatches(Value value, DenseMap<Value, SmallVector<bool>> &known) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || (!isNormalizable(op) && !isElementwise(op)))
    return {};
  SmallVector<bool> isBatch(op.getNumLoops());
  if (isNormalizable(op)) {
    auto kinds = chooseBatches(op);
    if (!kinds)
      return {};
    for (auto [loop, kind] : llvm::enumerate(*kinds))
      isBatch[loop] = kind == LoopKind::Batch;
  } else {
    for (OpOperand *operand : op.getDpsInputOperands())
      for (auto [index, batch] :
           llvm::zip(op.getMatchingIndexingMap(operand).getResults(),
                     findBatches(operand->get(), known)))
        if (auto loop = dyn_cast<AffineDimExpr>(index); loop && batch)
          isBatch[loop.getPosition()] = true;
  }
  return known[value] = llvm::map_to_vector(
             op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults(),
             [&](AffineExpr index) {
               auto loop = dyn_cast<AffineDimExpr>(index);
               return loop && isBatch[loop.getPosition()];
             });
}

static SmallVector<bool> findBatches(Value value) {
  DenseMap<Value, SmallVector<bool>> known;
  return findBatches(value, known);
}

/// Whether `expand` splits nothing but batches of products.
static bool splitsBatches(tensor::ExpandShapeOp expand) {
  SmallVector<bool> isBatch = findBatches(expand.getSrc());
  return !isBatch.empty() &&
         llvm::all_of_zip(expand.getReassociationIndices(), isBatch,
                          [](const ReassociationIndices &group, bool batch) {
                            return group.size() == 1 || batch;
                          });
}

/// Whether `expand`, of what is computed element by element, splits what are
/// batches of the only op that reads it: so x * cos has the heads that the
/// rotation of x has, which is added to it.
static bool splitsBatchesOfReader(tensor::ExpandShapeOp expand) {
  auto op = expand.getSrc().getDefiningOp<linalg::GenericOp>();
  auto reader = expand->hasOneUse()
                    ? dyn_cast<linalg::GenericOp>(*expand->user_begin())
                    : linalg::GenericOp();
  if (!op || !op.isAllParallelLoops() || !reader ||
      !reader.isAllParallelLoops())
    return false;
  SmallVector<bool> isBatch = findBatches(reader.getResult(0));
  return !isBatch.empty() &&
         reader.getMatchingIndexingMap(&*expand->use_begin()).isIdentity() &&
         reader.getMatchingIndexingMap(reader.getDpsInitOperand(0))
             .isIdentity() &&
         llvm::all_of(expand.getReassociationIndices(),
                      [&](const ReassociationIndices &group) {
                        return group.size() == 1 ||
                               llvm::all_of(group, [&](int64_t dim) {
                                 return isBatch[dim];
                               });
                      });
}

/// Whether `collapse` merges dimensions of a product with batches. What was one
/// before dimensions were split behind the product does not count.
static bool mergesBatches(tensor::CollapseShapeOp collapse) {
  RankedTensorType type = collapse.getSrcType();
  SmallVector<int64_t> origins =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  auto expand = collapse.getSrc().getDefiningOp<tensor::ExpandShapeOp>();
  if (expand)
    for (auto [i, group] : llvm::enumerate(expand.getReassociationIndices()))
      for (int64_t dim : group)
        origins[dim] = i;
  auto mergesSeveral = [&](const ReassociationIndices &group) {
    llvm::SmallDenseSet<int64_t> merged;
    for (int64_t dim : group)
      if (type.getDimSize(dim) != 1)
        merged.insert(origins[dim]);
    return merged.size() > 1;
  };
  Value source = expand ? expand.getSrc() : collapse.getSrc();
  return llvm::is_contained(findBatches(source), true) &&
         llvm::any_of(collapse.getReassociationIndices(), mergesSeveral);
}

/// Whether the reshape of `reshaped` lies between a product and what it could
/// read through, or what could read it through, or hides batches from what is
/// computed of them.
static bool isInTheWay(OpOperand *reshaped) {
  Operation *user = reshaped->getOwner();
  auto isProduct = [](Operation *op) {
    auto linalg = dyn_cast_if_present<linalg::LinalgOp>(op);
    return linalg && isNormalizable(linalg);
  };
  if (auto collapse =
          reshaped->get().getDefiningOp<tensor::CollapseShapeOp>()) {
    Value source = collapse.getSrc();
    if (auto expand = source.getDefiningOp<tensor::ExpandShapeOp>();
        expand &&
        llvm::count(expand.getResultType().getShape(), 1) >=
            expand.getResultType().getRank() - expand.getSrcType().getRank())
      source = expand.getSrc();
    return isProduct(user) && matchMovement(source);
  }
  auto expand = dyn_cast<tensor::ExpandShapeOp>(user);
  if (!expand || !reshaped->get().hasOneUse())
    return false;
  if (splitsBatches(expand) || splitsBatchesOfReader(expand))
    return true;
  if (!expand->hasOneUse() || !isProduct(reshaped->get().getDefiningOp()))
    return false;
  Operation *next = *expand->user_begin();
  return next->getNumResults() == 1 && matchMovement(next->getResult(0));
}

namespace {
/// Upstream moves reshapes through generics only.
struct GeneralizeProduct final : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp>(op) || !isNormalizable(op))
      return failure();
    auto isReshaped = [](OpOperand &operand) { return isInTheWay(&operand); };
    if (llvm::none_of(op->getOpOperands(), isReshaped) &&
        llvm::none_of(op->getUses(), [&](OpOperand &use) {
          return isa<tensor::ExpandShapeOp>(use.getOwner()) && isReshaped(use);
        }))
      return failure();
    return linalg::generalizeNamedOp(rewriter, op);
  }
};
} // namespace

/// Of products that are plain already, dimensions have been moved for that.
static void readThrough(func::FuncOp func, bool arePlain) {
  RewritePatternSet patterns(func.getContext());
  addReshapeFolding(patterns);
  if (!arePlain) {
    patterns.add<GeneralizeProduct>(func.getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, isInTheWay);
  }
  populateReadThroughPatterns(patterns, isNormalizable);
  populateMoveBehindPatterns(patterns, isNormalizable);
  apply(func, std::move(patterns));
}

static void makePlain(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  for (linalg::LinalgOp product : findProducts(func))
    if (isNormalizable(product))
      makePlain(rewriter, product);
}

/// Whether rows that `expand` takes apart are reduced next to `op`, which reads
/// them: then `op` stays there, rather than that its result is stored.
static bool isReducedInParts(tensor::ExpandShapeOp expand,
                             linalg::GenericOp op) {
  return expand.getReassociationIndices().back().size() > 1 &&
         llvm::all_of(op->getUsers(), isReduction);
}

/// Whether it drops the only row of each product of a batch, which its readers
/// are to have, too.
static bool isOneRow(tensor::CollapseShapeOp collapse) {
  auto product = collapse.getSrc().getDefiningOp<linalg::BatchMatmulOp>();
  return product && collapse.getResultType().getRank() == 2 &&
         collapse.getSrcType().getDimSize(1) == 1;
}

static bool isReadByProduct(Operation *op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    auto product = dyn_cast<linalg::LinalgOp>(user);
    return product && isNormalizable(product);
  });
}

/// Whether `value` is a part of matrices that gives `op`, which reads it behind
/// a reshape, its form: what linalg ops compute for it goes before.
static bool isPartOfMatrices(Value value, linalg::GenericOp op) {
  return isPartOfMatrices(value) &&
         llvm::none_of(op.getDpsInputs(), [](Value input) {
           Operation *maker = input.getDefiningOp();
           return isa_and_nonnull<linalg::LinalgOp>(maker) &&
                  !isa<linalg::FillOp>(maker);
         });
}

/// What a linalg op computes, or such a part that is one matrix.
static bool isComputedOrPart(Value value, linalg::GenericOp reader) {
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  return value.getDefiningOp<linalg::LinalgOp>() ||
         isPartOfMatrices(collapse ? collapse.getSrc() : value, reader);
}

/// Elementwise ops come before the reshape of a product's result. What drops
/// dimensions of them and what adds some would undo each other, where one op
/// reads results of both kinds: each has its turn, in which reshapes only sink.
static void sinkReshapes(func::FuncOp func) {
  // In front of products they come first.
  RewritePatternSet before(func.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(
      before, [](OpOperand *operand) {
        return isa<tensor::CollapseShapeOp>(operand->getOwner()) &&
               isReadByProduct(operand->getOwner()) &&
               followsFromInputs(operand->get());
      });
  addReshapeFolding(before);
  apply(func, std::move(before));
  RewritePatternSet fewer(func.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(
      fewer, [](OpOperand *operand) {
        auto expand = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
        auto user = dyn_cast<linalg::GenericOp>(operand->getOwner());
        return expand && user && user.isAllParallelLoops() &&
               isComputedOrPart(expand.getSrc(), user) &&
               !isReducedInParts(expand, user);
      });
  populateDropUnitPatterns(fewer);
  populateRegroupRowsPatterns(fewer);
  addReshapeFolding(fewer);
  apply(func, std::move(fewer));
  // Vectors are rows or columns of products, batches may be merged.
  RewritePatternSet more(func.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      more, [](OpOperand *operand) {
        auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
        auto user = dyn_cast<linalg::GenericOp>(operand->getOwner());
        if (!collapse || !user || !user.isAllParallelLoops())
          return false;
        bool isVector = user.getNumLoops() == 1 &&
                        collapse.getSrc().getDefiningOp<linalg::LinalgOp>();
        return isVector || mergesBatches(collapse) || isOneRow(collapse) ||
               isPartOfMatrices(collapse.getSrc(), user);
      });
  addReshapeFolding(more);
  tensor::populateFoldTensorEmptyPatterns(more);
  populateRegroupRowsPatterns(more);
  apply(func, std::move(more));
}

namespace {
struct NormalizeProductsPass final
    : trn::impl::NormalizeProductsBase<NormalizeProductsPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || isKernel(func))
      return;
    rewriteConvolutions(func);
    for (linalg::LinalgOp product : findProducts(func))
      if (isNormalizable(product))
        multiplyAngles(product);
    if (findProducts(func).empty())
      return;
    for (linalg::LinalgOp product : findProducts(func))
      if (isNormalizable(product))
        widenStoredOperand(product);
    sliceIndices(func);
    generalizeElementwise(func);
    for (linalg::LinalgOp product : findProducts(func))
      if (isNormalizable(product))
        defineAccumulator(product);
    for (linalg::LinalgOp product : findProducts(func))
      if (isNormalizable(product))
        dropUnitBatches(product);
    // The second time, behind reshapes that are gone.
    for (bool arePlain : {false, true}) {
      for (linalg::LinalgOp product : findProducts(func))
        if (isNormalizable(product))
          splitColumns(product);
      func.walk([](tensor::ExtractSliceOp slice) {
        sliceHeads(slice);
        sliceRow(slice);
      });
      readThrough(func, arePlain);
      collapseRows(func);
      ::makePlain(func);
      sinkReshapes(func);
      arrangeHeads(func);
      mergeReshapes(func);
      if (arePlain)
        continue;
      normHeads(func);
      rotateRows(func);
    }
    for (linalg::LinalgOp product : findProducts(func))
      if (isNormalizable(product))
        moveWeightScale(product);
    growRows(func);
    if (joinHeads(func))
      sinkReshapes(func);
    func.walk([](Operation *op) { sliceReshaped(op); });
    readFills(func, findElementwise(findProducts(func)));
    expandScalars(findElementwise(findProducts(func)));
  }
};
} // namespace
