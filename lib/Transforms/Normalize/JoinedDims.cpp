//===- JoinedDims.cpp - What follows from parts ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinedDims.h"

#include "Columns.h"
#include "NormalizeSteps.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/ReadThrough.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::trn;

/// The most parts that are computed one by one: each is a matrix of the kernel.
static constexpr size_t maxParts = 8;

/// The dimension of `to` that is `dim` of `from`, where one is a reshape of the
/// other in these `groups` of the one with more dimensions.
static std::optional<int64_t> findDim(RankedTensorType from,
                                      RankedTensorType to,
                                      ArrayRef<ReassociationIndices> groups,
                                      int64_t dim) {
  bool expands = from.getRank() < to.getRank();
  for (auto [i, group] : llvm::enumerate(groups)) {
    if (expands ? int64_t(i) != dim : !llvm::is_contained(group, dim))
      continue;
    ArrayRef<int64_t> sizes = (expands ? to : from).getShape();
    int64_t size = from.getDimSize(dim);
    for (int64_t own : group)
      if (sizes[own] != 1 && sizes[own] != size)
        return std::nullopt;
    if (!expands)
      return to.getDimSize(i) == size ? std::optional<int64_t>(i)
                                      : std::nullopt;
    for (int64_t own : group)
      if (sizes[own] == size)
        return own;
  }
  return std::nullopt;
}

template <typename Reshape>
static std::optional<int64_t> findDim(Reshape op, bool isOfSource,
                                      int64_t dim) {
  RankedTensorType source = op.getSrcType(), result = op.getResultType();
  if (!source.hasStaticShape() || source.getRank() == result.getRank())
    return std::nullopt;
  return isOfSource
             ? findDim(source, result, op.getReassociationIndices(), dim)
             : findDim(result, source, op.getReassociationIndices(), dim);
}

/// Across a reshape, from its source or to it.
static std::optional<int64_t> findReshapedDim(Operation *op, bool isOfSource,
                                              int64_t dim) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return findDim(expand, isOfSource, dim);
  return findDim(cast<tensor::CollapseShapeOp>(op), isOfSource, dim);
}

static bool isReshapeOp(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// Whether `op` computes each element of a static tensor, and is not of linalg.
static bool isOfTensors(Operation *op) {
  if (!op || isa<linalg::LinalgOp>(op) || !isElementwise(op))
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return type.hasStaticShape() && !type.getEncoding();
}

/// Whether `op` is of linalg on static tensors, with one result.
static bool isPlain(linalg::LinalgOp op) {
  return op && op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
         op.getNumDpsInits() == 1;
}

/// Whether all that reads indices of `loop` in `op` reads whole ones.
static bool isIndexed(linalg::LinalgOp op, unsigned loop) {
  AffineExpr own = getAffineDimExpr(loop, op.getContext());
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::count_if(map.getResults(),
                          [&](AffineExpr index) {
                            return index.isFunctionOfDim(loop);
                          }) == llvm::count(map.getResults(), own) &&
           llvm::count(map.getResults(), own) <= 1;
  });
}

SmallVector<std::optional<int64_t>> JoinedDims::dimsOf(linalg::LinalgOp op,
                                                       unsigned loop) {
  AffineExpr own = getAffineDimExpr(loop, op.getContext());
  return llvm::map_to_vector(
      op.getIndexingMapsArray(), [&](AffineMap map) -> std::optional<int64_t> {
        std::optional<unsigned> position = map.getResultPosition(own);
        return position ? std::optional<int64_t>(*position) : std::nullopt;
      });
}

/// Whether `slice` takes parts of other dimensions than `dim`, and drops none.
static bool keepsDim(tensor::ExtractSliceOp slice, int64_t dim) {
  RankedTensorType source = slice.getSourceType();
  return source.hasStaticShape() && slice.getOffsets().empty() &&
         slice.getSizes().empty() && slice.getStrides().empty() &&
         slice.getType().getRank() == source.getRank() &&
         slice.getStaticSize(dim) == source.getDimSize(dim);
}

Value JoinedDims::findPart(Value tensor, int64_t dim, unsigned number) const {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return {};
  if (over) {
    std::optional<Overwritten> other = matchOverwritten(op);
    if (!other || other->dim != dim || !areSameIndices(*over, *other))
      return {};
    return number == 0 ? other->base : other->written;
  }
  JoinedRanges ranges = findJoinedRanges(op);
  if (ranges.size() != parts.size())
    return {};
  for (auto [range, part] : llvm::zip_equal(ranges, parts))
    if (range.second.dim != dim || range.second.offset != part.offset ||
        range.second.size != part.size)
      return {};
  return ranges[number].first;
}

std::optional<JoinedDims::Source> JoinedDims::findSource(Value tensor,
                                                         int64_t dim) const {
  Operation *op = tensor.getDefiningOp();
  if (isReshapeOp(op)) {
    auto source = findReshapedDim(op, /*isOfSource=*/false, dim);
    return source ? std::optional(Source{{source}}) : std::nullopt;
  }
  if (isa_and_nonnull<tensor::EmptyOp>(op))
    return Source{};
  if (auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(op))
    return keepsDim(slice, dim) ? std::optional(Source{{dim}}) : std::nullopt;
  if (isOfTensors(op))
    return Source{
        SmallVector<std::optional<int64_t>>(op->getNumOperands(), dim)};
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (!isPlain(linalgOp))
    return std::nullopt;
  AffineMap written =
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
  auto loop = dyn_cast<AffineDimExpr>(written.getResult(dim));
  if (!loop || !isIndexed(linalgOp, loop.getPosition()))
    return std::nullopt;
  Source source{dimsOf(linalgOp, loop.getPosition()), loop.getPosition()};
  if (!members.contains(tensor) && !linalgOp.isAllParallelLoops() &&
      !(sumsProducts(linalgOp) && readsJoined(linalgOp, source)))
    return std::nullopt;
  return source;
}

bool JoinedDims::isJoined(Value tensor, int64_t dim) const {
  if (findPart(tensor, dim, 0))
    return true;
  Operation *op = tensor.getDefiningOp();
  if (!isReshapeOp(op) && !matchMovement(tensor))
    return false;
  std::optional<Source> source = findSource(tensor, dim);
  return source && source->dims.front() &&
         isJoined(op->getOperand(0), *source->dims.front());
}

bool JoinedDims::readsJoined(linalg::LinalgOp op, const Source &source) const {
  // One row is multiplied element by element, in kernels of their own: with two
  // products that takes longer than another launch.
  return llvm::all_of(parts, [](auto part) { return part.size > 1; }) &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
           std::optional<int64_t> dim =
               source.dims[operand->getOperandNumber()];
           return !dim || isJoined(operand->get(), *dim);
         });
}

bool JoinedDims::takesParts(Value tensor, int64_t dim) const {
  if (auto known = taken.find({tensor, dim}); known != taken.end())
    return known->second;
  bool found = findTaken(tensor, dim);
  return taken[{tensor, dim}] = found;
}

bool JoinedDims::findTaken(Value tensor, int64_t dim) const {
  if (auto it = members.find(tensor); it != members.end())
    return it->second.dim == dim;
  if (findPart(tensor, dim, 0))
    return true;
  Operation *op = tensor.getDefiningOp();
  if (!op || isKnownAtLoad(tensor))
    return true;
  std::optional<Source> source = findSource(tensor, dim);
  return source && llvm::all_of_zip(op->getOperands(), source->dims,
                                    [&](Value operand, auto dim) {
                                      return !dim || takesParts(operand, *dim);
                                    });
}

bool JoinedDims::isWhole(Value tensor, int64_t dim) const {
  if (!tensor.getDefiningOp() || isKnownAtLoad(tensor))
    return true;
  if (members.contains(tensor) || findPart(tensor, dim, 0))
    return false;
  std::optional<Source> source = findSource(tensor, dim);
  return !source ||
         llvm::all_of_zip(tensor.getDefiningOp()->getOperands(), source->dims,
                          [&](Value operand, auto dim) {
                            return !dim || isWhole(operand, *dim);
                          });
}

bool JoinedDims::addMember(Value tensor, int64_t dim, bool isMoved,
                           int64_t products) {
  auto [it, isNew] = members.insert({tensor, {dim, isMoved, products}});
  it->second.products = std::max(it->second.products, products);
  // Queries and keys of all tokens have the dimension twice.
  return it->second.dim == dim && products <= 2;
}

bool JoinedDims::addSum(linalg::LinalgOp op, unsigned loop) {
  std::pair sum(op, loop);
  if (llvm::is_contained(sums, sum))
    return true;
  bool isSum = isProductLike(op) ? sumsProducts(op) : matchFold(op).has_value();
  sums.push_back(sum);
  return isSum && !llvm::any_of(sums, [&](auto other) {
           return other.first == op && other.second != loop;
         });
}

bool JoinedDims::addSlice(tensor::ExtractSliceOp slice, int64_t dim) {
  std::optional<DimRange> range = matchRange(slice);
  if (over || !range || range->dim != dim || range->stride != 1 ||
      slice.getType().getRank() != slice.getSourceType().getRank())
    return false;
  auto *part = llvm::find_if(parts, [&](const DimRange &own) {
    return own.offset == range->offset && own.size == range->size;
  });
  if (part == parts.end())
    return false;
  partSlices.push_back({slice, part - parts.begin()});
  return true;
}

bool JoinedDims::follow(OpOperand &use, int64_t dim) {
  const Member member = members.lookup(use.get());
  Operation *user = use.getOwner();
  // What is put together is needed beside that, too.
  bool isFollowed = member.isMoved;
  if (isReshapeOp(user)) {
    auto reshaped = findReshapedDim(user, /*isOfSource=*/true, dim);
    return reshaped ? addMember(user->getResult(0), *reshaped, member.isMoved,
                                member.products)
                    : isFollowed;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
    if (keepsDim(slice, dim))
      return addMember(slice, dim, member.isMoved, member.products);
    return addSlice(slice, dim) || isFollowed;
  }
  if (isOfTensors(user))
    return addMember(user->getResult(0), dim,
                     member.isMoved && matchMovement(user->getResult(0)),
                     member.products);
  auto op = dyn_cast<linalg::LinalgOp>(user);
  if (!isPlain(op) || !op.isDpsInput(&use))
    return isFollowed;
  auto loop =
      dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(&use).getResult(dim));
  if (!loop || !isIndexed(op, loop.getPosition()))
    return isFollowed;
  if (op.getIteratorTypesArray()[loop.getPosition()] ==
      utils::IteratorType::reduction)
    return addSum(op, loop.getPosition());
  std::optional<int64_t> result = dimsOf(op, loop.getPosition()).back();
  bool isMoved = member.isMoved && matchMovement(op->getResult(0));
  return result && addMember(op->getResult(0), *result, isMoved,
                             member.products + isProductLike(op));
}

bool JoinedDims::findParts(Operation *op) {
  over = matchOverwritten(op);
  if (over) {
    int64_t size = cast<RankedTensorType>(op->getResult(0).getType())
                       .getDimSize(over->dim);
    parts = {{over->dim, 0, size, 1},
             {over->dim, ShapedType::kDynamic, over->size, 1}};
    return addMember(op->getResult(0), over->dim, /*isMoved=*/true, 0);
  }
  JoinedRanges ranges = findJoinedRanges(op);
  if (ranges.size() < 2 || ranges.size() > maxParts)
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t end = 0, dim = ranges.front().second.dim;
  for (auto [tensor, range] : ranges) {
    if (range.dim != dim || range.offset != end || range.stride != 1)
      return false;
    end += range.size;
    parts.push_back(range);
  }
  return type.hasStaticShape() && !type.getEncoding() &&
         end == type.getDimSize(dim) &&
         addMember(op->getResult(0), dim, /*isMoved=*/true, 0);
}

/// Whether `tensor` is computed, however it is moved behind that.
static bool isComputed(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  while (isReshapeOp(op) || isa_and_nonnull<linalg::TransposeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return op && (isa<linalg::LinalgOp>(op) || isElementwise(op)) &&
         !isa<linalg::FillOp>(op);
}

bool JoinedDims::separatesComputed(Value joined) const {
  if (partSlices.empty())
    return false;
  for (unsigned number = 0; number < parts.size(); ++number)
    if (Value part = findPart(joined, parts.front().dim, number);
        part && isComputed(part))
      return true;
  return false;
}

bool JoinedDims::hideOverwritten() {
  for (auto [op, loop] : sums) {
    if (isProductLike(op))
      continue;
    std::optional<MatchedReduction> fold = matchFold(op);
    if (fold->function == Function::Add)
      continue;
    auto read = dyn_cast<BlockArgument>(fold->value);
    Value tensor = read ? op.getMatchingOpOperand(read)->get() : Value();
    if (fold->function != Function::Max || !members.contains(tensor) ||
        !hasInfinities(tensor))
      return false;
    hidden.insert(tensor);
  }
  DenseMap<Value, Hidden> states;
  auto stateOf = [&](OpOperand &operand) {
    return states.lookup(operand.get());
  };
  auto isZero = [&](OpOperand *operand) {
    return stateOf(*operand) == Hidden::Zero;
  };
  auto ofResult = [&](Operation *op) {
    if (isReshapeOp(op))
      return states.lookup(op->getOperand(0));
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return Hidden::Any;
    if (isProductLike(linalgOp))
      return sumsProducts(linalgOp) &&
                     llvm::any_of(linalgOp.getDpsInputOperands(), isZero)
                 ? Hidden::Zero
                 : Hidden::Any;
    return findHidden(linalgOp.getBlock()->getTerminator()->getOperand(0),
                      linalgOp, stateOf);
  };
  SmallVector<Operation *> ops;
  for (Value tensor : llvm::make_first_range(members))
    ops.push_back(tensor.getDefiningOp());
  if (llvm::any_of(ops, [&](Operation *op) {
        return op->getBlock() != ops.front()->getBlock();
      }))
    return false;
  llvm::sort(ops, [](Operation *one, Operation *other) {
    return one->isBeforeInBlock(other);
  });
  for (Operation *op : ops)
    states[op->getResult(0)] =
        isHidden(op->getResult(0)) ? Hidden::MinusInfinity : ofResult(op);
  return llvm::all_of(sums, [&](auto sum) {
    auto [op, loop] = sum;
    if (isProductLike(op))
      return llvm::any_of(op.getDpsInputOperands(), isZero);
    std::optional<MatchedReduction> fold = matchFold(op);
    return fold->function == Function::Max ||
           findHidden(fold->value, op, stateOf) == Hidden::Zero;
  });
}

std::optional<JoinedDims> JoinedDims::find(Operation *op) {
  JoinedDims found;
  if (!found.findParts(op))
    return std::nullopt;
  // They become more while they are visited.
  for (size_t i = 0; i < found.members.size(); ++i) {
    auto [tensor, member] = found.members.begin()[i];
    for (OpOperand &use : tensor.getUses())
      if (!found.follow(use, member.dim))
        return std::nullopt;
  }
  if (llvm::any_of(found.sums, [&](auto sum) {
        return sum.first->getBlock() != op->getBlock();
      }))
    return std::nullopt;
  llvm::sort(found.sums, [](auto one, auto other) {
    return one.first->isBeforeInBlock(other.first);
  });
  auto takesParts = [&](linalg::LinalgOp op, unsigned loop) {
    return llvm::all_of_zip(op->getOperands(), dimsOf(op, loop),
                            [&](Value operand, auto dim) {
                              return !dim || found.takesParts(operand, *dim);
                            });
  };
  for (auto [op, loop] : found.sums)
    if (!takesParts(op, loop))
      return std::nullopt;
  for (auto [tensor, member] : llvm::drop_begin(found.members)) {
    Operation *op = tensor.getDefiningOp();
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    auto isTaken = [&, dim = member.dim](Value operand) {
      return found.takesParts(operand, dim);
    };
    if (linalgOp
            ? !takesParts(linalgOp, *found.findSource(tensor, member.dim)->loop)
            : isOfTensors(op) && !llvm::all_of(op->getOperands(), isTaken))
      return std::nullopt;
  }
  if ((found.sums.empty() && !found.separatesComputed(op->getResult(0))) ||
      (found.over && !found.hideOverwritten()))
    return std::nullopt;
  return found;
}
