//===- FlattenElements.cpp - Elements in rows for the partitions ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What is computed element by element does not depend on the shape of tensors.
// So neighbouring dimensions that all operands have, or lack, are one:
//
//   %o = linalg.generic (relu) %x          [4, 32, 768]
//
// becomes, where nothing but such ops works on these tensors,
//
//   %x2 = tensor.expand_shape              [128, 768]
//   %o2 = linalg.generic (relu) %x2
//
// A kernel has rows on partitions, and takes a step for each index of any
// other dimension. So if the last dimension is long, it is taken apart into
// rows and columns.

#include "ElementwiseOps.h"
#include "NormalizeSteps.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// The loops of some ops, as other ones.
struct Loops {
  /// For each loop, the first one of those that become one with it.
  SmallVector<unsigned> firstOf;
  /// The sizes of what a first one becomes: itself, or rows and columns.
  SmallVector<SmallVector<int64_t, 2>> sizes;

  bool isFirst(unsigned loop) const { return firstOf[loop] == loop; }
};
} // namespace

/// Whether `op` computes each element of its only result in its order.
static bool mayFlatten(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.hasIndexSemantics() || op.getNumDpsInits() != 1 ||
      !op.isAllParallelLoops() || op.getNumLoops() == 0 ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      llvm::is_contained(op.getStaticLoopRanges(), 0))
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    return type && !type.getEncoding() &&
           op.getMatchingIndexingMap(&operand).isProjectedPermutation();
  });
}

/// `first`, and what of `all` reads its results, or computes what it reads, in
/// the same order.
static SmallVector<linalg::GenericOp>
findGroup(linalg::GenericOp first, const llvm::SetVector<Operation *> &all) {
  llvm::SetVector<Operation *> group;
  group.insert(first);
  auto add = [&](Operation *op) {
    if (all.contains(op) && op->getBlock() == first->getBlock())
      group.insert(op);
  };
  // It grows while it is visited.
  for (size_t i = 0; i < group.size(); ++i) {
    for (OpOperand &use : group[i]->getUses())
      if (auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
          user && user.getMatchingIndexingMap(&use).isIdentity())
        add(user);
    auto op = cast<linalg::GenericOp>(group[i]);
    for (OpOperand *operand : op.getDpsInputOperands())
      if (op.getMatchingIndexingMap(operand).isIdentity())
        add(operand->get().getDefiningOp());
  }
  SmallVector<Operation *> ops = group.takeVector();
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return llvm::map_to_vector(
      ops, [](Operation *op) { return cast<linalg::GenericOp>(op); });
}

/// Whether everything that `map` indexes by `loop` is followed by `loop + 1`.
static bool hasBothOrNone(AffineMap map, unsigned loop) {
  auto position = [&](unsigned of) {
    return map.getResultPosition(getAffineDimExpr(of, map.getContext()));
  };
  auto own = position(loop), next = position(loop + 1);
  return own && next ? *own + 1 == *next : !own && !next;
}

/// About how long a step with so many rows takes.
static double estimateNs(const Machine &machine, int64_t rows, int64_t columns,
                         int64_t bytes) {
  int64_t tiles = llvm::divideCeil(rows, machine.partitions);
  int64_t descriptors = llvm::divideCeil(rows, machine.dmaEngines);
  return tiles * columns / machine.vectorGHz +
         machine.dmaEngineNs(descriptors * columns * bytes, descriptors);
}

static Loops chooseLoops(ArrayRef<linalg::GenericOp> ops,
                         const Machine &machine) {
  Loops loops;
  SmallVector<int64_t> ranges = linalg::GenericOp(ops[0]).getStaticLoopRanges();
  bool isInOrder = true;
  int64_t bytes = 0;
  for (linalg::GenericOp op : ops)
    for (OpOperand &operand : op->getOpOperands()) {
      bytes = std::max<int64_t>(
          bytes,
          getElementTypeOrSelf(operand.get()).getIntOrFloatBitWidth() / 8);
      AffineMap map = op.getMatchingIndexingMap(&operand);
      isInOrder &= llvm::is_sorted(
          llvm::map_range(map.getResults(), [](AffineExpr index) {
            return cast<AffineDimExpr>(index).getPosition();
          }));
    }
  for (unsigned loop : llvm::seq<unsigned>(ranges.size())) {
    bool follows =
        loop > 0 && llvm::all_of(ops, [&](linalg::GenericOp op) {
          return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
            return hasBothOrNone(map, loop - 1);
          });
        });
    loops.firstOf.push_back(follows ? loops.firstOf.back() : loop);
    loops.sizes.push_back({follows ? 1 : ranges[loop]});
    if (follows)
      loops.sizes[loops.firstOf[loop]][0] *= ranges[loop];
  }
  SmallVector<int64_t, 2> &columns = loops.sizes[loops.firstOf.back()];
  int64_t steps = 1, rows = 1;
  for (unsigned loop : llvm::seq(loops.firstOf.back())) {
    steps *= loops.sizes[loop][0];
    rows = std::max(rows, loops.sizes[loop][0]);
  }
  if (!isInOrder)
    return loops;
  int64_t all = columns[0];
  double least = steps / rows * estimateNs(machine, rows, all, bytes);
  for (int64_t parts = 2; parts <= machine.partitions; ++parts) {
    double time = steps * estimateNs(machine, parts, all / parts, bytes);
    bool isFaster = time + machine.dmaMinNsPerDescriptor < least;
    if (all % parts == 0 && isFaster && parts > rows) {
      least = time;
      columns = {parts, all / parts};
    }
  }
  return loops;
}

/// Lets `op` run over `loops`. `flattened` holds what others have become that
/// did before.
static void flatten(linalg::GenericOp op, const Loops &loops,
                    DenseMap<Value, Value> &flattened) {
  OpBuilder builder(op);
  // Where the new loops begin.
  SmallVector<unsigned> begin;
  unsigned count = 0;
  for (auto [loop, first] : llvm::enumerate(loops.firstOf)) {
    begin.push_back(count);
    count += first == loop ? loops.sizes[loop].size() : 0;
  }
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<AffineExpr> indices;
    SmallVector<int64_t> shape;
    for (AffineExpr index : op.getMatchingIndexingMap(&operand).getResults()) {
      unsigned loop = cast<AffineDimExpr>(index).getPosition();
      if (!loops.isFirst(loop))
        continue;
      for (auto [i, size] : llvm::enumerate(loops.sizes[loop])) {
        indices.push_back(builder.getAffineDimExpr(begin[loop] + i));
        shape.push_back(size);
      }
    }
    maps.push_back(AffineMap::get(count, 0, indices, op.getContext()));
    Value value = operand.get();
    Value known = flattened.lookup(value);
    if (known && op.getMatchingIndexingMap(&operand).isIdentity()) {
      operands.push_back(known);
      continue;
    }
    auto type = cast<RankedTensorType>(value.getType());
    operands.push_back(reshapeInit(builder, value, type.clone(shape)));
  }
  auto created = linalg::GenericOp::create(
      builder, op.getLoc(), operands.back().getType(),
      ArrayRef(operands).drop_back(), operands.back(), maps,
      SmallVector<utils::IteratorType>(count, utils::IteratorType::parallel));
  created.getRegion().takeBody(op.getRegion());
  flattened[op.getResult(0)] = created.getResult(0);
}

static void flatten(ArrayRef<linalg::GenericOp> ops, const Loops &loops) {
  DenseMap<Value, Value> flattened;
  for (linalg::GenericOp op : ops)
    flatten(op, loops, flattened);
  for (linalg::GenericOp op : llvm::reverse(ops)) {
    OpBuilder builder(op);
    Value result = op.getResult(0);
    if (!result.use_empty())
      result.replaceAllUsesWith(
          reshape(builder, op.getLoc(), flattened.lookup(result),
                  cast<RankedTensorType>(result.getType())));
    op.erase();
  }
}

void mlir::trn::flattenElements(func::FuncOp func, const Machine &machine) {
  llvm::SetVector<Operation *> ops;
  for (Operation *op : findLoneElementwise(func))
    if (auto generic = dyn_cast<linalg::GenericOp>(op);
        generic && mayFlatten(generic))
      ops.insert(op);
  while (!ops.empty()) {
    SmallVector<linalg::GenericOp> group =
        findGroup(cast<linalg::GenericOp>(ops.front()), ops);
    ops.remove_if([&](Operation *op) { return llvm::is_contained(group, op); });
    // Kernels read slices in place, as they are.
    if (llvm::none_of(group, [](linalg::GenericOp op) {
          return llvm::any_of(op->getOperands(), [](Value operand) {
            return operand.getDefiningOp<tensor::ExtractSliceOp>();
          });
        }))
      flatten(group, chooseLoops(group, machine));
  }
}
