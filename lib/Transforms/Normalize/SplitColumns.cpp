//===- SplitColumns.cpp - Products that are read in slices ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One product with the weights of two, as frontends pack gate and up
//
//   %y = X * [G | U]
//   %g = tensor.extract_slice %y    the first half of its columns
//   %u = tensor.extract_slice %y    the other one
//
// becomes two products, whose weights are sliced instead: once, when they are
// loaded, or by the kernel, which reads ranges of its arguments. Elementwise
// ops between product and slices come behind both. So their sums never leave
// the kernel. Columns of weights that are known at load may be interleaved,
// too.
//
//===----------------------------------------------------------------------===//

#include "SplitColumns.h"

#include "NormalizeSteps.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Normalize/DimRange.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"
#include <map>

using namespace mlir;
using namespace mlir::trn;

namespace {
/// A range of each of several groups of columns, as of those of a group of
/// heads that share their keys.
struct ColumnRange : DimRange {
  int64_t groups = 1;
};

/// An op that reads `range` of what a product's columns are, as a tensor of
/// another shape.
struct ColumnReader {
  tensor::ExtractSliceOp slice;
  ColumnRange range;

  auto key() const {
    return std::tuple(range.offset, range.size, range.stride, range.groups);
  }
  /// Whether both read the same columns.
  bool operator==(const ColumnReader &other) const {
    return key() == other.key();
  }
};
} // namespace

/// `range` of what `expand` splits as a range of its source.
static std::optional<ColumnRange> throughSplit(tensor::ExpandShapeOp expand,
                                               DimRange range) {
  for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices())) {
    if (!llvm::is_contained(group, range.dim))
      continue;
    int64_t inside = 1, outside = 1;
    for (int64_t part : group)
      (part < range.dim ? outside : inside) *=
          part == range.dim ? 1 : expand.getResultType().getDimSize(part);
    if (inside == 1 && outside == 1)
      return ColumnRange{range.ofDim(dim)};
    if (inside == 1 && range.size == 1)
      return ColumnRange{{int64_t(dim), range.offset, outside,
                          expand.getResultType().getDimSize(range.dim)}};
    if (range.stride == 1)
      return ColumnRange{
          {int64_t(dim), range.offset * inside, range.size * inside, 1},
          outside};
    return std::nullopt;
  }
  return std::nullopt;
}

/// What reads `value`; nothing if that is more than slices of one dimension.
static SmallVector<ColumnReader> findReaders(Value value) {
  SmallVector<ColumnReader> readers;
  for (Operation *user : value.getUsers()) {
    auto expand = dyn_cast<tensor::ExpandShapeOp>(user);
    SmallVector<Operation *> all(1, user);
    if (expand)
      all = llvm::to_vector(user->getUsers());
    for (Operation *reader : all) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(reader);
      auto taken = slice ? matchRange(slice) : std::nullopt;
      std::optional<ColumnRange> range;
      if (taken)
        range = expand ? throughSplit(expand, *taken) : ColumnRange{*taken};
      if (!range ||
          (!readers.empty() && readers.front().range.dim != range->dim))
        return {};
      readers.push_back({slice, *range});
    }
  }
  return readers;
}

/// Whether something is computed of `part`, wherever its elements are moved
/// before: if not, the result of one product is as good.
static bool isComputedWith(Value part) {
  return llvm::any_of(part.getUsers(), [](Operation *user) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
            tensor::ExtractSliceOp>(user))
      return isComputedWith(user->getResult(0));
    auto op = dyn_cast<linalg::LinalgOp>(user);
    if (!op || !op.hasPureTensorSemantics())
      return false;
    bool isMoved = op.isAllParallelLoops() && op->getNumResults() == 1 &&
                   llvm::hasSingleElement(*op.getBlock());
    return !isMoved || isComputedWith(op->getResult(0));
  });
}

/// Whether the readers take each index once at most, so that nothing is
/// computed twice.
static bool areDisjoint(ArrayRef<ColumnReader> readers, int64_t size) {
  llvm::SmallBitVector taken(size);
  for (auto [number, reader] : llvm::enumerate(readers)) {
    const ColumnRange &range = reader.range;
    if (llvm::is_contained(readers.take_front(number), reader))
      continue;
    for (int64_t i = 0; i < range.groups * range.size; ++i) {
      int64_t index = i / range.size * (size / range.groups) + range.offset +
                      i % range.size * range.stride;
      if (index >= size || taken[index])
        return false;
      taken.set(index);
    }
  }
  return true;
}

/// Whether one op reads it, once, which may also write over it.
static bool hasOneReader(Operation *op) {
  auto isRead = [](OpOperand &use) {
    auto writer = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return !writer || writer.isDpsInput(&use);
  };
  return llvm::all_equal(op->getUsers()) &&
         llvm::count_if(op->getUses(), isRead) == 1;
}

namespace {
/// A product and the elementwise ops behind it, the last of which is read in
/// slices.
class SlicedProduct {
public:
  SlicedProduct(linalg::LinalgOp product) : ops{product} {
    while (hasOneReader(ops.back())) {
      auto user = dyn_cast<linalg::GenericOp>(*ops.back()->user_begin());
      if (!user || !user.hasPureTensorSemantics() || user.hasIndexSemantics() ||
          !user.isAllParallelLoops() || user.getNumDpsInits() != 1 ||
          user.payloadUsesValueFromOperand(user.getDpsInitOperand(0)))
        break;
      ops.push_back(user);
    }
    readers = findReaders(ops.back()->getResult(0));
  }

  /// Writes a product for each slice, if it only reads columns.
  void split(IRRewriter &rewriter);

private:
  /// By operand, the dimension that has the columns, if it has them.
  using ColumnDims = SmallVector<std::optional<int64_t>>;

  /// Those of each op; none if slices of the result are no slices of columns,
  /// which only one operand of the product has.
  SmallVector<ColumnDims> findDims();
  bool areFree(ArrayRef<ColumnDims> dims);
  bool haveShapes();
  Value write(IRRewriter &rewriter, ArrayRef<ColumnDims> dims,
              const ColumnRange &range);

  SmallVector<linalg::LinalgOp> ops;
  SmallVector<ColumnReader> readers;
};
} // namespace

SmallVector<SlicedProduct::ColumnDims> SlicedProduct::findDims() {
  SmallVector<ColumnDims> all;
  std::optional<int64_t> dim = readers.front().range.dim;
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    auto dims = dim ? mlir::trn::findDims(op, *dim) : std::nullopt;
    if (!dims)
      return {};
    all.insert(all.begin(), *dims);
    // Where it reads the op before it.
    for (auto [operand, own] : llvm::zip(op.getDpsInputs(), *dims))
      if (llvm::is_contained(ops, operand.getDefiningOp()))
        dim = own;
  }
  const ColumnDims &product = all.front();
  if (product[0].has_value() == product[1].has_value())
    return {};
  return all;
}

/// `range` of `dim` of `source`.
static Value emitColumns(OpBuilder &builder, Value source,
                         const ColumnRange &range, int64_t dim) {
  if (range.groups == 1)
    return emitRange(builder, source, range.ofDim(dim));
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= range.groups;
  shape.insert(shape.begin() + dim, range.groups);
  Value groups = reshape(builder, source.getLoc(), source, type.clone(shape));
  Value part = emitRange(builder, groups, range.ofDim(dim + 1));
  shape[dim + 1] = range.groups * range.size;
  shape.erase(shape.begin() + dim);
  return reshape(builder, source.getLoc(), part, type.clone(shape));
}

Value SlicedProduct::write(IRRewriter &rewriter, ArrayRef<ColumnDims> dims,
                           const ColumnRange &range) {
  IRMapping done;
  for (auto [op, own] : llvm::zip_equal(ops, dims)) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[*own.back()] = range.groups * range.size;
    type = type.clone(shape);
    SmallVector<Value> operands;
    for (auto [operand, dim] : llvm::zip(op.getDpsInputs(), own))
      if (Value part = done.lookupOrNull(operand))
        operands.push_back(part);
      else
        operands.push_back(dim ? emitColumns(rewriter, operand, range, *dim)
                               : operand);
    operands.push_back(emitZeros(rewriter, op.getLoc(), type));
    done.map(op->getResult(0),
             clone(rewriter, op, type, operands)->getResult(0));
  }
  return done.lookup(ops.back()->getResult(0));
}

/// Whether `operand` is an argument with one row. The host moves that before
/// all kernels, which costs nothing beside a launch.
static bool isVectorArgument(Value operand) {
  while (isReshape(operand.getDefiningOp()))
    operand = operand.getDefiningOp()->getOperand(0);
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  return isa<BlockArgument>(operand) && type &&
         llvm::count_if(type.getShape(),
                        [](int64_t size) { return size != 1; }) <= 1;
}

/// Whether no slice, except those of vectors, has to be copied in every run.
bool SlicedProduct::areFree(ArrayRef<ColumnDims> dims) {
  auto isFreeRange = [](Value operand, const ColumnRange &range, int64_t dim) {
    return range.groups == 1
               ? isVectorArgument(operand) || isFree(operand, range.ofDim(dim))
               : isKnownAtLoad(operand);
  };
  for (auto [op, own] : llvm::zip_equal(ops, dims))
    for (auto [operand, dim] : llvm::zip(op.getDpsInputs(), own))
      for (ColumnReader reader : readers)
        if (dim && !llvm::is_contained(ops, operand.getDefiningOp()) &&
            !isFreeRange(operand, reader.range, *dim))
          return false;
  return true;
}

static bool isReshapeOf(RankedTensorType to, RankedTensorType from) {
  return from == to || (from.getRank() != to.getRank() &&
                        getReassociationIndicesForReshape(from, to));
}

/// Whether each slice has the shape of a result with fewer columns, or that
/// with dimensions of one index more or less.
bool SlicedProduct::haveShapes() {
  auto type = cast<RankedTensorType>(ops.back()->getResult(0).getType());
  return llvm::all_of(readers, [&](ColumnReader reader) {
    SmallVector<int64_t> shape(type.getShape());
    shape[reader.range.dim] = reader.range.groups * reader.range.size;
    return isReshapeOf(reader.slice.getType(), type.clone(shape));
  });
}

/// Whether kernels read it in place, as columns of one head of each group.
static bool isInPlace(const ColumnReader &reader) {
  tensor::ExtractSliceOp slice = reader.slice;
  std::optional<DimRange> range = matchRange(slice);
  return reader.range.groups > 1 &&
         (range->size == 1 ||
          range->dim + 1 == slice.getSourceType().getRank());
}

void SlicedProduct::split(IRRewriter &rewriter) {
  if (readers.size() < 2 || !haveShapes() ||
      llvm::none_of(readers, [](ColumnReader reader) {
        return isComputedWith(reader.slice);
      }))
    return;
  SmallVector<ColumnDims> dims = findDims();
  auto type = cast<RankedTensorType>(ops.back()->getResult(0).getType());
  if (dims.empty() || !isZeroFilled(ops.front().getDpsInitOperand(0)->get()) ||
      !areDisjoint(readers, type.getDimSize(readers.front().range.dim)))
    return;
  if (!areFree(dims)) {
    // Rows of activations are nothing that anybody packs.
    if (dims.front()[1] && !llvm::all_of(readers, isInPlace))
      emitRemark(
          ops.front().getLoc(),
          "the host separates columns of this product, since they are "
          "interleaved or there are batches; a weight that is known at load "
          "is separated once instead: give its argument trn.param");
    return;
  }
  std::map<std::tuple<int64_t, int64_t, int64_t, int64_t>, Value> parts;
  for (ColumnReader reader : readers) {
    Value &part = parts[reader.key()];
    if (!part) {
      rewriter.setInsertionPointAfter(ops.back());
      part = write(rewriter, dims, reader.range);
    }
    rewriter.setInsertionPointAfterValue(part);
    rewriter.replaceOp(reader.slice, reshape(rewriter, part.getLoc(), part,
                                             reader.slice.getType()));
  }
  for (Operation *user : llvm::to_vector(ops.back()->getResult(0).getUsers()))
    rewriter.eraseOp(user);
  for (linalg::LinalgOp op : llvm::reverse(ops))
    rewriter.eraseOp(op);
}

/// Whether `slice` takes interleaved columns of the only row that there is: the
/// product keeps that, so that it can be taken apart.
static bool isOfOneRow(tensor::ExtractSliceOp slice, const DimRange &range) {
  auto expand = slice.getSource().getDefiningOp<tensor::ExpandShapeOp>();
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  return expand && range.size == 1 && range.dim + 1 == int64_t(shape.size()) &&
         ShapedType::getNumElements(shape.take_front(
             expand.getReassociationIndices().back().front())) == 1;
}

void mlir::trn::sliceHeads(tensor::ExtractSliceOp slice) {
  auto expand = slice.getSource().getDefiningOp<tensor::ExpandShapeOp>();
  std::optional<DimRange> range = matchRange(slice);
  if (!expand || !range || range->stride != 1 || isOfOneRow(slice, *range) ||
      isKnownAtLoad(slice) || !getElementType(slice.getType().getElementType()))
    return;
  RankedTensorType type = expand.getResultType();
  if (!type.hasStaticShape())
    return;
  ReassociationIndices last = expand.getReassociationIndices().back();
  if (!llvm::is_contained(last, range->dim))
    return;
  int64_t inside =
      ShapedType::getNumElements(type.getShape().drop_front(range->dim + 1));
  SmallVector<int64_t> shape(type.getShape().take_front(range->dim));
  llvm::erase(shape, 1);
  if (shape.empty())
    return;
  shape.push_back(type.getDimSize(range->dim) * inside);
  OpBuilder builder(slice);
  Location loc = slice.getLoc();
  Value heads = reshape(builder, loc, expand.getSrc(), type.clone(shape));
  Value part = emitRange(builder, heads,
                         {int64_t(shape.size()) - 1, range->offset * inside,
                          range->size * inside, 1});
  // No dimension of one index comes between it and what it becomes.
  SmallVector<Operation *> readers(1, slice);
  for (Operation *user : slice->getUsers())
    if (isReshape(user) &&
        cast<RankedTensorType>(user->getResult(0).getType()).hasStaticShape())
      readers.push_back(user);
  for (Operation *op : readers) {
    auto own = cast<RankedTensorType>(op->getResult(0).getType());
    op->replaceAllUsesWith(ValueRange(reshape(builder, loc, part, own)));
  }
}

void mlir::trn::sliceRow(tensor::ExtractSliceOp slice) {
  std::optional<DimRange> range = matchRange(slice);
  RankedTensorType type = slice.getSourceType();
  if (!range || range->size != 1 || type.getRank() < 3 || slice->use_empty() ||
      isKnownAtLoad(slice) || !getElementType(type.getElementType()))
    return;
  int64_t rows =
      ShapedType::getNumElements(type.getShape().take_front(range->dim));
  int64_t inside =
      ShapedType::getNumElements(type.getShape().drop_front(range->dim + 1));
  if (rows <= 1 || inside == 0 || isOfOneRow(slice, *range))
    return;
  OpBuilder builder(slice);
  Location loc = slice.getLoc();
  Value matrix =
      reshape(builder, loc, slice.getSource(),
              type.clone({rows, type.getDimSize(range->dim) * inside}));
  Value part =
      emitRange(builder, matrix, {1, range->offset * inside, inside, 1});
  slice.replaceAllUsesWith(reshape(builder, loc, part, slice.getType()));
}

void mlir::trn::sliceReshaped(Operation *op) {
  if (!isReshape(op) || llvm::all_of(op->getUsers(), isReshape))
    return;
  Operation *source = op;
  while (source && isReshape(source))
    source = source->getOperand(0).getDefiningOp();
  auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(source);
  std::optional<DimRange> range =
      slice && isInArgument(slice) ? matchRange(slice) : std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.hasStaticShape() || !range ||
      range->dim + 1 != slice.getType().getRank() || isKnownAtLoad(slice) ||
      type.getRank() < 2 || type.getDimSize(0) == 1 ||
      type.getShape().back() != range->size)
    return;
  OpBuilder builder(op);
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = slice.getSourceType().getShape().back();
  Value whole =
      reshape(builder, slice.getLoc(), slice.getSource(), type.clone(shape));
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0)),
      strides(shape.size(), builder.getIndexAttr(1)),
      taken = getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  offsets.back() = builder.getIndexAttr(range->offset);
  op->replaceAllUsesWith(ValueRange(tensor::ExtractSliceOp::create(
      builder, slice.getLoc(), whole, offsets, taken, strides)));
}

void mlir::trn::splitColumns(linalg::LinalgOp product) {
  IRRewriter rewriter(product.getContext());
  SlicedProduct(product).split(rewriter);
}
