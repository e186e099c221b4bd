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

MatrixView ProductViews::viewAs(unsigned operand, LoopKind first,
                                LoopKind second) const {
  MatrixView view{{}, 0, first, second};
  if (!comesFirst(operand, first, second))
    std::swap(view.first, view.second);
  auto loops = loopsOf(operand);
  SmallVector<unsigned> wanted = orders.at(view.first);
  size_t inFirst = wanted.size();
  llvm::append_range(wanted, orders.at(view.second));
  SmallVector<unsigned> present;
  for (std::optional<unsigned> loop : loops)
    if (isLong(loop))
      present.push_back(*loop);
  if (present != wanted) {
    for (auto [i, loop] : llvm::enumerate(loops))
      if (!isLong(loop))
        view.permutation.push_back(i);
    for (unsigned loop : wanted)
      view.permutation.push_back(llvm::find(loops, loop) - loops.begin());
    loops = applyPermutation(loops, view.permutation);
  }
  // Behind the long ones of the first, in front of those of the second.
  if (inFirst)
    view.split = llvm::find(loops, wanted[inFirst - 1]) - loops.begin() + 1;
  else if (!wanted.empty())
    view.split = llvm::find(loops, wanted[0]) - loops.begin();
  return view;
}
