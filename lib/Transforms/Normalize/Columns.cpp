//===- Columns.cpp - Columns taken apart and put together -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

#include "NormalizeSteps.h"
#include "TensorType.h"
#include "trn/Transforms/Normalize/DimRange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::trn;

static int64_t sizeOf(ArrayRef<int64_t> shape) {
  return ShapedType::getNumElements(shape);
}

RankedTensorType mlir::trn::withFlatRows(RankedTensorType type, int64_t width) {
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t columns = 1; columns < width; shape.pop_back())
    columns *= shape.back();
  shape.push_back(width);
  return type.clone(shape);
}

/// What `range` takes of the columns of `shape`, of which the last `rowDims`
/// dimensions are a row.
static SmallVector<int64_t> indicesOf(ArrayRef<int64_t> shape, int64_t rowDims,
                                      const DimRange &range) {
  int64_t inner = sizeOf(shape.drop_front(range.dim + 1));
  int64_t outer = sizeOf(shape.take_back(rowDims)) / inner / shape[range.dim];
  SmallVector<int64_t> indices;
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < range.size; ++i)
      for (int64_t j = 0; j < inner; ++j)
        indices.push_back(
            (o * shape[range.dim] + range.offset + i * range.stride) * inner +
            j);
  return indices;
}

/// Whether `reshape` has groups of dimensions of which the last one has
/// several, as pairs of columns are.
template <typename Reshape>
static bool hasPairs(Reshape reshape) {
  return reshape && !reshape.getReassociationIndices().empty() &&
         reshape.getReassociationIndices().back().size() > 1;
}

std::optional<Columns> mlir::trn::matchColumns(tensor::ExtractSliceOp slice) {
  RankedTensorType type = slice.getSourceType();
  std::optional<DimRange> range = matchRange(slice);
  if (!range || type.getRank() < 2)
    return std::nullopt;
  bool isLast = range->dim == type.getRank() - 1;
  bool isPart =
      hasPairs(slice.getSource().getDefiningOp<tensor::ExpandShapeOp>()) &&
      (!isLast || range->size == 1);
  int64_t rowDims = isPart ? 2 : 1;
  if (range->dim < type.getRank() - rowDims)
    return std::nullopt;
  return Columns{slice.getSource(), sizeOf(type.getShape().take_back(rowDims)),
                 indicesOf(type.getShape(), rowDims, *range)};
}

//===----------------------------------------------------------------------===//
// What a piece is
//===----------------------------------------------------------------------===//

/// What `value` is negated of, if it is.
static Value matchNegation(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::NegFOp>(op))
    return op->getOperand(0);
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      linalgOp.getNumDpsInputs() != 1 || linalgOp.getNumDpsInits() != 1 ||
      !linalgOp.isAllParallelLoops() ||
      !llvm::all_of(linalgOp.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return {};
  Block *body = linalgOp.getBlock();
  auto negation =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::NegFOp>();
  return negation && negation.getOperand() == body->getArgument(0)
             ? linalgOp.getDpsInputs()[0]
             : Value();
}

/// What `value` is but for dimensions of one index, if it is a reshape of that.
static Value skipUnits(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return {};
  auto sizesOf = [](Value tensor) {
    SmallVector<int64_t> sizes(typeOf(tensor).getShape());
    llvm::erase(sizes, 1);
    return sizes;
  };
  Value source = op->getOperand(0);
  return sizesOf(source) == sizesOf(value) ? source : Value();
}

Columns mlir::trn::findColumns(Value value, int64_t count) {
  Columns columns{value, count, llvm::to_vector(llvm::seq<int64_t>(count))};
  while (true) {
    if (Value source = matchNegation(columns.source)) {
      columns.source = source;
      columns.isNegated = !columns.isNegated;
      continue;
    }
    if (Value source = skipUnits(columns.source)) {
      columns.source = source;
      continue;
    }
    auto slice = columns.source.getDefiningOp<tensor::ExtractSliceOp>();
    auto taken = slice ? matchColumns(slice) : std::nullopt;
    // Of heads that lie beside each other, each is taken apart by itself.
    if (!taken || int64_t(taken->indices.size()) != columns.width ||
        taken->width > maxColumns)
      return columns;
    for (int64_t &index : columns.indices)
      index = taken->indices[index];
    columns.source = taken->source;
    columns.width = taken->width;
  }
}

//===----------------------------------------------------------------------===//
// What puts columns together
//===----------------------------------------------------------------------===//

using Ranges = JoinedRanges;

static Ranges findRanges(tensor::ConcatOp concat) {
  Ranges ranges;
  int64_t offset = 0;
  for (Value input : concat.getInputs()) {
    int64_t size = typeOf(input).getDimSize(concat.getDim());
    ranges.push_back({input, {int64_t(concat.getDim()), offset, size, 1}});
    offset += size;
  }
  return ranges;
}

/// None if another insertion goes on with this one.
static Ranges findRanges(tensor::InsertSliceOp insert) {
  auto isContinued = [&](OpOperand &use) {
    auto next = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    return next && &next.getDestMutable() == &use;
  };
  if (insert->hasOneUse() && isContinued(*insert->use_begin()))
    return {};
  Ranges ranges;
  Value value = insert;
  while (auto part = value.getDefiningOp<tensor::InsertSliceOp>()) {
    std::optional<DimRange> range = matchRange(part);
    if (!range)
      return {};
    ranges.emplace_back(part.getSource(), *range);
    value = part.getDest();
  }
  return value.getDefiningOp<tensor::EmptyOp>() ? ranges : Ranges();
}

/// The loop that `index` is, with an offset that is taken off.
static std::optional<std::pair<int64_t, int64_t>> matchIndex(Value index) {
  int64_t offset = 0;
  if (auto subtract = index.getDefiningOp<arith::SubIOp>()) {
    std::optional<int64_t> constant = getConstantIntValue(subtract.getRhs());
    if (!constant)
      return std::nullopt;
    offset = *constant;
    index = subtract.getLhs();
  }
  auto loop = index.getDefiningOp<linalg::IndexOp>();
  return loop ? std::optional(std::pair(int64_t(loop.getDim()), offset))
              : std::nullopt;
}

/// The range of `dim` that `value`, an element of a tensor, reads for it; none
/// if it reads others, too.
static std::optional<std::pair<Value, DimRange>> matchElement(Value value,
                                                              int64_t dim) {
  auto extract = value.getDefiningOp<tensor::ExtractOp>();
  if (!extract || int64_t(extract.getIndices().size()) <= dim ||
      !extract.getTensor().getType().hasStaticShape())
    return std::nullopt;
  int64_t offset = 0;
  for (auto [i, index] : llvm::enumerate(extract.getIndices())) {
    auto loop = matchIndex(index);
    if (!loop || loop->first != int64_t(i) ||
        (loop->second != 0 && int64_t(i) != dim))
      return std::nullopt;
    offset += loop->second;
  }
  int64_t size = extract.getTensor().getType().getDimSize(dim);
  return std::pair(extract.getTensor(), DimRange{dim, offset, size, 1});
}

/// A generic that reads one tensor or another, by an index.
static Ranges findRanges(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 0 ||
      op.getNumDpsInits() != 1 || !op.isAllParallelLoops() ||
      !op.getIndexingMapsArray()[0].isIdentity())
    return {};
  Ranges ranges;
  std::optional<int64_t> dim;
  auto match = [&](Value value) {
    auto part = matchElement(value, *dim);
    bool isMade =
        part && op.getRegion().isAncestor(part->first.getParentRegion());
    return isMade ? std::nullopt : part;
  };
  Value value = op.getBody()->getTerminator()->getOperand(0);
  while (auto choice = value.getDefiningOp<scf::IfOp>()) {
    auto compare = choice.getCondition().getDefiningOp<arith::CmpIOp>();
    auto loop = compare ? matchIndex(compare.getLhs()) : std::nullopt;
    auto end = compare ? getConstantIntValue(compare.getRhs()) : std::nullopt;
    if (!loop || !end || choice.getNumResults() != 1 ||
        (compare.getPredicate() != arith::CmpIPredicate::ult &&
         compare.getPredicate() != arith::CmpIPredicate::slt) ||
        (dim && *dim != loop->first))
      return {};
    dim = loop->first;
    auto part = match(choice.thenYield().getOperand(0));
    // It ends where the next one begins.
    if (!part || part->second.offset + part->second.size != *end + loop->second)
      return {};
    ranges.push_back(*part);
    value = choice.elseYield().getOperand(0);
  }
  auto last = dim ? match(value) : std::nullopt;
  if (!last)
    return {};
  ranges.push_back(*last);
  return ranges;
}

JoinedRanges mlir::trn::findJoinedRanges(Operation *op) {
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return findRanges(concat);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return findRanges(insert);
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return findRanges(generic);
  return {};
}

/// Whether all that reads `op` has its last two dimensions as one.
static bool isReadFlat(Operation *op) {
  return op->hasOneUse() &&
         hasPairs(dyn_cast<tensor::CollapseShapeOp>(*op->user_begin()));
}

std::optional<JoinedColumns> mlir::trn::matchJoinedColumns(Operation *op) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (!type || !type.hasStaticShape() || type.getEncoding() ||
      type.getRank() < 2)
    return std::nullopt;
  Ranges ranges = findJoinedRanges(op);
  if (ranges.size() < 2)
    return std::nullopt;
  int64_t dim = ranges.front().second.dim, last = type.getRank() - 1;
  bool arePairs = isReadFlat(op) &&
                  (dim == last - 1 ||
                   (dim == last && llvm::all_of(ranges, [](const auto &range) {
                      return range.second.size == 1;
                    })));
  int64_t rowDims = arePairs ? 2 : 1;
  if (dim < type.getRank() - rowDims)
    return std::nullopt;
  JoinedColumns joined{op, sizeOf(type.getShape().take_back(rowDims))};
  llvm::SmallBitVector isFilled(joined.width);
  for (auto [value, range] : ranges) {
    auto own = dyn_cast<RankedTensorType>(value.getType());
    if (!own || !own.hasStaticShape() || range.dim != dim)
      return std::nullopt;
    SmallVector<int64_t> indices = indicesOf(type.getShape(), rowDims, range);
    for (int64_t index : indices) {
      if (index >= joined.width || isFilled[index])
        return std::nullopt;
      isFilled.set(index);
    }
    joined.pieces.push_back({value, joined.width, std::move(indices)});
  }
  return isFilled.all() ? std::optional(std::move(joined)) : std::nullopt;
}
