//===- DimRange.cpp - Slices of one dimension -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/DimRange.h"

#include "NormalizeSteps.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

using namespace mlir;
using namespace mlir::trn;

/// The one dimension of `whole` that an op takes or fills a part of.
static std::optional<DimRange> matchRange(OffsetSizeAndStrideOpInterface op,
                                          RankedTensorType whole) {
  std::optional<DimRange> range;
  if (!whole.hasStaticShape() || !op.getOffsets().empty() ||
      !op.getSizes().empty() || !op.getStrides().empty())
    return std::nullopt;
  for (int64_t dim = 0; dim < whole.getRank(); ++dim) {
    if (op.getStaticSize(dim) == whole.getDimSize(dim))
      continue;
    if (range)
      return std::nullopt;
    range = {dim, op.getStaticOffset(dim), op.getStaticSize(dim),
             op.getStaticStride(dim)};
  }
  return range;
}

std::optional<DimRange> mlir::trn::matchRange(tensor::ExtractSliceOp slice) {
  return ::matchRange(slice, slice.getSourceType());
}

std::optional<DimRange> mlir::trn::matchRange(tensor::InsertSliceOp insert) {
  return ::matchRange(insert, insert.getDestType());
}

std::optional<SmallVector<std::optional<int64_t>>>
mlir::trn::findDims(linalg::LinalgOp op, int64_t dim) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto loop = dyn_cast<AffineDimExpr>(maps.back().getResult(dim));
  if (!loop)
    return std::nullopt;
  SmallVector<std::optional<int64_t>> dims;
  for (AffineMap map : maps) {
    std::optional<int64_t> own;
    for (auto [position, index] : llvm::enumerate(map.getResults())) {
      if (index != loop && index.isFunctionOfDim(loop.getPosition()))
        return std::nullopt;
      if (index == loop)
        own = position;
    }
    dims.push_back(own);
  }
  return dims;
}

bool mlir::trn::isInArgument(tensor::ExtractSliceOp slice) {
  RankedTensorType source = slice.getSourceType(), type = slice.getType();
  return source.hasStaticShape() && type.hasStaticShape() &&
         slice.getOffsets().empty() && source.getRank() == type.getRank() &&
         (source.getRank() <= 2 ||
          source.getShape().drop_back() == type.getShape().drop_back()) &&
         getElementType(type.getElementType()) &&
         llvm::all_of(slice.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; }) &&
         (type.getRank() == 1 || type.getDimSize(0) != 1);
}

bool mlir::trn::isPartOfMatrices(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && slice.getType().getRank() > 2 && isInArgument(slice);
}

//===----------------------------------------------------------------------===//
// In front of movements
//===----------------------------------------------------------------------===//

namespace {
/// What the elements of a tensor are those of, and the dimension of that which
/// is one of the tensor, if it has it.
struct Movement {
  Value source;
  std::optional<int64_t> dim;
};
} // namespace

/// The dimension of `source` that is `dim` of `to`, whose shape has others of
/// one index.
static std::optional<Movement> matchReshape(Value source, RankedTensorType to,
                                            int64_t dim) {
  auto from = cast<RankedTensorType>(source.getType());
  auto isUnit = [](int64_t size) { return size == 1; };
  if (isUnit(to.getDimSize(dim)) ||
      SmallVector<int64_t>(llvm::make_filter_range(
          from.getShape(), [&](int64_t size) { return !isUnit(size); })) !=
          SmallVector<int64_t>(llvm::make_filter_range(
              to.getShape(), [&](int64_t size) { return !isUnit(size); })))
    return std::nullopt;
  int64_t before = llvm::count_if(to.getShape().take_front(dim),
                                  [&](int64_t size) { return !isUnit(size); });
  for (auto [own, size] : llvm::enumerate(from.getShape()))
    if (!isUnit(size) && before-- == 0)
      return Movement{source, own};
  return std::nullopt;
}

static std::optional<Movement> matchMovement(Value tensor, int64_t dim) {
  Operation *op = tensor.getDefiningOp();
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return matchReshape(op->getOperand(0),
                        cast<RankedTensorType>(tensor.getType()), dim);
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      linalgOp.hasIndexSemantics() || linalgOp.getNumReductionLoops() ||
      linalgOp.getNumDpsInputs() != 1 || linalgOp.getNumDpsInits() != 1 ||
      linalgOp.payloadUsesValueFromOperand(linalgOp.getDpsInitOperand(0)))
    return std::nullopt;
  auto dims = findDims(linalgOp, dim);
  if (!dims)
    return std::nullopt;
  return Movement{linalgOp.getDpsInputs()[0], dims->front()};
}

/// `type` with as many indices as `range` has.
static RankedTensorType typeOf(RankedTensorType type, const DimRange &range) {
  SmallVector<int64_t> shape(type.getShape());
  shape[range.dim] = range.size;
  return type.clone(shape);
}

/// Without dimensions of one index.
static RankedTensorType withoutUnits(RankedTensorType type) {
  SmallVector<int64_t> shape(type.getShape());
  llvm::erase(shape, 1);
  return type.clone(shape);
}

bool mlir::trn::isFree(Value source, DimRange range) {
  if (isKnownAtLoad(source))
    return true;
  if (auto movement = matchMovement(source, range.dim))
    return !movement->dim ||
           isFree(movement->source, range.ofDim(*movement->dim));
  auto type = cast<RankedTensorType>(source.getType());
  return type.hasStaticShape() && getElementType(type.getElementType()) &&
         range.stride == 1 && range.size > 1 &&
         withoutUnits(type).getRank() <= 2;
}

static Value emitSlice(OpBuilder &builder, Value source,
                       const DimRange &range) {
  auto type = cast<RankedTensorType>(source.getType());
  auto attr = [&](int64_t value) -> OpFoldResult {
    return builder.getIndexAttr(value);
  };
  SmallVector<OpFoldResult> offsets(type.getRank(), attr(0)),
      strides(type.getRank(), attr(1)), sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(attr(size));
  offsets[range.dim] = attr(range.offset);
  sizes[range.dim] = attr(range.size);
  strides[range.dim] = attr(range.stride);
  return tensor::ExtractSliceOp::create(builder, source.getLoc(), source,
                                        offsets, sizes, strides);
}

Value mlir::trn::emitRange(OpBuilder &builder, Value source, DimRange range) {
  if (isKnownAtLoad(source))
    return emitSlice(builder, source, range);
  auto type = cast<RankedTensorType>(source.getType());
  RankedTensorType partType = typeOf(type, range);
  Location loc = source.getLoc();
  if (auto movement = matchMovement(source, range.dim)) {
    Value part = movement->source;
    if (movement->dim)
      part = emitRange(builder, part, range.ofDim(*movement->dim));
    auto linalgOp = source.getDefiningOp<linalg::LinalgOp>();
    if (!linalgOp)
      return reshape(builder, loc, part, partType);
    Value init = emitZeros(builder, loc, partType);
    return clone(builder, linalgOp, partType, ValueRange{part, init})
        ->getResult(0);
  }
  RankedTensorType matrix = withoutUnits(type);
  if (matrix == type)
    return emitSlice(builder, source, range);
  int64_t dim = llvm::count_if(type.getShape().take_front(range.dim),
                               [](int64_t size) { return size != 1; });
  Value part = emitSlice(builder, reshape(builder, loc, source, matrix),
                         range.ofDim(dim));
  return reshape(builder, loc, part, partType);
}
