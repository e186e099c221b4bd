//===- MatrixView.cpp - Tensors that products take for matrices -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixView.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::trn;

std::optional<SmallVector<LoopKind>>
mlir::trn::classifyLoops(ArrayRef<AffineMap> maps,
                         ArrayRef<utils::IteratorType> iterators,
                         ArrayRef<int64_t> sizes) {
  for (AffineMap map : maps)
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return std::nullopt;
  SmallVector<LoopKind> kinds;
  for (auto [loop, iterator] : llvm::enumerate(iterators)) {
    bool inLhs = maps[0].isFunctionOfDim(loop);
    bool inRhs = maps[1].isFunctionOfDim(loop);
    bool inResult = maps[2].isFunctionOfDim(loop);
    if (inResult == (iterator == utils::IteratorType::reduction))
      return std::nullopt;
    if (inLhs + inRhs + inResult == 2)
      kinds.push_back(!inRhs   ? LoopKind::Row
                      : !inLhs ? LoopKind::Column
                               : LoopKind::Summed);
    else if (sizes[loop] == 1)
      kinds.push_back(LoopKind::Unit);
    else if (inLhs && inRhs)
      kinds.push_back(LoopKind::Batch);
    else
      return std::nullopt;
  }
  return kinds;
}

/// Whether dimensions `a` and `b` of `tensor`, neighbours, are neighbours in
/// all that is computed of it element by element, or what they meet has
/// neither.
static bool areReadTogether(Value tensor, unsigned a, unsigned b) {
  for (OpOperand &use : tensor.getUses()) {
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(use.getOwner())) {
      auto groups = expand.getReassociationIndices();
      if (!areReadTogether(expand, groups[a].back(), groups[b].front()))
        return false;
    }
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(use.getOwner())) {
      auto groupOf = [&](int64_t dim) {
        auto groups = collapse.getReassociationIndices();
        return llvm::find_if(groups,
                             [&](auto &group) {
                               return llvm::is_contained(group, dim);
                             }) -
               groups.begin();
      };
      if (groupOf(a) != groupOf(b) &&
          !areReadTogether(collapse, groupOf(a), groupOf(b)))
        return false;
    }
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!user || user.getNumParallelLoops() != user.getNumLoops() ||
        user.isDpsInit(&use))
      continue;
    AffineMap read = user.getMatchingIndexingMap(&use);
    if (!read.isProjectedPermutation())
      return false;
    for (OpOperand &other : user->getOpOperands()) {
      AffineMap map = user.getMatchingIndexingMap(&other);
      auto first = map.getResultPosition(read.getResult(a));
      auto second = map.getResultPosition(read.getResult(b));
      if (first.has_value() != second.has_value() ||
          (first && *first + 1 != *second))
        return false;
      if (user.isDpsInit(&other) &&
          !areReadTogether(user.getTiedOpResult(&other), *first, *second))
        return false;
    }
  }
  return true;
}

namespace {
/// Loops of one kind that can count as one.
struct LoopGroup {
  SmallVector<unsigned> loops;
  int64_t size = 1;
  /// An operand has it innermost, where no batch can be.
  bool isInnermost = false;

  auto key() const { return std::tuple(isInnermost, size); }
};
} // namespace

/// The long loops of `kind`, which `operand` and the result of `op` have. Those
/// that `mayMerge` are in one group.
static SmallVector<LoopGroup>
groupLoops(linalg::LinalgOp op, ArrayRef<LoopKind> kinds, LoopKind kind,
           unsigned operand, function_ref<bool(unsigned, unsigned)> mayMerge) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto longLoops = [&](unsigned number) {
    SmallVector<unsigned> loops;
    for (AffineExpr expr : op.getIndexingMapsArray()[number].getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        if (sizes[dim.getPosition()] != 1)
          loops.push_back(dim.getPosition());
    return loops;
  };
  SmallVector<unsigned> own = longLoops(operand), result = longLoops(2);
  auto isNext = [&](unsigned a, unsigned b) {
    return std::next(llvm::find(result, a)) == llvm::find(result, b) &&
           mayMerge(a, b);
  };
  SmallVector<LoopGroup> groups;
  for (auto [i, loop] : llvm::enumerate(own)) {
    if (kinds[loop] != kind)
      continue;
    if (i == 0 || kinds[own[i - 1]] != kind || !isNext(own[i - 1], loop))
      groups.emplace_back();
    LoopGroup &group = groups.back();
    group.loops.push_back(loop);
    group.size *= sizes[loop];
    group.isInnermost |= loop == own.back() || loop == result.back();
  }
  return groups;
}

/// The group that makes the largest matrices; of equal ones the inner one.
static const LoopGroup *findLargest(ArrayRef<LoopGroup> groups) {
  const LoopGroup *largest = groups.begin();
  for (const LoopGroup &group : groups)
    if (group.key() >= largest->key())
      largest = &group;
  return largest;
}

/// Whether one product for each index of all groups but the largest one reads
/// again no more than moving their dimensions would move: `shared` lacks them.
static bool isWorthBatches(linalg::LinalgOp op, ArrayRef<LoopGroup> groups,
                           unsigned own, unsigned shared) {
  auto count = [&](unsigned operand) {
    return double(
        cast<ShapedType>(op->getOperand(operand).getType()).getNumElements());
  };
  double runs = 1;
  for (const LoopGroup &group : groups) {
    if (&group == findLargest(groups))
      continue;
    runs *= double(group.size);
    if (group.isInnermost)
      return false;
  }
  return (runs - 1) * count(shared) <= 2 * std::min(count(own), count(2));
}

std::optional<SmallVector<LoopKind>>
mlir::trn::chooseBatches(linalg::LinalgOp op) {
  auto kinds =
      classifyLoops(op.getIndexingMapsArray(), op.getIteratorTypesArray(),
                    op.getStaticLoopRanges());
  if (!kinds)
    return kinds;
  bool isBatched = llvm::is_contained(*kinds, LoopKind::Batch);
  AffineMap result = op.getIndexingMapsArray()[2];
  auto positionOf = [&](unsigned loop) {
    return *result.getResultPosition(getAffineDimExpr(loop, op.getContext()));
  };
  auto mayMerge = [&](unsigned a, unsigned b) {
    return !isBatched ||
           areReadTogether(op->getResult(0), positionOf(a), positionOf(b));
  };
  auto rows = groupLoops(op, *kinds, LoopKind::Row, 0, mayMerge);
  auto columns = groupLoops(op, *kinds, LoopKind::Column, 1, mayMerge);
  if (!isBatched &&
      (!isWorthBatches(op, rows, 0, 1) || !isWorthBatches(op, columns, 1, 0)))
    return kinds;
  for (const auto &groups : {rows, columns})
    for (const LoopGroup &group : groups)
      if (&group != findLargest(groups))
        for (unsigned loop : group.loops)
          (*kinds)[loop] = LoopKind::Batch;
  return kinds;
}

std::optional<SmallVector<LoopKind>>
mlir::trn::classifyMatrices(linalg::LinalgOp op) {
  auto kinds =
      classifyLoops(op.getIndexingMapsArray(), op.getIteratorTypesArray(),
                    op.getStaticLoopRanges());
  if (!kinds || kinds->size() < 3)
    return std::nullopt;
  auto matrices = MutableArrayRef(*kinds).take_back(3);
  auto others = MutableArrayRef(*kinds).drop_back(3);
  if (llvm::is_contained(others, LoopKind::Summed))
    return std::nullopt;
  llvm::fill(others, LoopKind::Batch);
  SmallVector<LoopKind> wanted{LoopKind::Row, LoopKind::Column,
                               LoopKind::Summed};
  // Without batches there is nothing that the order could tell.
  if (others.empty())
    return std::is_permutation(matrices.begin(), matrices.end(), wanted.begin())
               ? kinds
               : std::nullopt;
  return matrices == ArrayRef(wanted) ? kinds : std::nullopt;
}

ProductViews::ProductViews(linalg::LinalgOp op, ArrayRef<LoopKind> kinds)
    : op(op), kinds(kinds), sizes(op.getStaticLoopRanges()) {
  orders[LoopKind::Row] = chooseOrder(LoopKind::Row, 0, 2);
  orders[LoopKind::Column] = chooseOrder(LoopKind::Column, 1, 2);
  orders[LoopKind::Summed] = chooseOrder(LoopKind::Summed, 0, 1);
  batches = find(2, LoopKind::Batch).first;
}

SmallVector<int64_t> ProductViews::loopSizes() const {
  SmallVector<int64_t> result(batches.size() + 3, 1);
  for (auto [batch, size] : llvm::zip(batches, result))
    size = sizes[batch];
  for (const auto &[kind, loops] : orders)
    for (unsigned loop : loops)
      result[loopOf(kind)] *= sizes[loop];
  return result;
}

SmallVector<std::optional<unsigned>>
ProductViews::loopsOf(unsigned operand) const {
  return llvm::map_to_vector(
      op.getIndexingMapsArray()[operand].getResults(), [](AffineExpr expr) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        return dim ? std::optional(dim.getPosition()) : std::nullopt;
      });
}

std::pair<SmallVector<unsigned>, bool> ProductViews::find(unsigned operand,
                                                          LoopKind kind) const {
  SmallVector<unsigned> found;
  bool ended = false, areNeighbours = true;
  for (std::optional<unsigned> loop : loopsOf(operand)) {
    if (!isLong(loop))
      continue;
    if (kinds[*loop] != kind) {
      ended = !found.empty();
      continue;
    }
    found.push_back(*loop);
    areNeighbours &= !ended;
  }
  return {found, areNeighbours};
}

/// Moving the smaller operand costs less.
SmallVector<unsigned> ProductViews::chooseOrder(LoopKind kind, unsigned a,
                                                unsigned b) const {
  auto [inA, areNeighboursInA] = find(a, kind);
  auto [inB, areNeighboursInB] = find(b, kind);
  auto count = [&](unsigned operand) {
    return cast<ShapedType>(op->getOperand(operand).getType()).getNumElements();
  };
  bool takeB = areNeighboursInA == areNeighboursInB ? count(b) > count(a)
                                                    : areNeighboursInB;
  return takeB ? inB : inA;
}

bool ProductViews::comesFirst(unsigned operand, LoopKind first,
                              LoopKind second) const {
  auto loops = loopsOf(operand);
  auto isFirst = [&](auto loop) { return loop && kinds[*loop] == first; };
  auto isSecond = [&](auto loop) { return loop && kinds[*loop] == second; };
  auto both = [&](auto loop) { return isFirst(loop) || isSecond(loop); };
  bool hasFirst = !orders.at(first).empty();
  if (hasFirst && !orders.at(second).empty())
    return isFirst(*llvm::find_if(
        loops, [&](auto loop) { return isLong(loop) && both(loop); }));
  // A row or a column.
  auto it = llvm::find_if(loops, both);
  if (it == loops.end())
    return true;
  bool isLast = isFirst(*llvm::find_if(llvm::reverse(loops), both));
  return hasFirst ? isFirst(*it) : !isLast;
}

/// At the last index of its own that is 1 anyway, or else next to the other
/// one, but behind all batches.
void ProductViews::addUnit(MatrixView &view,
                           ArrayRef<std::optional<unsigned>> loops,
                           LoopKind kind, LoopKind other,
                           bool comesFirst) const {
  auto &dims = view.dims;
  auto *next = llvm::find_if(
      dims, [&](const auto &dim) { return dim.loop == loopOf(other); });
  if (next != dims.end() && !comesFirst)
    ++next;
  bool mayEnd = dims.empty() || isBatch(dims.back());
  MatrixView::Dim added{loopOf(kind)};
  for (int64_t i = loops.size(); i-- > 0 && added.source.empty();) {
    if (!loops[i] || kinds[*loops[i]] != kind)
      continue;
    auto *place = llvm::find_if(dims, [&](const auto &dim) {
      return !dim.source.empty() && dim.source.back() > i;
    });
    if (place != dims.end() && (mayEnd || place->source.front() < i))
      continue;
    added.source.push_back(i);
    next = place;
  }
  dims.insert(mayEnd ? dims.end() : next, added);
}

MatrixView ProductViews::viewAs(unsigned operand, LoopKind first,
                                LoopKind second) const {
  if (!comesFirst(operand, first, second))
    std::swap(first, second);
  auto loops = loopsOf(operand);
  SmallVector<unsigned> present;
  for (std::optional<unsigned> loop : loops)
    if (isLong(loop))
      present.push_back(*loop);
  auto isInOrder = [&](LoopKind kind) {
    return find(operand, kind) == std::pair(orders.at(kind), true);
  };
  bool hasBoth = !orders.at(first).empty() && !orders.at(second).empty();
  bool endsInBatch =
      !present.empty() && kinds[present.back()] == LoopKind::Batch;
  MatrixView view;
  if (!isInOrder(first) || !isInOrder(second) || (hasBoth && endsInBatch)) {
    SmallVector<unsigned> wanted = find(operand, LoopKind::Batch).first;
    llvm::append_range(wanted, orders.at(first));
    llvm::append_range(wanted, orders.at(second));
    for (auto [i, loop] : llvm::enumerate(loops))
      if (!isLong(loop))
        view.permutation.push_back(i);
    for (unsigned loop : wanted)
      view.permutation.push_back(llvm::find(loops, loop) - loops.begin());
    loops = applyPermutation(loops, view.permutation);
  }

  SmallVector<int64_t> others;
  for (auto [i, loop] : llvm::enumerate(loops)) {
    if (!isLong(loop)) {
      others.push_back(i);
      continue;
    }
    unsigned own = kinds[*loop] == LoopKind::Batch
                       ? llvm::find(batches, *loop) - batches.begin()
                       : loopOf(kinds[*loop]);
    if (view.dims.empty() || view.dims.back().loop != own)
      view.dims.push_back({own});
    view.dims.back().source.push_back(i);
  }
  if (orders.at(first).empty())
    addUnit(view, loops, first, second, /*comesFirst=*/true);
  if (orders.at(second).empty())
    addUnit(view, loops, second, first, /*comesFirst=*/false);
  // The other dimensions of one index are parts of what is behind them.
  for (int64_t i : others) {
    if (llvm::any_of(view.dims, [&](const auto &dim) {
          return llvm::is_contained(dim.source, i);
        }))
      continue;
    auto *next = llvm::find_if(view.dims, [&](const auto &dim) {
      return !dim.source.empty() && dim.source.back() > i;
    });
    bool isInside = next != view.dims.end() && next->source.front() < i;
    if (!isInside && next != view.dims.begin() &&
        std::prev(next)->source.empty())
      --next;
    else if (next == view.dims.end())
      --next;
    next->source.push_back(i);
    llvm::sort(next->source);
  }
  return view;
}
