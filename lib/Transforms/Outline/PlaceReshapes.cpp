//===- PlaceReshapes.cpp - Where reshapes stand ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceReshapes.h"

#include "KernelRegion.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

static bool isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// What computes the elements that `op` reshapes, perhaps once more.
static Operation *findReshaped(Operation &op) {
  Operation *maker = op.getOperand(0).getDefiningOp();
  while (isReshape(maker))
    maker = maker->getOperand(0).getDefiningOp();
  return maker;
}

/// What of `block` reads `op` first.
static Operation *findFirstReader(Operation &op, Block &block) {
  Operation *first = nullptr;
  for (Operation *user : op.getUsers()) {
    Operation *reader = block.findAncestorOpInBlock(*user);
    if (!first || reader->isBeforeInBlock(first))
      first = reader;
  }
  return first;
}

/// Whether `op` puts tensors together.
static bool isJoining(Operation *op) {
  return isa<tensor::ConcatOp, tensor::InsertSliceOp>(op);
}

/// Whether all that reads `op` puts tensors together, or returns it.
static bool isForJoining(Operation &op) {
  return llvm::all_of(op.getUsers(), [](Operation *user) {
    return isJoining(user) || user->hasTrait<OpTrait::IsTerminator>();
  });
}

/// Whether `op` puts tensors together, or transposes one for that or to return
/// it: the host does that behind kernels, if none of them reads it. So it does
/// with reshapes of what is put together.
static bool isHostCopy(Operation &op) {
  if (isJoining(&op))
    return true;
  if (isReshape(&op)) {
    Operation *maker = findReshaped(op);
    return maker && isJoining(maker) && isForJoining(op);
  }
  return isa<linalg::TransposeOp>(op) && isForJoining(op) &&
         llvm::any_of(op.getUsers(), isJoining);
}

/// Whether `op` moves elements for what the host computes.
static bool isMovement(Operation &op) {
  return isa<linalg::FillOp, tensor::ConcatOp, tensor::EmptyOp,
             tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp, linalg::TransposeOp, arith::ConstantOp>(
      op);
}

/// Whether `op` computes each element by itself: the host does that, too, if
/// it is for what only the host computes.
static bool computesElements(Operation &op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && isPure(&op) && generic.isAllParallelLoops();
}

/// Whether the host computes `op`, whatever stands in front of it: numbers,
/// other elements than it reads, or the transposition of more than a matrix. A
/// division may need an assertion.
static bool isHostWork(Operation &op) {
  if (!isPure(&op))
    return false;
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return transpose.getPermutation().size() > 2;
  if (op.getNumResults() == 1 &&
      op.getResult(0).getType().isIntOrIndexOrFloat())
    return op.getNumRegions() == 0 && !op.hasTrait<OpTrait::ConstantLike>();
  return computesElements(op) && !findRegionObstacle(&op).empty();
}

/// What makes what `op` reads, also in its body.
static SmallVector<Operation *> makersOf(Operation &op) {
  llvm::SetVector<Value> values(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), values);
  SmallVector<Operation *> makers;
  for (Value value : values)
    if (Operation *maker = value.getDefiningOp();
        maker && maker->getBlock() == op.getBlock())
      makers.push_back(maker);
  return makers;
}

/// Moves what the host computes of arguments, such as masks, to the beginning
/// of `block`: between kernels it would end a launch.
static void hoistHostWork(Block &block) {
  // What follows from arguments, and of that what host work needs.
  llvm::SetVector<Operation *> known;
  DenseSet<Operation *> needed;
  for (Operation &op : block)
    if ((isHostWork(op) || isMovement(op) || computesElements(op)) &&
        llvm::all_of(makersOf(op),
                     [&](Operation *maker) { return known.contains(maker); }))
      known.insert(&op);
  for (Operation *op : llvm::reverse(known))
    if (isHostWork(*op) || needed.contains(op)) {
      needed.insert(op);
      needed.insert_range(makersOf(*op));
    }
  Operation *last = nullptr;
  for (Operation *op : known) {
    if (!needed.contains(op))
      continue;
    if (last)
      op->moveAfter(last);
    else
      op->moveBefore(&block, block.begin());
    last = op;
  }
}

/// Whether `op` takes what is at an index, which may be beyond the end.
static bool readsAtIndices(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa_and_present<tensor::TensorDialect>(inner->getDialect()) &&
                       llvm::any_of(inner->getOperandTypes(),
                                    llvm::IsaPred<IndexType>)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Moves what all iterations of `loop` have in common, as masks and tables, in
/// front of it: it would end a launch in each one.
static void hoistInvariants(LoopLikeOpInterface loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  const bool runs = trips && !trips->isZero();
  moveLoopInvariantCode(
      loop.getLoopRegions(),
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [&](Operation *op, Region *) {
        return isMemoryEffectFree(op) && isSpeculatable(op) &&
               (runs || !readsAtIndices(op));
      },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}

void mlir::trn::placeReshapes(func::FuncOp func) {
  func.walk([](LoopLikeOpInterface loop) { hoistInvariants(loop); });
  func.walk([](Block *block) {
    hoistHostWork(*block);
    SmallVector<Operation *> ops; // they move while they are visited
    for (Operation &op : llvm::reverse(*block))
      ops.push_back(&op);
    for (Operation &op : llvm::make_pointee_range(ops)) {
      if (isHostCopy(op)) {
        if (Operation *reader = findFirstReader(op, *block))
          op.moveBefore(reader);
        continue;
      }
      if (!isReshape(&op))
        continue;
      auto source = dyn_cast_or_null<linalg::LinalgOp>(findReshaped(op));
      if (!source)
        continue;
      bool isHost = isa<linalg::GenericOp>(source) && !isProductLike(source) &&
                    !findRegionObstacle(source).empty();
      if (isHost && source->getBlock() == block)
        op.moveAfter(op.getOperand(0).getDefiningOp());
      else if (Operation *reader = findFirstReader(op, *block))
        op.moveBefore(reader);
    }
  });
}

void mlir::trn::placeHostWork(func::FuncOp func) {
  func.walk([](Block *block) {
    auto calls = block->getOps<func::CallOp>();
    if (calls.empty())
      return;
    Operation *first = *calls.begin();
    llvm::SetVector<Operation *> known;
    for (Operation &op : llvm::make_range(first->getIterator(), block->end()))
      // What is in buffers is there behind the kernels that write them.
      if (isPure(&op) && !isa<bufferization::ToTensorOp>(op) &&
          op.getNumResults() == 1 &&
          isa<RankedTensorType, FloatType, IntegerType, IndexType>(
              op.getResult(0).getType()) &&
          llvm::all_of(makersOf(op), [&](Operation *maker) {
            return known.contains(maker) ||
                   (maker->isBeforeInBlock(first) &&
                    !isa<bufferization::ToTensorOp>(maker));
          }))
        known.insert(&op);
    DenseSet<Operation *> needed;
    for (Operation *op : llvm::reverse(known))
      if (needed.contains(op) || isJoining(op) ||
          (op->getNumRegions() && !isa<linalg::FillOp>(op))) {
        needed.insert(op);
        needed.insert_range(makersOf(*op));
      }
    for (Operation *op : known)
      if (needed.contains(op))
        op->moveBefore(first);
  });
}
