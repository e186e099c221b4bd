//===- NormalizeRows.cpp - Reductions of rows in one form -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Softmax, norms, and what else reduces rows, as frontends print them: with
// dimensions of one index, which are kept where a row is reduced, with indices
// that nobody reads beside a maximum, with broadcasts and casts of their own.
// Here all of it becomes generics without these. So does what is computed
// around columns that move, as rotary embeddings have it (Rotations.cpp). Rows
// in several dimensions become one (CollapseRows.cpp).

#include "ElementwiseOps.h"
#include "JoinedDims.h"
#include "NormHeads.h"
#include "NormalizeSteps.h"
#include "OneSpelling.h"
#include "ReadNumbers.h"
#include "ReduceDims.h"
#include "RewriteOps.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/Passes.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/ReadThrough.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/FoldUtils.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::trn {
#define GEN_PASS_DEF_NORMALIZEROWS
#include "trn/Transforms/Normalize/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

static bool isStaticTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return !type || (type.hasStaticShape() && !type.getEncoding() &&
                   type.getNumElements() != 0);
}

/// Whether `op` transposes a tensor that has dimensions of one index.
static bool isUnitTranspose(Operation *op) {
  auto transpose = dyn_cast<linalg::TransposeOp>(op);
  return transpose && transpose.hasPureTensorSemantics() &&
         llvm::is_contained(transpose.getInput().getType().getShape(), 1);
}

/// Reductions and what moves columns, and what computes element by element
/// before and behind them or far from products.
static SmallVector<Operation *> findRowOps(func::FuncOp func) {
  llvm::SetVector<Operation *> found;
  func.walk([&](Operation *op) {
    if (isReduction(op) || isSelection(op))
      found.insert(op);
  });
  found.insert_range(findLoneElementwise(func));
  // Large matrices are looked at once.
  const llvm::DenseSet<Operation *> origins(found.begin(), found.end());
  auto isPart = [&](Operation *op) {
    return op &&
           (origins.contains(op) || isReshape(op) || isElementwise(op) ||
            isa<linalg::BroadcastOp>(op) || isUnitTranspose(op)) &&
           llvm::all_of(op->getOperands(), isStaticTensor) &&
           llvm::all_of(op->getResults(), isStaticTensor);
  };
  found.remove_if([&](Operation *op) { return !isPart(op); });
  // They become more while they are visited.
  for (size_t i = 0; i < found.size(); ++i) {
    for (Operation *user : found[i]->getUsers())
      if (isPart(user))
        found.insert(user);
    for (Value operand : found[i]->getOperands())
      if (isPart(operand.getDefiningOp()))
        found.insert(operand.getDefiningOp());
  }
  return found.takeVector();
}

/// The softmax of one element is 1, if that is a number and finite.
static Value emitShareOfOne(OpBuilder &builder, linalg::SoftmaxOp op) {
  Type element = op.getInputOperandType().getElementType();
  return emitElementwise(
      builder, op.getLoc(), op.getInput(), element,
      [&](OpBuilder &nested, Location loc, ValueRange values) {
        Value zero = arith::SubFOp::create(nested, loc, values[0], values[0]);
        Value one = arith::ConstantOp::create(
            nested, loc, nested.getFloatAttr(element, 1.0));
        return arith::AddFOp::create(nested, loc, zero, one);
      });
}

static void decomposeSoftmax(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  func.walk([&](linalg::SoftmaxOp op) {
    if (!op.hasPureTensorSemantics() ||
        !llvm::all_of(op->getOperands(), isStaticTensor))
      return;
    rewriter.setInsertionPoint(op);
    if (op.getInputOperandType().getDimSize(op.getDimension()) == 1)
      rewriter.replaceOp(op, emitShareOfOne(rewriter, op));
    else if (auto results = op.decomposeOperation(rewriter); succeeded(results))
      rewriter.replaceOp(op, *results);
  });
}

/// An elementwise generic for each result.
static void splitResults(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  for (Operation *op : findRowOps(func)) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || generic.getNumResults() < 2 || !isElementwise(op) ||
        llvm::any_of(generic.getRegionOutputArgs(),
                     [](Value output) { return !output.use_empty(); }))
      continue;
    rewriter.setInsertionPoint(generic);
    for (auto [i, result] : llvm::enumerate(generic.getResults())) {
      SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
      maps[generic.getNumDpsInputs()] = maps[generic.getNumDpsInputs() + i];
      maps.truncate(generic.getNumDpsInputs() + 1);
      auto part = linalg::GenericOp::create(
          rewriter, generic.getLoc(), result.getType(), generic.getDpsInputs(),
          generic.getDpsInits()[i], maps, generic.getIteratorTypesArray());
      rewriter.cloneRegionBefore(generic.getRegion(), part.getRegion(),
                                 part.getRegion().begin());
      Operation *yield = part.getBody()->getTerminator();
      yield->setOperands(yield->getOperand(i));
      part.getBody()->eraseArguments(maps.size(), generic.getNumResults() - 1);
      rewriter.replaceAllUsesWith(result, part.getResult(0));
    }
    rewriter.eraseOp(generic);
  }
}

/// Applies `patterns` to the row ops of `func` and what becomes of them.
static void apply(func::FuncOp func, RewritePatternSet patterns) {
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
      .enableConstantCSE(false);
  (void)rewriteOps(func, findRowOps(func), std::move(patterns), config);
}

/// What is computed of constants, in bodies and of tensors, becomes one.
static void foldConstants(func::FuncOp func) {
  OperationFolder folder(func.getContext());
  func.walk([&](tensor::ExtractOp op) { (void)folder.tryToFold(op); });
  for (Operation *op : findRowOps(func))
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      for (Operation &inner :
           llvm::make_early_inc_range(generic.getBody()->without_terminator()))
        (void)folder.tryToFold(&inner);
}

/// A generic that writes one constant is a fill.
static void fillConstants(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  func.walk([&](linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
        !op.isAllParallelLoops())
      return;
    Value yielded = op.getBody()->getTerminator()->getOperand(0);
    if (!matchPattern(yielded, m_Constant()))
      return;
    rewriter.setInsertionPoint(op);
    Operation *constant = rewriter.clone(*yielded.getDefiningOp());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, constant->getResult(0),
                                                op.getDpsInits()[0]);
  });
}

static void makeGeneric(func::FuncOp func) {
  RewritePatternSet patterns(func.getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  linalg::populateLinalgNamedOpsGeneralizationPatterns(patterns);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  apply(func, std::move(patterns));
  freeOutputs(findRowOps(func));
}

/// What `tensor` is as one row, or one element of a column.
static Value asRow(RewriterBase &rewriter, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin(), 1);
  return reshapeInit(rewriter, tensor, type.clone(shape));
}

/// Lets `op`, which runs over one row, run over a dimension of one row, too.
static void addRowLoop(RewriterBase &rewriter, linalg::GenericOp op) {
  unsigned loops = op.getNumLoops() + 1;
  AffineExpr row = rewriter.getAffineDimExpr(0);
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand).shiftDims(1);
    SmallVector<AffineExpr> indices(map.getResults());
    indices.insert(indices.begin(), row);
    maps.push_back(AffineMap::get(loops, 0, indices, op.getContext()));
    operands.push_back(asRow(rewriter, operand.get()));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin(), utils::IteratorType::parallel);
  auto created = linalg::GenericOp::create(
      rewriter, op.getLoc(), operands.back().getType(),
      ArrayRef(operands).drop_back(), operands.back(), maps, iterators);
  rewriter.inlineRegionBefore(op.getRegion(), created.getRegion(),
                              created.getRegion().begin());
  for (auto index : created.getBody()->getOps<linalg::IndexOp>())
    index.setDim(index.getDim() + 1);
  rewriter.replaceOp(
      op, reshape(rewriter, op.getLoc(), created.getResult(0),
                  cast<RankedTensorType>(op.getResult(0).getType())));
}

/// Matrices of one row have lost it. Where that is reduced, it comes back.
static void addRows(func::FuncOp func) {
  SmallVector<Operation *> ops = findRowOps(func);
  auto isOneRow = [](Operation *op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    return generic && generic.getNumLoops() <= 1 &&
           generic.getNumDpsInits() == 1;
  };
  if (llvm::none_of(
          ops, [&](Operation *op) { return isOneRow(op) && isReduction(op); }))
    return;
  IRRewriter rewriter(func.getContext());
  for (Operation *op : ops)
    if (isOneRow(op)) {
      rewriter.setInsertionPoint(op);
      addRowLoop(rewriter, cast<linalg::GenericOp>(op));
    }
}

/// Reductions of one element, as of the scores of one token, compute it of the
/// number that they begin with.
static void computeSingles(func::FuncOp func) {
  for (Operation *op : findRowOps(func)) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || generic.getNumDpsInits() != 1 || !isReduction(op) ||
        generic.hasDynamicShape())
      continue;
    auto isSingle = [](auto loop) {
      auto [size, kind] = loop;
      return size == 1 || kind == utils::IteratorType::parallel;
    };
    auto fill = generic.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
    if (!fill || !matchPattern(fill.getInputs()[0], m_Constant()) ||
        !llvm::all_of(llvm::zip_equal(generic.getStaticLoopRanges(),
                                      generic.getIteratorTypesArray()),
                      isSingle))
      continue;
    generic.getRegionOutputArgs()[0].replaceAllUsesWith(fill.getInputs()[0]);
    IRRewriter rewriter(op);
    SmallVector<Attribute> kinds(
        generic.getNumLoops(),
        linalg::IteratorTypeAttr::get(op->getContext(),
                                      utils::IteratorType::parallel));
    generic.setIteratorTypesAttr(rewriter.getArrayAttr(kinds));
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    generic.getDpsInitsMutable().assign(tensor::EmptyOp::create(
        rewriter, op->getLoc(), type.getShape(), type.getElementType()));
    auto dropped = linalg::dropUnitDims(rewriter, generic, {});
    if (succeeded(dropped))
      rewriter.replaceOp(generic, dropped->replacements);
  }
}

/// Loops over one index, and dimensions of it, go, and so do broadcasts.
static void dropUnits(func::FuncOp func) {
  computeSingles(func);
  IRRewriter rewriter(func.getContext());
  linalg::ControlDropUnitDims options;
  for (Operation *op : findRowOps(func))
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      rewriter.setInsertionPoint(generic);
      if (auto dropped = linalg::dropUnitDims(rewriter, generic, options);
          succeeded(dropped))
        rewriter.replaceOp(generic, dropped->replacements);
    }
  addRows(func);
  RewritePatternSet patterns(func.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  populateReshapePatterns(patterns);
  addReshapeFolding(patterns);
  populateReadThroughPatterns(patterns, [](linalg::LinalgOp) { return false; });
  linalg::FillOp::getCanonicalizationPatterns(patterns, func.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  apply(func, std::move(patterns));
}

/// Generics that read keys, repeated for the heads that share them, as those of
/// all heads, read them as those of groups: so nobody repeats them.
static void readRepeated(func::FuncOp func) {
  RewritePatternSet patterns(func.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns, [](OpOperand *operand) {
        auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
        auto movement = collapse ? matchMovement(collapse.getSrc())
                                 : std::optional<Movement>();
        return movement && isa<linalg::GenericOp>(operand->getOwner()) &&
               movement->map.getNumResults() < movement->map.getNumDims();
      });
  addReshapeFolding(patterns);
  populateReshapePatterns(patterns);
  apply(func, std::move(patterns));
}

/// Lets `op` read conditions and integers that are repeated, as for all heads,
/// as they were before: what they become is as small.
static void readConditions(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops())
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto movement = getElementTypeOrSelf(operand->get()).isInteger()
                        ? matchMovement(operand->get())
                        : std::optional<Movement>();
    if (!movement)
      continue;
    AffineMap &map = maps[operand->getOperandNumber()];
    map = movement->map.compose(map);
    operand->set(movement->source);
  }
  op.setIndexingMapsAttr(Builder(op).getAffineMapArrayAttr(maps));
}

/// Reductions reduce one dimension, in the form that suits it.
static void reduceDims(func::FuncOp func) {
  if (reduceOneDim(func)) {
    addRows(func);
    RewritePatternSet patterns(func.getContext());
    addReshapeFolding(patterns);
    linalg::FillOp::getCanonicalizationPatterns(patterns, func.getContext());
    apply(func, std::move(patterns));
  }
  if (!rewriteOuterReductions(func))
    return;
  // What is computed of the result comes before its reshape.
  RewritePatternSet patterns(func.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(
      patterns, [](OpOperand *operand) {
        auto expand = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
        auto user = dyn_cast<linalg::GenericOp>(operand->getOwner());
        return expand && user && user.isAllParallelLoops() &&
               expand.getSrc().getDefiningOp<linalg::GenericOp>();
      });
  addReshapeFolding(patterns);
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isReshape(op) || isElementwise(op))
      ops.push_back(op);
  });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
      .enableConstantCSE(false);
  (void)rewriteOps(func, ops, std::move(patterns), config);
}

/// One spelling of row ops.
static void spellAlike(func::FuncOp func) {
  makeGeneric(func);
  splitResults(func);
  fuseConditions(func, findRowOps(func));
  readFills(func, findRowOps(func));
  for (Operation *op : findRowOps(func))
    if (auto generic = dyn_cast<linalg::GenericOp>(op);
        generic && isReduction(op))
      defineStart(generic);
}

namespace {
struct NormalizeRowsPass final
    : trn::impl::NormalizeRowsBase<NormalizeRowsPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || isKernel(func))
      return;
    countLoops(func);
    joinInserts(func);
    joinHalves(func);
    sliceIndices(func);
    decomposeSoftmax(func);
    func.walk([](Operation *op) { rewriteRotation(op); });
    func.walk([](linalg::TransposeOp op) { rewriteReturnedTranspose(op); });
    if (findRowOps(func).empty())
      return splitConcats(func);
    spellAlike(func);
    splitConcats(func);
    // Row ops read the parts of what was put together.
    spellAlike(func);
    foldConstants(func);
    fillConstants(func);
    readFills(func, findRowOps(func));
    for (Operation *op : findRowOps(func))
      if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
        readConditions(generic);
        splitMasks(generic);
      }
    dropUnits(func);
    readRepeated(func);
    reduceDims(func);
    normHeads(func);
    collapseRows(func);
    FailureOr<Machine> machine = getMachine(func);
    if (failed(machine))
      return signalPassFailure();
    flattenElements(func, *machine);
    mergeReshapes(func);
    expandScalars(findRowOps(func));
  }
};
} // namespace
