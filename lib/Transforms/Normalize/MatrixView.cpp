//===- MatrixView.cpp - Tensors that products take for matrices -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixView.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::trn;

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

/// Whether the last index of the two kinds is of `first`.
bool ProductViews::comesLast(unsigned operand, LoopKind first,
                             LoopKind second) const {
  auto loops = loopsOf(operand);
  auto last = llvm::find_if(llvm::reverse(loops), [&](auto loop) {
    return isLong(loop) && (kinds[*loop] == first || kinds[*loop] == second);
  });
  return last != loops.rend() && kinds[**last] == first;
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
  auto loops = loopsOf(operand);
  auto isInOrder = [&](LoopKind kind) {
    return find(operand, kind) == std::pair(orders.at(kind), true);
  };
  bool moves = !isInOrder(first) || !isInOrder(second) ||
               hasBatchLast(op, op.getIndexingMapsArray()[operand], kinds);
  // What moves keeps the rows that lie together.
  bool hasBoth = !orders.at(first).empty() && !orders.at(second).empty();
  bool isTurned = moves && hasBoth ? comesLast(operand, first, second)
                                   : !comesFirst(operand, first, second);
  if (isTurned)
    std::swap(first, second);
  MatrixView view;
  if (moves) {
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
