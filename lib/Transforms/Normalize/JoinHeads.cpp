//===- JoinHeads.cpp - Heads that share keys are rows ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Queries of heads that share keys are rows of one product. But a mask that
// depends on the row of a head keeps them apart:
//
//   %s = linalg.generic (product) %q, %k           [8, 4, 16, 64], [8, 1024,
//   64] %t = linalg.generic { minimumf } %s, %mask     [8, 4, 16, 1024], [16,
//   1024]
//
// Engines take as long for 16 rows as for 64. So few rows have the mask of each
// head, which is known before a run:
//
//   %masks = linalg.generic (broadcast) %mask      [4, 16, 1024]
//   %s = linalg.generic (product) %q2, %k          [8, 64, 64], [8, 1024, 64]
//   %t = linalg.generic { minimumf } %s, %masks2   [8, 64, 1024], [64, 1024]

#include "JoinHeads.h"

#include "NormalizeSteps.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Machine/Machine.h"
#include "trn/Transforms/Normalize/ProductLoops.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// LoopPair over heads and over rows of a head, in the order of memory.
using LoopPair = ReassociationIndices;

/// All that is computed with the heads of a product and their rows.
class HeadJoiner {
public:
  /// Whether these `loops` of `product` can be one over rows.
  bool find(linalg::GenericOp product, const LoopPair &loops);
  /// Whether something keeps them apart that can be repeated.
  bool hasMasks() const { return !masks.empty(); }
  void join();

private:
  struct Member {
    LoopPair loops;
    bool isBehind; // the product, and not in front of it
  };
  bool add(linalg::LinalgOp op, const Member &member);
  bool addInputs(linalg::GenericOp op, const Member &member);
  bool addUsers(linalg::GenericOp op, const Member &member);
  void repeat(OpOperand &mask, const LoopPair &loops, RewriterBase &rewriter);

  llvm::MapVector<Operation *, Member> group;
  SmallVector<OpOperand *> masks;
};
} // namespace

/// The dimension of `map` over which `loop` runs, if any.
static std::optional<unsigned> placeOf(AffineMap map, int64_t loop) {
  return map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

/// The loops over dimension `place` of `map` and the next one.
static std::optional<LoopPair> loopsFrom(AffineMap map, unsigned place) {
  if (!map.isProjectedPermutation() || place + 1 >= map.getNumResults())
    return std::nullopt;
  return LoopPair{map.getDimPosition(place), map.getDimPosition(place + 1)};
}

/// Whether a linalg op reads `value`, maybe in another shape.
static bool isReadByLinalg(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<linalg::LinalgOp>(user) ||
           (isReshape(user) && isReadByLinalg(user->getResult(0)));
  });
}

bool HeadJoiner::add(linalg::LinalgOp op, const Member &member) {
  auto iterators = op.getIteratorTypesArray();
  auto isParallel = [&](int64_t loop) {
    return linalg::isParallelIterator(iterators[loop]);
  };
  return isa<linalg::GenericOp>(op) && op.hasPureTensorSemantics() &&
         !op.hasDynamicShape() && !op.hasIndexSemantics() &&
         op.getNumDpsInits() == 1 && llvm::all_of(member.loops, isParallel) &&
         llvm::all_of(
             op.getIndexingMapsArray(),
             [](AffineMap map) { return map.isProjectedPermutation(); }) &&
         group.insert({op, member}).first->second.loops == member.loops;
}

bool HeadJoiner::addInputs(linalg::GenericOp op, const Member &member) {
  const LoopPair &loops = member.loops;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    std::optional<unsigned> place = placeOf(map, loops.front());
    if (!linalg::isDimSequencePreserved(map, loops)) {
      if (place || !member.isBehind || !isKnownAtLoad(operand->get()))
        return false;
      masks.push_back(operand);
      continue;
    }
    auto maker = operand->get().getDefiningOp<linalg::LinalgOp>();
    if (!place || !maker || isa<linalg::FillOp>(maker))
      continue;
    std::optional<LoopPair> own = loopsFrom(
        maker.getMatchingIndexingMap(maker.getDpsInitOperand(0)), *place);
    bool isBehind = group.contains(maker);
    if (!own || (!isBehind && isProductLike(maker)) ||
        !add(maker, {*own, isBehind}))
      return false;
  }
  return true;
}

bool HeadJoiner::addUsers(linalg::GenericOp op, const Member &member) {
  const LoopPair &loops = member.loops;
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  std::optional<unsigned> place = placeOf(written, loops.front());
  if (!place || !linalg::isDimSequencePreserved(written, loops))
    return false;
  for (OpOperand &use : op.getResult(0).getUses()) {
    if (isReshape(use.getOwner())) {
      // A layout of its own might need another order of heads and rows.
      if (isReadByLinalg(use.getOwner()->getResult(0)))
        return false;
      continue;
    }
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!user)
      continue;
    std::optional<LoopPair> own =
        user.isDpsInput(&use)
            ? loopsFrom(user.getMatchingIndexingMap(&use), *place)
            : std::nullopt;
    if (!own || !add(user, {*own, member.isBehind}))
      return false;
  }
  return true;
}

bool HeadJoiner::find(linalg::GenericOp product, const LoopPair &loops) {
  if (!add(product, {loops, /*isBehind=*/true}))
    return false;
  for (size_t i = 0; i < group.size(); ++i) { // it grows
    auto [op, own] = *(group.begin() + i);
    auto generic = cast<linalg::GenericOp>(op);
    if (op->getBlock() != product->getBlock() || !addInputs(generic, own) ||
        !addUsers(generic, own))
      return false;
  }
  return true;
}

/// Lets `mask` have a copy for each head.
void HeadJoiner::repeat(OpOperand &mask, const LoopPair &loops,
                        RewriterBase &rewriter) {
  auto op = cast<linalg::GenericOp>(mask.getOwner());
  AffineMap map = op.getMatchingIndexingMap(&mask);
  unsigned place = *placeOf(map, loops.back()), rank = map.getNumResults() + 1;
  auto type = cast<RankedTensorType>(mask.get().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + place, op.getStaticLoopRanges()[loops.front()]);
  rewriter.setInsertionPoint(op);
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shape,
                                        type.getElementType());
  AffineMap written = rewriter.getMultiDimIdentityMap(rank);
  auto repeated = linalg::GenericOp::create(
      rewriter, op.getLoc(), empty.getType(), mask.get(), empty,
      ArrayRef{written.dropResult(place), written},
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [](OpBuilder &builder, Location loc, ValueRange values) {
        linalg::YieldOp::create(builder, loc, values.front());
      });
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap &own = maps[mask.getOperandNumber()];
  own = own.insertResult(rewriter.getAffineDimExpr(loops.front()), place);
  rewriter.modifyOpInPlace(op, [&] {
    mask.set(repeated.getResult(0));
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

void HeadJoiner::join() {
  IRRewriter rewriter(group.front().first->getContext());
  for (OpOperand *mask : masks)
    repeat(*mask, group.find(mask->getOwner())->second.loops, rewriter);
  for (auto &[op, member] : group) {
    auto apart = cast<linalg::LinalgOp>(op);
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::CollapseResult> joined =
        linalg::collapseOpIterationDims(apart, member.loops, rewriter);
    if (failed(joined))
      continue;
    OpOperand &init = *joined->collapsedOp.getDpsInitOperand(0);
    rewriter.setInsertionPoint(joined->collapsedOp);
    init.set(reshapeInit(rewriter, apart.getDpsInits()[0],
                         cast<RankedTensorType>(init.get().getType())));
    rewriter.replaceOp(op, joined->results);
  }
}

/// Few rows: of more, those that a mask hides are left out head by head.
static bool areFew(int64_t rows, const Machine &machine) {
  return rows <= 2 * machine.partitions;
}

static bool joinHeads(linalg::GenericOp product, const Machine &machine) {
  auto kinds = classifyMatrices(product);
  if (!kinds || kinds->size() < 4)
    return false;
  // The larger one of both is that of the rows.
  int64_t row = kinds->size() - 3, batch = row - 1;
  SmallVector<int64_t> sizes = product.getStaticLoopRanges();
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  std::optional<unsigned> outer = placeOf(maps[0], batch);
  if (!outer || maps[1].isFunctionOfDim(batch) ||
      !areFew(sizes[batch] * sizes[row], machine))
    return false;
  LoopPair loops{batch, row};
  if (*outer > *placeOf(maps[0], row))
    std::swap(loops.front(), loops.back());
  HeadJoiner joiner;
  if (!joiner.find(product, loops) || !joiner.hasMasks())
    return false;
  joiner.join();
  return true;
}

bool mlir::trn::joinHeads(func::FuncOp func) {
  FailureOr<Machine> machine = getMachine(func);
  if (failed(machine))
    return false;
  // Of products that are joined with one nothing is left.
  auto joinNext = [&] {
    return func
        .walk([&](linalg::GenericOp op) {
          bool isProduct = op.hasPureTensorSemantics() &&
                           !op.hasDynamicShape() && isProductLike(op);
          return isProduct && ::joinHeads(op, *machine)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  };
  bool anyJoined = false;
  while (joinNext())
    anyJoined = true;
  if (anyJoined)
    mergeReshapes(func);
  return anyJoined;
}
