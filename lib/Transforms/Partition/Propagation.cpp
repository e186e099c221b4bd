//===- Propagation.cpp - How the values of a function are split -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Propagation.h"

#include "Bodies.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::trn;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

Propagation::Propagation(func::FuncOp func, const Seeds &seeds)
    : func(func), grid(seeds.grid), requestedByUser(seeds.requested) {
  for (const auto &[weight, dims] : seeds.dims)
    if (cast<BlockArgument>(weight).getOwner() == &func.front())
      pinned[weight] = dims;
}

void Propagation::run() {
  while (sweep())
    ;
}

/// Returns whether another sweep is needed. Each one splits more, or leaves one
/// weight less split, so that they come to an end.
bool Propagation::sweep() {
  splits.layouts.clear();
  needs.clear();
  splits.loops.clear();
  refused.clear();
  hasNewRequests = false;
  for (BlockArgument argument : func.getArguments()) {
    if (!isTensor(argument))
      continue;
    Layout &layout = splits.layouts[argument] =
        Layout::whole(argument.getType());
    layout.hasZeroPadding = true;
    if (auto it = pinned.find(argument); it != pinned.end()) {
      layout.weight = argument;
      layout.dims = it->second;
    } else if (auto it = requested.find(argument.getAsOpaquePointer());
               it != requested.end()) {
      llvm::copy(it->second, layout.dims.begin());
    }
  }
  for (Operation &op : func.front())
    visit(&op);
  if (hasNewRequests)
    return true;
  for (auto [weight, op] : refused) {
    wholeWeights.insert({weight, op});
    pinned[weight].assign(pinned[weight].size(), 0);
  }
  return !refused.empty();
}

void Propagation::visit(Operation *op) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured) // a body has all of what it reads
    if (isTensor(value) && splits.layouts[value].weight &&
        splits.layouts[value].isSplit())
      keepWhole(splits.layouts[value].weight, op);
  if (llvm::none_of(op->getOperands(), isTensor) &&
      llvm::none_of(op->getResults(), isTensor))
    return;
  if (op->hasTrait<OpTrait::IsTerminator>())
    return visitReturn(op);
  if (visitFlexible(op) || visitReshape(op) || visitLoops(op))
    return;
  visitUnknown(op);
}

//===----------------------------------------------------------------------===//
// Simple ops
//===----------------------------------------------------------------------===//

bool Propagation::visitFlexible(Operation *op) {
  bool isFlexible = isa<tensor::EmptyOp, tensor::SplatOp>(op);
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    isFlexible = fill->getNumResults() == 1;
  SplatElementsAttr splat;
  if (matchPattern(op, m_Constant(&splat)))
    isFlexible = isTensor(op->getResult(0));
  if (!isFlexible)
    return false;
  Layout layout = Layout::whole(op->getResult(0).getType());
  layout.isFlexible = true;
  splits.layouts[op->getResult(0)] = layout;
  needs[op].assign(op->getNumOperands(), layout);
  return true;
}

bool Propagation::visitReshape(Operation *op) {
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return false;
  auto source = cast<RankedTensorType>(op->getOperand(0).getType());
  auto target = cast<RankedTensorType>(op->getResult(0).getType());
  if (!source.hasStaticShape() || !target.hasStaticShape())
    return false;
  Layout need = splits.layouts[op->getOperand(0)];
  if (need.isFlexible)
    need = Layout::whole(source);
  Layout result = Layout::whole(target);
  auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
  auto groups =
      expand ? expand.getReassociationIndices()
             : cast<tensor::CollapseShapeOp>(op).getReassociationIndices();
  bool isPossible = true;
  for (auto [merged, group] : llvm::enumerate(groups)) {
    RankedTensorType wide = expand ? target : source;
    ArrayRef<int64_t> sizes =
        wide.getShape().slice(group.front(), group.size());
    if (expand) {
      auto dims = expandAxes(need.dims[merged], sizes, grid);
      isPossible &= dims.has_value();
      if (dims)
        llvm::copy(*dims, result.dims.begin() + group.front());
    } else {
      auto axes = collapseAxes(
          ArrayRef<Axes>(need.dims).slice(group.front(), group.size()), sizes,
          grid);
      isPossible &= axes.has_value();
      result.dims[merged] = axes.value_or(0);
    }
  }
  if (!isPossible)
    return false;
  result.isPartial = need.isPartial;
  result.hasZeroPadding = need.hasZeroPadding;
  result.weight = need.weight;
  needs[op].assign(op->getNumOperands(), need);
  splits.layouts[op->getResult(0)] = result;
  splits.loops[op] = {};
  return true;
}

void Propagation::visitReturn(Operation *op) {
  for (Value value : op->getOperands()) {
    Layout need;
    if (isTensor(value)) {
      need = splits.layouts[value];
      need.isPartial = false;
      // trn.shard names one dimension, without blocks.
      auto isOther = [&](Axes axes) { return axes && !grid.isRun(axes); };
      if (need.isFlexible ||
          llvm::count(need.dims, 0u) + 1 < int64_t(need.dims.size()) ||
          llvm::any_of(need.dims, isOther))
        need = Layout::whole(value.getType());
    }
    needs[op].push_back(need);
  }
}

void Propagation::visitUnknown(Operation *op) {
  for (Value value : op->getOperands()) {
    needs[op].push_back(isTensor(value) ? Layout::whole(value.getType())
                                        : Layout());
    if (isTensor(value) && splits.layouts[value].weight &&
        splits.layouts[value].isSplit())
      keepWhole(splits.layouts[value].weight, op);
  }
  for (Value value : op->getResults())
    if (isTensor(value))
      splits.layouts[value] = Layout::whole(value.getType());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool Propagation::visitLoops(Operation *op) {
  std::optional<SharedLoops> shared = SharedLoops::read(op);
  if (!shared)
    return false;
  Visit visit = {op, *shared, SmallVector<Axes>(shared->loops.size(), 0)};
  llvm::copy(requested.lookup(op), visit.loops.begin());
  splitLoops(visit);
  mendReductions(visit);
  mendGathers(visit);
  finish(visit);
  return true;
}

Axes Propagation::Visit::axes() const {
  Axes united = 0;
  for (Axes axes : loops)
    united |= axesOf(axes);
  return united;
}

/// Splits the loops along the dimensions that are split of operands: weights
/// come first, and the most pieces.
void Propagation::splitLoops(Visit &visit) {
  struct Wish {
    bool isOther;
    int64_t fewer;
    unsigned number, dim;
    bool operator<(const Wish &other) const {
      return std::tie(isOther, fewer, number, dim) <
             std::tie(other.isOther, other.fewer, other.number, other.dim);
    }
  };
  SmallVector<Wish> wishes;
  for (auto [number, value] : llvm::enumerate(visit.op->getOperands()))
    if (!splits.isFree(visit.op, number))
      for (auto [dim, axes] : llvm::enumerate(splits.layouts[value].dims))
        if (axes)
          wishes.push_back({!splits.layouts[value].weight, -grid.pieces(axes),
                            unsigned(number), unsigned(dim)});
  llvm::sort(wishes);
  for (const Wish &wish : wishes) {
    const Layout &layout = splits.layouts[visit.op->getOperand(wish.number)];
    int loop = visit.shared.operands[wish.number][wish.dim];
    if (!split(visit, loop, layout.dims[wish.dim]) && layout.weight)
      keepWhole(layout.weight, visit.op);
  }
}

/// Tries to split `loop` over `axes`: all operands that have it must be split
/// so, or become it.
bool Propagation::split(Visit &visit, int loop, Axes axes) {
  if (loop < 0 || !visit.shared.loops[loop].isSplittable)
    return false;
  Axes &current = visit.loops[loop];
  if (current == axes)
    return true;
  if (current || (visit.axes() & axesOf(axes)))
    return false;
  SplitSearch search(grid, splits);
  for (auto [number, value] : llvm::enumerate(visit.op->getOperands())) {
    if (splits.isFree(visit.op, number))
      continue;
    for (auto [dim, other] : llvm::enumerate(visit.shared.operands[number])) {
      const Layout &layout = splits.layouts[value];
      // A sum over cores can be scattered where it is made.
      bool isScattered = layout.isPartial && axes == grid.all();
      if (other == loop && !isScattered && !search.canSplit(value, dim, axes))
        return false;
    }
  }
  if (!accept(search.requests()))
    return false;
  current = axes;
  return true;
}

bool Propagation::isPaddingSummedAsZero(const Visit &visit, int loop) const {
  auto op = cast<linalg::LinalgOp>(visit.op);
  return isZeroWhere(op, [&](OpOperand &operand) {
    if (!isTensor(operand.get()))
      return false;
    const Layout &layout = splits.layouts.find(operand.get())->second;
    bool isScattered = layout.isPartial;
    return llvm::is_contained(visit.shared.operands[operand.getOperandNumber()],
                              loop) &&
           (layout.hasZeroPadding || isScattered);
  });
}

void Propagation::mendReductions(Visit &visit) {
  Axes summed = 0;
  bool isPossible = true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(visit.op);
  for (auto [number, loop] : llvm::enumerate(visit.shared.loops)) {
    if (!loop.isReduction || !visit.loops[number])
      continue;
    summed |= axesOf(visit.loops[number]);
    isPossible &= linalgOp && isSum(linalgOp) &&
                  (!grid.isPadded(loop.size, visit.loops[number]) ||
                   isPaddingSummedAsZero(visit, number));
  }
  if (!summed || (isPossible && summed == grid.all()))
    return;
  for (auto [number, loop] : llvm::enumerate(visit.shared.loops))
    if (loop.isReduction)
      visit.loops[number] = 0;
}

/// What is split over both axes can only be gathered from both.
void Propagation::mendGathers(Visit &visit) {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (auto [number, value] : llvm::enumerate(visit.op->getOperands())) {
      if (splits.isFree(visit.op, number))
        continue;
      const Layout &layout = splits.layouts[value];
      Axes left = 0;
      bool isGathered = false;
      for (auto [axes, loop] :
           llvm::zip_equal(layout.dims, visit.shared.operands[number])) {
        Axes now = loop < 0 ? 0 : visit.loops[loop];
        left |= axesOf(now);
        isGathered |= !isWithin(axes, now);
      }
      if (isGathered && layout.weight)
        keepWhole(layout.weight, visit.op);
      if (!isGathered || !left)
        continue;
      isChanged = true;
      for (int loop : visit.shared.operands[number])
        if (loop >= 0)
          visit.loops[loop] = 0;
    }
  }
}

/// The operand whose sum over cores can be left to what reads the result.
std::optional<unsigned> Propagation::findPassedSum(const Visit &visit) const {
  std::optional<unsigned> found;
  for (auto [number, value] : llvm::enumerate(visit.op->getOperands())) {
    if (!isTensor(value) || !splits.layouts.find(value)->second.isPartial)
      continue;
    if (found)
      return std::nullopt;
    found = number;
  }
  if (!found || visit.axes())
    return std::nullopt;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(visit.op))
    return isLinearIn(linalgOp, *found) ? found : std::nullopt;
  return isa<tensor::ExtractSliceOp, tensor::CastOp, arith::TruncFOp,
             arith::ExtFOp>(visit.op)
             ? found
             : std::nullopt;
}

bool Propagation::isZeroPadded(const Visit &visit, ArrayRef<Layout> operands,
                               const Layout &result) const {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(visit.op);
  if (!linalgOp)
    return false;
  Axes axes = result.axes();
  return isZeroWhere(linalgOp, [&](OpOperand &operand) {
    const Layout &layout = operands[operand.getOperandNumber()];
    return isTensor(operand.get()) && axes && layout.axes() == axes &&
           layout.hasZeroPadding;
  });
}

void Propagation::finish(Visit &visit) {
  std::optional<unsigned> passed = findPassedSum(visit);
  SmallVector<Layout> &operands = needs[visit.op];
  Value weight;
  unsigned sources = 0;
  for (auto [number, value] : llvm::enumerate(visit.op->getOperands())) {
    Layout need;
    if (isTensor(value)) {
      const Layout &layout = splits.layouts[value];
      for (int loop : visit.shared.operands[number])
        need.dims.push_back(loop < 0 ? 0 : visit.loops[loop]);
      need.isPartial = passed == number;
      need.hasZeroPadding = layout.hasZeroPadding || layout.isPartial;
      if (!splits.isFree(visit.op, number)) {
        ++sources;
        weight = layout.weight;
      }
    }
    operands.push_back(need);
  }
  bool isSummed = false;
  for (auto [loop, axes] : llvm::zip_equal(visit.shared.loops, visit.loops))
    isSummed |= loop.isReduction && axes;
  for (auto [result, loops] :
       llvm::zip_equal(visit.op->getResults(), visit.shared.results)) {
    Layout layout;
    for (int loop : loops)
      layout.dims.push_back(loop < 0 ? 0 : visit.loops[loop]);
    layout.isPartial = passed || isSummed;
    layout.hasZeroPadding = isZeroPadded(visit, operands, layout);
    layout.weight = sources == 1 ? weight : Value();
    splits.layouts[result] = layout;
  }
  splits.loops[visit.op] = visit.loops;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

void Propagation::keepWhole(Value weight, Operation *op) {
  if (!requestedByUser.contains(weight))
    refused.insert({weight, op});
}

/// Whether `axes` can be set for one of `all`: no other one has any of them.
template <typename Range>
static bool canSet(const Range &all, unsigned position, Axes axes) {
  for (auto [other, taken] : llvm::enumerate(all))
    if (other == position ? !isWithin(taken, axes)
                          : (axesOf(taken) & axes) != 0)
      return false;
  return true;
}

bool Propagation::accept(ArrayRef<SplitRequest> found) {
  if (found.empty())
    return true;
  auto asked = requested;
  for (const SplitRequest &request : found) {
    SmallVector<Axes, 4> &all = asked[request.of];
    if (all.size() <= request.position)
      all.resize(request.position + 1, 0);
    if (!canSet(all, request.position, request.axes))
      return false;
    all[request.position] = request.axes;
  }
  // What was requested before and did not come never will.
  if (asked == requested)
    return false;
  requested = std::move(asked);
  hasNewRequests = true;
  return true;
}
