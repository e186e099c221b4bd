//===- PlainProduct.cpp - Products of two matrices ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlainProduct.h"

#include "ProductMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/Sequence.h"

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

namespace {
/// How the dimensions of a tensor become two.
struct MatrixView {
  /// Moves the dimensions first, unless it is empty.
  SmallVector<int64_t> permutation;
  /// Those before it become the first one.
  size_t split = 0;
  LoopKind first, second;
};

/// Looks at the operands of one product. A loop of one iteration can be at any
/// place.
class ProductViews {
public:
  ProductViews(linalg::LinalgOp op, ArrayRef<LoopKind> kinds)
      : op(op), kinds(kinds), sizes(op.getStaticLoopRanges()) {
    orders[LoopKind::Row] = chooseOrder(LoopKind::Row, 0, 2);
    orders[LoopKind::Column] = chooseOrder(LoopKind::Column, 1, 2);
    orders[LoopKind::Summed] = chooseOrder(LoopKind::Summed, 0, 1);
  }

  /// `first` comes first if nothing says which one does.
  MatrixView viewAs(unsigned operand, LoopKind first, LoopKind second) const;
  int64_t sizeOf(LoopKind kind) const {
    int64_t size = 1;
    for (auto [loopKind, loopSize] : llvm::zip(kinds, sizes))
      size *= loopKind == kind ? loopSize : 1;
    return size;
  }

private:
  /// The loop of each dimension of an operand; none for a constant index.
  SmallVector<std::optional<unsigned>> loopsOf(unsigned operand) const;
  bool isLong(std::optional<unsigned> loop) const {
    return loop && sizes[*loop] != 1;
  }
  /// The long loops of `kind` in the order in which an operand has them, and
  /// whether they are neighbours there.
  std::pair<SmallVector<unsigned>, bool> find(unsigned operand,
                                              LoopKind kind) const;
  SmallVector<unsigned> chooseOrder(LoopKind kind, unsigned a,
                                    unsigned b) const;
  bool comesFirst(unsigned operand, LoopKind first, LoopKind second) const;

  mutable linalg::LinalgOp op;
  ArrayRef<LoopKind> kinds;
  SmallVector<int64_t> sizes;
  /// In which order the long loops of a kind become one.
  std::map<LoopKind, SmallVector<unsigned>> orders;
};
} // namespace

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

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// [0, split) and [split, rank).
static SmallVector<ReassociationIndices> splitAt(int64_t split, int64_t rank) {
  return {llvm::to_vector<2>(llvm::seq<int64_t>(0, split)),
          llvm::to_vector<2>(llvm::seq<int64_t>(split, rank))};
}

static SmallVector<ReassociationIndices> allOf(int64_t rank) {
  if (rank == 0)
    return {};
  return {llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
}

static RankedTensorType withShape(Value tensor, ArrayRef<int64_t> shape) {
  return cast<RankedTensorType>(tensor.getType()).clone(shape);
}

static Value transpose(OpBuilder &builder, Location loc, Value source,
                       ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(source.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, applyPermutation(type.getShape(), permutation),
      type.getElementType());
  return linalg::TransposeOp::create(builder, loc, source, empty, permutation)
      .getResult()[0];
}

/// `source` as [rows, columns].
static Value toMatrix(OpBuilder &builder, Value source, const MatrixView &view,
                      ArrayRef<int64_t> shape) {
  Location loc = source.getLoc();
  if (!view.permutation.empty())
    source = transpose(builder, loc, source, view.permutation);
  auto rank = cast<RankedTensorType>(source.getType()).getRank();
  RankedTensorType type = withShape(source, shape);
  bool isSplit = view.split > 0 && view.split < size_t(rank);
  if (isSplit && rank == 2)
    return source;
  if (isSplit)
    return tensor::CollapseShapeOp::create(builder, loc, type, source,
                                           splitAt(view.split, rank));
  if (rank > 1)
    source = tensor::CollapseShapeOp::create(
        builder, loc, withShape(source, {type.getNumElements()}), source,
        allOf(rank));
  return tensor::ExpandShapeOp::create(builder, loc, type, source,
                                       allOf(rank ? 2 : 0));
}

/// `matrix` as the `type` that became a matrix.
static Value fromMatrix(OpBuilder &builder, Location loc, Value matrix,
                        const MatrixView &view, RankedTensorType type) {
  int64_t rank = type.getRank();
  bool isMoved = !view.permutation.empty();
  if (isMoved)
    type = type.clone(applyPermutation(type.getShape(), view.permutation));
  bool isSplit = view.split > 0 && view.split < size_t(rank);
  if (isSplit && rank > 2) {
    matrix = tensor::ExpandShapeOp::create(builder, loc, type, matrix,
                                           splitAt(view.split, rank));
  } else if (!isSplit) {
    if (rank > 1)
      matrix = tensor::CollapseShapeOp::create(
          builder, loc, type.clone({type.getNumElements()}), matrix, allOf(2));
    if (rank > 1)
      matrix = tensor::ExpandShapeOp::create(builder, loc, type, matrix,
                                             allOf(rank));
    else
      matrix = tensor::CollapseShapeOp::create(builder, loc, type, matrix,
                                               allOf(rank ? 2 : 0));
  }
  if (!isMoved)
    return matrix;
  return transpose(builder, loc, matrix,
                   invertPermutationVector(view.permutation));
}

/// Zeros stay zeros.
static Value toAccumulator(OpBuilder &builder, Value source,
                           const MatrixView &view, ArrayRef<int64_t> shape) {
  if (!isZeroFilled(source))
    return toMatrix(builder, source, view, shape);
  Type element = getElementTypeOrSelf(source);
  Value zero = arith::ConstantOp::create(builder, source.getLoc(),
                                         builder.getFloatAttr(element, 0.0));
  Value empty =
      tensor::EmptyOp::create(builder, source.getLoc(), shape, element);
  return linalg::FillOp::create(builder, source.getLoc(), zero, empty)
      .getResult(0);
}

static void remarkMoved(linalg::LinalgOp op, ArrayRef<MatrixView> views) {
  StringRef names[] = {"its first operand", "its second operand", "its result"};
  for (auto [name, view] : llvm::zip(names, views))
    if (!view.permutation.empty())
      emitRemark(op.getLoc(),
                 "product is computed as one of two matrices: the host "
                 "moves dimensions of ")
          << name << " next to each other";
}

bool mlir::trn::makePlain(RewriterBase &rewriter, linalg::LinalgOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto kinds = classifyLoops(op.getIndexingMapsArray(),
                             op.getIteratorTypesArray(), sizes);
  auto isMatrix = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank() == 2;
  };
  if (!kinds || llvm::is_contained(*kinds, LoopKind::Batch) ||
      (op.getNumLoops() == 3 && llvm::all_of(op->getOperands(), isMatrix)))
    return false;
  constexpr LoopKind m = LoopKind::Row, n = LoopKind::Column,
                     k = LoopKind::Summed;
  ProductViews product(op, *kinds);
  MatrixView views[] = {product.viewAs(0, m, k), product.viewAs(1, k, n),
                        product.viewAs(2, m, n)};
  remarkMoved(op, views);

  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (auto [i, view] : llvm::enumerate(views)) {
    int64_t shape[] = {product.sizeOf(view.first), product.sizeOf(view.second)};
    operands.push_back((i == 2 ? toAccumulator : toMatrix)(
        rewriter, op->getOperand(i), view, shape));
    auto loop = [&](LoopKind kind) {
      return getAffineDimExpr(unsigned(kind), rewriter.getContext());
    };
    maps.push_back(AffineMap::get(3, 0, {loop(view.first), loop(view.second)},
                                  rewriter.getContext()));
  }
  auto plain = linalg::GenericOp::create(
      rewriter, op.getLoc(), operands[2].getType(),
      ArrayRef(operands).take_front(2), operands[2], maps,
      {utils::IteratorType::parallel, utils::IteratorType::parallel,
       utils::IteratorType::reduction});
  rewriter.cloneRegionBefore(*op.getBlock()->getParent(), plain.getRegion(),
                             plain.getRegion().begin());
  Value result = plain->getResult(0);
  rewriter.replaceOp(
      op, fromMatrix(rewriter, op.getLoc(), result, views[2],
                     cast<RankedTensorType>(op->getResult(0).getType())));
  return true;
}
