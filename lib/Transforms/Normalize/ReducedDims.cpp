//===- ReducedDims.cpp - Reductions of several dimensions -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A kernel reduces one dimension. Neighbours that are reduced together, as the
// height and width of an image, become one, also where a norm computes with
// them element by element:
//
//   %m = linalg.generic (sum) %x                 [2, 8, 14, 14] -> [2, 8]
//   %c = linalg.generic (difference) %x, %m
//
// becomes
//
//   %y = tensor.collapse_shape %x                [2, 8, 196]
//   %m = linalg.generic (sum) %y
//   %c = linalg.generic (difference) %y, %m
//
// Others are reduced one after the other, and so are neighbours of few results:
// the rows that are reduced first are more.

#include "NormalizeSteps.h"
#include "ReduceDims.h"
#include "TensorType.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;
using utils::IteratorType;

/// Whether `op` is static, and what it reads lies as its loops run.
static bool isPlain(linalg::GenericOp op) {
  return op && op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 &&
         !op.hasDynamicShape() && !op.hasIndexSemantics() &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

bool mlir::trn::isPlainReduction(linalg::GenericOp op) {
  return isPlain(op) && isReduction(op) &&
         isInOrder(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
}

/// What `op` starts with, in a tensor of this shape.
static Value emitStart(OpBuilder &builder, linalg::GenericOp op,
                       ArrayRef<int64_t> shape) {
  Value init = op.getDpsInits()[0];
  RankedTensorType type = typeOf(init).clone(shape);
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    return emitFill(builder, op.getLoc(), fill.getInputs()[0], type);
  DenseElementsAttr start;
  matchPattern(init, m_Constant(&start));
  return arith::ConstantOp::create(builder, op.getLoc(),
                                   start.resizeSplat(type));
}

/// Reduces the last loop of `op`, which reduces several, before the others.
static void reduceLastFirst(RewriterBase &rewriter, linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  unsigned last = reduced.back(), loops = op.getNumLoops();
  SmallVector<AffineExpr> kept;
  SmallVector<int64_t> shape;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (loop != last) {
      kept.push_back(rewriter.getAffineDimExpr(loop));
      shape.push_back(size);
    }
  SmallVector<IteratorType> iterators = op.getIteratorTypesArray();
  for (unsigned loop : ArrayRef(reduced).drop_back())
    iterators[loop] = IteratorType::parallel;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap result = maps.back();
  maps.back() = AffineMap::get(loops, 0, kept, op.getContext());
  Value start = emitStart(rewriter, op, shape);
  auto first =
      linalg::GenericOp::create(rewriter, op.getLoc(), start.getType(),
                                op.getDpsInputs(), start, maps, iterators);
  rewriter.cloneRegionBefore(op.getRegion(), first.getRegion(),
                             first.getRegion().begin());
  // The others, of which the later ones have moved up.
  SmallVector<AffineExpr> loopsLeft;
  for (unsigned loop = 0; loop < loops; ++loop)
    loopsLeft.push_back(
        rewriter.getAffineDimExpr(loop > last ? loop - 1 : loop));
  iterators = op.getIteratorTypesArray();
  iterators.erase(iterators.begin() + last);
  Operation *fold =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  auto second = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResult(0).getType(), first.getResult(0),
      op.getDpsInits()[0],
      {rewriter.getMultiDimIdentityMap(loops - 1),
       result.replaceDimsAndSymbols(loopsLeft, {}, loops - 1, 0)},
      iterators, [&](OpBuilder &nested, Location loc, ValueRange values) {
        Operation *folded = nested.clone(*fold);
        folded->setOperands(values);
        linalg::YieldOp::create(nested, loc, folded->getResults());
      });
  rewriter.replaceOp(op, second);
}

/// The longest run of neighbours that `op` reduces.
static ReassociationIndices findRun(linalg::GenericOp op) {
  ReassociationIndices longest, run;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (type != IteratorType::reduction)
      run.clear();
    else
      run.push_back(loop);
    if (run.size() > longest.size())
      longest = run;
  }
  return longest;
}

/// Whether all that `op` reads and writes has all loops, or none of `run`.
static bool hasAllOrNone(linalg::GenericOp op, ArrayRef<int64_t> run) {
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return map.isIdentity() || llvm::none_of(run, [&](int64_t loop) {
             return map.isFunctionOfDim(loop);
           });
  });
}

/// `reduction` and what computes with the same elements, which may have `run`
/// as one loop, too.
static SmallVector<linalg::GenericOp> findGroup(linalg::GenericOp reduction,
                                                ArrayRef<int64_t> run) {
  llvm::SetVector<Operation *> group;
  group.insert(reduction);
  auto add = [&](Operation *op) {
    auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
    if (isPlain(generic) && generic->getBlock() == reduction->getBlock() &&
        generic.getStaticLoopRanges() == reduction.getStaticLoopRanges() &&
        (generic.isAllParallelLoops() ||
         (isReduction(op) && generic.getIteratorTypesArray() ==
                                 reduction.getIteratorTypesArray())) &&
        hasAllOrNone(generic, run))
      group.insert(op);
  };
  // It grows while it is visited.
  for (size_t i = 0; i < group.size(); ++i) {
    auto op = cast<linalg::GenericOp>(group[i]);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!op.getMatchingIndexingMap(&operand).isIdentity())
        continue;
      Value value = op.isDpsInit(&operand) ? op.getResult(0) : operand.get();
      if (op.isDpsInput(&operand))
        add(value.getDefiningOp());
      for (OpOperand &use : value.getUses())
        if (auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
            user && user.getMatchingIndexingMap(&use).isIdentity())
          add(user);
    }
  }
  SmallVector<linalg::GenericOp> ops;
  for (Operation *op : group)
    ops.push_back(cast<linalg::GenericOp>(op));
  llvm::sort(ops, [](linalg::GenericOp a, linalg::GenericOp b) {
    return a->isBeforeInBlock(b);
  });
  return ops;
}

/// Makes neighbours that `op` reduces one dimension of its whole group.
static bool collapseNeighbours(RewriterBase &rewriter, linalg::GenericOp op) {
  ReassociationIndices run = findRun(op);
  if (run.size() < 2 || !hasAllOrNone(op, run))
    return false;
  SmallVector<linalg::GenericOp> group = findGroup(op, run);
  bool isAlone = llvm::all_of(group, [&](linalg::GenericOp other) {
    return other == op || other.getNumDpsInputs() == 1;
  });
  if (isAlone &&
      ShapedType::getNumElements(typeOf(op.getResult(0)).getShape()) < fewRows)
    return false;
  SmallVector<ReassociationIndices> loops;
  for (int64_t loop = 0; loop < op.getNumLoops(); ++loop)
    if (loop == run.front())
      loops.push_back(run);
    else if (loop < run.front() || loop > run.back())
      loops.push_back({loop});
  for (linalg::GenericOp each : group) {
    rewriter.setInsertionPoint(each);
    if (auto collapsed = linalg::collapseOpIterationDims(each, loops, rewriter);
        succeeded(collapsed))
      rewriter.replaceOp(each, collapsed->results);
  }
  return true;
}

/// The next reduction of several loops.
static linalg::GenericOp findNext(func::FuncOp func) {
  linalg::GenericOp found;
  func.walk([&](linalg::GenericOp op) {
    if (!isPlainReduction(op) || op.getNumReductionLoops() < 2 ||
        !matchFold(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// The larger one of two factors of `count`, as equal as can be, if both are
/// few enough slices; else 1.
static int64_t findFactor(int64_t count) {
  for (int64_t factor = 2; factor <= maxCompared; ++factor)
    if (factor * factor >= count && count % factor == 0)
      return factor;
  return 1;
}

/// Takes maxima of more slices than are compared in two steps:
///
///   %m = linalg.generic (maximum) %x       [100, 80, 64] -> [100, 64]
///
/// becomes
///
///   %y = linalg.generic (maximum) %x2      [100, 10, 512] -> [100, 512]
///   %m = linalg.generic (maximum) %y2      [100, 8, 64] -> [100, 64]
static bool compareInSteps(RewriterBase &rewriter, linalg::GenericOp op) {
  auto matched = matchReduction(op);
  if (!matched || matched->function == Function::Add ||
      matched->value != op.getBody()->getArgument(0) ||
      op.getNumDpsInputs() != 1 ||
      !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity())
    return false;
  SmallVector<int64_t> shape = op.getStaticLoopRanges();
  const unsigned loop = matched->loop;
  const int64_t count = shape[loop], first = findFactor(count);
  if (loop + 1 == shape.size() || count <= maxCompared || first == 1)
    return false;
  rewriter.setInsertionPoint(op);
  Value value = op.getDpsInputs()[0];
  RankedTensorType type = typeOf(value), result = typeOf(op.getResult(0));
  auto reduce = [&](ArrayRef<int64_t> shape) {
    value = reshape(rewriter, op.getLoc(), value, type.clone(shape));
    SmallVector<int64_t> reduced(shape);
    reduced.erase(reduced.begin() + loop);
    auto created = linalg::GenericOp::create(
        rewriter, op.getLoc(), result.clone(reduced), value,
        emitStart(rewriter, op, reduced), op.getIndexingMapsArray(),
        op.getIteratorTypesArray());
    rewriter.cloneRegionBefore(op.getRegion(), created.getRegion(),
                               created.getRegion().begin());
    value = created.getResult(0);
  };
  SmallVector<int64_t> wide = shape;
  wide[loop] = first;
  wide[loop + 1] *= count / first;
  reduce(wide);
  shape[loop] = count / first;
  reduce(shape);
  rewriter.replaceOp(op, value);
  return true;
}

bool mlir::trn::reduceOneDim(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  bool isChanged = false;
  // Each step leaves fewer loops that reduce.
  for (; linalg::GenericOp op = findNext(func); isChanged = true)
    if (!collapseNeighbours(rewriter, op))
      reduceLastFirst(rewriter, op);
  SmallVector<linalg::GenericOp> reductions;
  func.walk([&](linalg::GenericOp op) {
    if (isPlainReduction(op))
      reductions.push_back(op);
  });
  for (linalg::GenericOp op : reductions)
    isChanged |= compareInSteps(rewriter, op);
  return isChanged;
}
