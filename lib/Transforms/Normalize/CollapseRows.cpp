//===- CollapseRows.cpp - All rows in one dimension -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What a norm or a softmax does to a row does not depend on where that lies. So
// rows that stand in several dimensions, as those of a batch of sequences, are
// one:
//
//   %s = linalg.generic (sum) %x           [4, 32, 256] -> [4, 32]
//
// becomes, with all that is computed of %s and %x element by element,
//
//   %x2 = tensor.collapse_shape %x         [128, 256]
//   %s2 = linalg.generic (sum) %x2         [128]
//
// A kernel would otherwise take a step for each sequence, and could not go on
// with a product, which has one dimension of rows, too. Where a product has
// batches, as attention has, they stay.

#include "NormalizeSteps.h"
#include "trn/Transforms/Normalize/ProductLoops.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

using Group = llvm::SetVector<Operation *>;

/// Whether `map` indexes all of the first `rows` loops, in front, or none.
static bool hasAllOrNone(AffineMap map, unsigned rows) {
  auto isRow = [&](AffineExpr index) {
    return llvm::any_of(llvm::seq(rows), [&](unsigned loop) {
      return index.isFunctionOfDim(loop);
    });
  };
  if (llvm::none_of(map.getResults(), isRow))
    return true;
  return map.getNumResults() >= rows &&
         map.getMajorSubMap(rows) == AffineMap::getMultiDimIdentityMap(
                                         map.getNumDims(), map.getContext())
                                         .getMajorSubMap(rows) &&
         llvm::none_of(map.getResults().drop_front(rows), isRow);
}

/// Whether `op` runs over rows in as many dimensions, and maybe columns.
static bool runsOverRows(linalg::GenericOp op, unsigned rows) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.hasIndexSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumLoops() < rows || op.getNumLoops() > rows + 1 ||
      (!op.isAllParallelLoops() && !isReduction(op)))
    return false;
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0))
             .isFunctionOfDim(0) &&
         llvm::all_of(
             ArrayRef(op.getIteratorTypesArray()).take_front(rows),
             [](auto type) { return type == utils::IteratorType::parallel; }) &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [&](AffineMap map) { return hasAllOrNone(map, rows); });
}

/// `reduction`, and what computes with the same rows.
static Group findGroup(linalg::GenericOp reduction, unsigned rows) {
  Group group;
  group.insert(reduction);
  auto add = [&](Operation *op, Value value) {
    auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
    if (generic && runsOverRows(generic, rows) &&
        llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
          return operand.get() != value ||
                 generic.getMatchingIndexingMap(&operand).isFunctionOfDim(0);
        }))
      group.insert(op);
  };
  // It grows while it is visited.
  for (size_t i = 0; i < group.size(); ++i) {
    auto op = cast<linalg::GenericOp>(group[i]);
    for (Operation *user : op->getUsers())
      add(user, op.getResult(0));
    for (OpOperand *operand : op.getDpsInputOperands())
      if (op.getMatchingIndexingMap(operand).isFunctionOfDim(0))
        add(operand->get().getDefiningOp(), operand->get());
  }
  return group;
}

static bool hasBatches(linalg::LinalgOp product) {
  auto kinds = chooseBatches(product);
  return !kinds || llvm::is_contained(*kinds, LoopKind::Batch);
}

/// Whether `reader` needs the dimensions of rows that it reads.
static bool needsRows(Operation *reader) {
  if (isReshape(reader))
    return llvm::any_of(reader->getUsers(), needsRows);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(reader);
  return linalgOp ? !isProductLike(linalgOp) || hasBatches(linalgOp)
                  : isElementwise(reader);
}

/// Whether `value` is computed, element by element, of a product's batches.
static bool followsBatches(Value value) {
  Operation *op = value.getDefiningOp();
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (linalgOp && isProductLike(linalgOp))
    return hasBatches(linalgOp);
  return op && (isReshape(op) || isElementwise(op)) &&
         llvm::any_of(op->getOperands(), followsBatches);
}

static bool mayCollapse(const Group &group) {
  return llvm::none_of(group, [&](Operation *op) {
    return llvm::any_of(op->getUsers(),
                        [&](Operation *user) {
                          return !group.contains(user) && needsRows(user);
                        }) ||
           llvm::any_of(op->getOperands(), [&](Value operand) {
             return !group.contains(operand.getDefiningOp()) &&
                    followsBatches(operand);
           });
  });
}

/// Lets `op` run over one dimension instead of `rows`. `collapsed` holds what
/// others have become that did before.
static void collapse(linalg::GenericOp op, unsigned rows,
                     DenseMap<Value, Value> &collapsed) {
  OpBuilder builder(op);
  unsigned loops = op.getNumLoops() - rows + 1;
  SmallVector<AffineExpr> newLoops(rows, builder.getAffineDimExpr(0));
  for (unsigned loop = 1; loop < loops; ++loop)
    newLoops.push_back(builder.getAffineDimExpr(loop));
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool hasRows = map.isFunctionOfDim(0);
    maps.push_back(
        map.getSubMap(llvm::to_vector(llvm::seq<unsigned>(
                          hasRows ? rows - 1 : 0, map.getNumResults())))
            .replaceDimsAndSymbols(newLoops, {}, loops, 0));
    Value value = operand.get();
    if (Value known = hasRows ? collapsed.lookup(value) : value) {
      operands.push_back(known);
      continue;
    }
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape().drop_front(rows));
    shape.insert(shape.begin(),
                 ShapedType::getNumElements(type.getShape().take_front(rows)));
    operands.push_back(reshapeInit(builder, value, type.clone(shape)));
  }
  SmallVector<utils::IteratorType> iterators =
      llvm::to_vector(llvm::drop_begin(op.getIteratorTypesArray(), rows - 1));
  auto created = linalg::GenericOp::create(
      builder, op.getLoc(), operands.back().getType(),
      ArrayRef(operands).drop_back(), operands.back(), maps, iterators);
  created.getRegion().takeBody(op.getRegion());
  collapsed[op.getResult(0)] = created.getResult(0);
}

static void collapse(Group &group, unsigned rows) {
  SmallVector<Operation *> ops(group.getArrayRef());
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  DenseMap<Value, Value> collapsed;
  for (Operation *op : ops)
    collapse(cast<linalg::GenericOp>(op), rows, collapsed);
  for (Operation *op : llvm::reverse(ops)) {
    OpBuilder builder(op);
    Value result = op->getResult(0);
    if (!result.use_empty())
      result.replaceAllUsesWith(
          reshape(builder, op->getLoc(), collapsed.lookup(result),
                  cast<RankedTensorType>(result.getType())));
    op->erase();
  }
}

void mlir::trn::collapseRows(func::FuncOp func) {
  SmallVector<linalg::GenericOp> reductions;
  func.walk([&](linalg::GenericOp op) {
    if (isReduction(op))
      reductions.push_back(op);
  });
  DenseSet<Operation *> visited;
  for (linalg::GenericOp reduction : reductions) {
    if (visited.contains(reduction))
      continue;
    auto type = dyn_cast<RankedTensorType>(reduction.getResult(0).getType());
    unsigned rows = type ? type.getRank() : 0;
    if (rows < 2 || !runsOverRows(reduction, rows))
      continue;
    Group group = findGroup(reduction, rows);
    visited.insert_range(group);
    if (llvm::all_of(group,
                     [&](Operation *op) {
                       return op->getBlock() == reduction->getBlock();
                     }) &&
        mayCollapse(group))
      collapse(group, rows);
  }
}
