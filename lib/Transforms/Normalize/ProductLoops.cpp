//===- ProductLoops.cpp - What the loops of products run over -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/ProductLoops.h"

#include "NormalizeSteps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::trn;

std::optional<SmallVector<LoopKind>>
mlir::trn::classifyLoops(linalg::LinalgOp op) {
  return classifyLoops(op, op.getIndexingMapsArray());
}

std::optional<SmallVector<LoopKind>>
mlir::trn::classifyLoops(linalg::LinalgOp op, ArrayRef<AffineMap> maps) {
  for (AffineMap map : maps)
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<LoopKind> kinds;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
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

/// The loops of more than one iteration that an operand with this map has, in
/// its order.
static SmallVector<unsigned> longLoops(linalg::LinalgOp op, AffineMap map) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> loops;
  for (AffineExpr index : map.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(index);
        loop && sizes[loop.getPosition()] != 1)
      loops.push_back(loop.getPosition());
  return loops;
}

bool mlir::trn::hasBatchLast(linalg::LinalgOp op, AffineMap map,
                             ArrayRef<LoopKind> kinds) {
  SmallVector<LoopKind> present = llvm::map_to_vector(
      longLoops(op, map), [&](unsigned loop) { return kinds[loop]; });
  auto has = [&](LoopKind kind) { return llvm::is_contained(present, kind); };
  return !present.empty() && present.back() == LoopKind::Batch &&
         has(LoopKind::Row) + has(LoopKind::Column) + has(LoopKind::Summed) ==
             2;
}

namespace {
/// Two dimensions of a tensor.
struct Neighbours {
  Value tensor;
  int64_t first, second;
};
} // namespace

/// The dimensions of the result of `reshape` that hold `pair`; none if that is
/// one.
static std::optional<Neighbours> follow(tensor::CollapseShapeOp reshape,
                                        const Neighbours &pair) {
  auto groups = reshape.getReassociationIndices();
  auto groupOf = [&](int64_t dim) {
    auto *found = llvm::find_if(
        groups, [&](auto &group) { return llvm::is_contained(group, dim); });
    return found - groups.begin();
  };
  if (groupOf(pair.first) == groupOf(pair.second))
    return std::nullopt;
  return Neighbours{reshape, groupOf(pair.first), groupOf(pair.second)};
}

/// The same in the result of `user`, which reads `pair` by `use`; fails if the
/// two are no neighbours in one of its operands that has one of them.
static FailureOr<std::optional<Neighbours>>
follow(linalg::LinalgOp user, OpOperand &use, const Neighbours &pair) {
  AffineMap read = user.getMatchingIndexingMap(&use);
  if (!read.isProjectedPermutation())
    return failure();
  std::optional<Neighbours> result;
  for (OpOperand &other : user->getOpOperands()) {
    AffineMap map = user.getMatchingIndexingMap(&other);
    auto first = map.getResultPosition(read.getResult(pair.first));
    auto second = map.getResultPosition(read.getResult(pair.second));
    if (first.has_value() != second.has_value() ||
        (first && *first + 1 != *second))
      return failure();
    if (first && user.isDpsInit(&other))
      result = {user.getTiedOpResult(&other), *first, *second};
  }
  return result;
}

/// Whether two dimensions that are neighbours are so in all that is computed of
/// them, or what they meet has neither.
static bool areReadTogether(const Neighbours &dimensions) {
  SmallVector<Neighbours> pending{dimensions};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Neighbours pair = pending.pop_back_val();
    if (!seen.insert(pair.tensor).second)
      continue;
    for (OpOperand &use : pair.tensor.getUses()) {
      FailureOr<std::optional<Neighbours>> next(std::nullopt);
      auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
      if (auto expand = dyn_cast<tensor::ExpandShapeOp>(use.getOwner())) {
        auto groups = expand.getReassociationIndices();
        next = {Neighbours{expand, groups[pair.first].back(),
                           groups[pair.second].front()}};
      } else if (auto collapse =
                     dyn_cast<tensor::CollapseShapeOp>(use.getOwner())) {
        next = follow(collapse, pair);
      } else if (user && !user.isDpsInit(&use) && user.getNumDpsInits() == 1) {
        next = follow(user, use, pair);
      }
      if (failed(next))
        return false;
      if (*next)
        pending.push_back(**next);
    }
  }
  return true;
}

/// What `pair` is in the source of a reshape; none if that has one dimension
/// for both, or parts of them.
static std::optional<Neighbours> trace(Operation *reshape,
                                       const Neighbours &pair) {
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape)) {
    auto groups = collapse.getReassociationIndices();
    return Neighbours{collapse.getSrc(), groups[pair.first].back(),
                      groups[pair.second].front()};
  }
  auto expand = cast<tensor::ExpandShapeOp>(reshape);
  std::optional<int64_t> first, second;
  for (auto [i, group] : llvm::enumerate(expand.getReassociationIndices())) {
    if (group.back() == pair.first)
      first = i;
    if (group.front() == pair.second)
      second = i;
  }
  if (!first || !second)
    return std::nullopt;
  return Neighbours{expand.getSrc(), *first, *second};
}

/// Whether two dimensions that are neighbours were so in all that they were
/// computed of, or what they met had neither.
static bool areComputedTogether(const Neighbours &dimensions) {
  SmallVector<Neighbours> pending{dimensions};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Neighbours pair = pending.pop_back_val();
    Operation *op = pair.tensor.getDefiningOp();
    if (!op || !seen.insert(pair.tensor).second)
      continue;
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
      if (std::optional<Neighbours> source = trace(op, pair))
        pending.push_back(*source);
      continue;
    }
    auto computed = dyn_cast<linalg::LinalgOp>(op);
    if (!computed || computed.getNumDpsInits() != 1)
      continue;
    AffineMap written =
        computed.getMatchingIndexingMap(computed.getDpsInitOperand(0));
    for (OpOperand *operand : computed.getDpsInputOperands()) {
      AffineMap map = computed.getMatchingIndexingMap(operand);
      auto first = map.getResultPosition(written.getResult(pair.first));
      auto second = map.getResultPosition(written.getResult(pair.second));
      if (first.has_value() != second.has_value() ||
          (first && *first + 1 != *second))
        return false;
      if (first)
        pending.push_back({operand->get(), *first, *second});
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
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<unsigned> own = longLoops(op, maps[operand]);
  SmallVector<unsigned> result = longLoops(op, maps[2]);
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
/// A rotary embedding is always worth it, as heads and positions meet cosines
/// of positions behind it, and the matrix that moves its columns is small.
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
  return isSelection(op) ||
         (runs - 1) * count(shared) <= 2 * std::min(count(own), count(2));
}

std::optional<SmallVector<LoopKind>>
mlir::trn::chooseBatches(linalg::LinalgOp op) {
  auto kinds = classifyLoops(op);
  if (!kinds)
    return kinds;
  bool isBatched = llvm::is_contained(*kinds, LoopKind::Batch);
  AffineMap result = op.getIndexingMapsArray()[2];
  auto positionOf = [&](unsigned loop) -> int64_t {
    return *result.getResultPosition(getAffineDimExpr(loop, op.getContext()));
  };
  auto mayMerge = [&](unsigned a, unsigned b) {
    Neighbours pair{op->getResult(0), positionOf(a), positionOf(b)};
    return areReadTogether(pair) && areComputedTogether(pair);
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
  auto kinds = classifyLoops(op);
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
