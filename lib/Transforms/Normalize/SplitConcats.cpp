//===- SplitConcats.cpp - What is put together, part by part --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A token reads the keys and values of those before it, and its own. Frontends
// put these together, as they are the next cache:
//
//   %keys = tensor.concat dim(1) %cache, %key             [8, 257, 64]
//   %score = linalg.batch_matmul %query, %keys            [8, 1, 257]
//   %most = linalg.generic { arith.maximumf } %score      [8, 1]
//   ...
//   %o = linalg.batch_matmul %probability, %values
//
// As the host would put them together, between the kernel that computes %key
// and the one that reads %keys. But all of this is computed part by part, up to
// sums and maxima, which are those of the parts:
//
//   %before = linalg.batch_matmul %query, %cache          [8, 1, 256]
//   %new = linalg.batch_matmul %query, %key               [8, 1, 1]
//   %most = linalg.generic { arith.maximumf }
//             max %before, max %new
//
// So is a product that sums over columns which are put together.
//
// A cache of a fixed size is written over, at a position that only a run knows:
//
//   %keys = tensor.insert_slice %key into %cache[0, %at, 0] [8, 1, 64]
//
// Its parts are %cache as a whole, of which a mask hides what is written over
// from the maximum, and %key.

#include "JoinedDims.h"
#include "NormalizeSteps.h"
#include "ReduceDims.h"
#include "TensorType.h"
#include "trn/Transforms/Normalize/DimRange.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// A part of what an op folds, by the inputs from `first` on.
struct Part {
  size_t first, count;
  bool isFolded;
};

/// Computes part by part what `joined` found.
class Splitter {
public:
  explicit Splitter(JoinedDims &joined) : joined(joined) {}

  void split();

private:
  int64_t sizeOf(unsigned number) const { return joined.ranges()[number].size; }
  OpFoldResult offsetOf(Builder &builder, unsigned number) const {
    if (number == 1 && joined.overwritten())
      return joined.overwritten()->offset;
    return builder.getIndexAttr(joined.ranges()[number].offset);
  }
  /// Part `number` of `tensor` in `dim`.
  Value partOf(Value tensor, int64_t dim, unsigned number);
  Value emitPart(Value tensor, int64_t dim, unsigned number);
  /// Lets `builder` insert at `op`, or behind the index of what is written.
  void moveTo(OpBuilder &builder, Operation *op);
  /// `part`, the first one of `tensor`, without what is written over.
  Value hide(Value part, Value tensor, int64_t dim);
  /// Which operand of `op` is added to all that it computes, and may be hidden
  /// in its place: a mask that the host computes.
  std::optional<unsigned> findMask(Operation *op,
                                   const JoinedDims::Source &source);
  /// `op` on part `number` of those operands that have a dimension of it.
  Value clonePart(Operation *op, const JoinedDims::Source &source,
                  RankedTensorType type, unsigned number);
  /// The same of a product, if that part has one index: what it sums is
  /// multiplied element by element.
  Value multiplyPart(linalg::LinalgOp op, const JoinedDims::Source &source,
                     RankedTensorType type, unsigned number);
  /// What `op` folds of that part, by its `loop`.
  Value foldPart(linalg::LinalgOp op, unsigned loop, unsigned number);
  /// What it folds of all parts.
  Value fold(linalg::LinalgOp op, unsigned loop);

  JoinedDims &joined;
  DenseMap<std::pair<Value, std::pair<int64_t, unsigned>>, Value> parts;
};
} // namespace

/// The number that `op` folds of one element of each of its inputs.
static Value emitElement(OpBuilder &builder, linalg::LinalgOp op,
                         ValueRange elements) {
  if (isProductLike(op)) {
    auto widen = [&](Value factor) {
      return convertScalarToDtype(builder, op.getLoc(), factor,
                                  builder.getF32Type(),
                                  /*isUnsignedCast=*/false);
    };
    return arith::MulFOp::create(builder, op.getLoc(), widen(elements[0]),
                                 widen(elements[1]));
  }
  IRMapping mapping;
  mapping.map(op.getRegionInputArgs(), elements);
  Operation *yield = op.getBlock()->getTerminator();
  for (Operation &inner : op.getBlock()->without_terminator())
    if (&inner != yield->getOperand(0).getDefiningOp())
      builder.clone(inner, mapping);
  return mapping.lookupOrDefault(matchFold(op)->value);
}

Value Splitter::partOf(Value tensor, int64_t dim, unsigned number) {
  std::pair key(tensor, std::pair(dim, number));
  if (Value known = parts.lookup(key))
    return known;
  Value part = emitPart(tensor, dim, number);
  if (number == 0 && joined.isHidden(tensor))
    part = hide(part, tensor, dim);
  return parts[key] = part;
}

void Splitter::moveTo(OpBuilder &builder, Operation *op) {
  builder.setInsertionPoint(op);
  if (!joined.overwritten())
    return;
  auto offset = dyn_cast<Value>(joined.overwritten()->offset);
  Operation *index = offset ? offset.getDefiningOp() : nullptr;
  if (index && index->getBlock() == op->getBlock() &&
      (op == index || op->isBeforeInBlock(index)))
    builder.setInsertionPointAfter(index);
}

std::optional<unsigned> Splitter::findMask(Operation *op,
                                           const JoinedDims::Source &source) {
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
  auto sum = linalgOp ? linalgOp.getBlock()
                            ->getTerminator()
                            ->getOperand(0)
                            .getDefiningOp<arith::AddFOp>()
                      : arith::AddFOp();
  if (!sum || !linalgOp.isAllParallelLoops())
    return std::nullopt;
  for (Value term : sum->getOperands()) {
    if (auto widened = term.getDefiningOp<arith::ExtFOp>())
      term = widened.getIn();
    auto argument = dyn_cast<BlockArgument>(term);
    OpOperand *operand =
        argument ? linalgOp.getMatchingOpOperand(argument) : nullptr;
    std::optional<int64_t> dim =
        operand ? source.dims[operand->getOperandNumber()] : std::nullopt;
    if (dim && linalgOp.isDpsInput(operand) &&
        joined.isWhole(operand->get(), *dim) && hasInfinities(operand->get()))
      return operand->getOperandNumber();
  }
  return std::nullopt;
}

Value Splitter::hide(Value part, Value tensor, int64_t dim) {
  std::optional<JoinedDims::Source> source = joined.findSource(tensor, dim);
  OpBuilder builder(tensor.getContext());
  // `part` is a copy of what computes the tensor.
  if (std::optional<unsigned> mask =
          source ? findMask(tensor.getDefiningOp(), *source) : std::nullopt) {
    Operation *made = part.getDefiningOp();
    moveTo(builder, made);
    OpOperand &operand = made->getOpOperand(*mask);
    operand.set(emitHidden(builder, *joined.overwritten(), operand.get(),
                           *source->dims[*mask]));
    return part;
  }
  builder.setInsertionPointAfterValue(tensor);
  return emitHidden(builder, *joined.overwritten(), part, dim);
}

Value Splitter::clonePart(Operation *op, const JoinedDims::Source &source,
                          RankedTensorType type, unsigned number) {
  SmallVector<Value> operands;
  for (auto [operand, dim] : llvm::zip_equal(op->getOperands(), source.dims))
    operands.push_back(dim ? partOf(operand, *dim, number) : operand);
  OpBuilder builder(op->getContext());
  moveTo(builder, op);
  Operation *part = clone(builder, op, type, operands);
  OpFoldResult offset = offsetOf(builder, number);
  SmallVector<linalg::IndexOp> indices;
  part->walk([&](linalg::IndexOp index) {
    if (index.getDim() == source.loop && !isZeroInteger(offset))
      indices.push_back(index);
  });
  for (linalg::IndexOp index : indices) {
    Location loc = index.getLoc();
    builder.setInsertionPointAfter(index);
    Value first = getValueOrCreateConstantIndexOp(builder, loc, offset);
    auto moved = arith::AddIOp::create(builder, loc, index, first);
    index.getResult().replaceAllUsesExcept(moved, moved);
  }
  return part->getResult(0);
}

Value Splitter::emitPart(Value tensor, int64_t dim, unsigned number) {
  if (Value given = joined.findPart(tensor, dim, number))
    return given;
  bool isWhole = joined.overwritten() && joined.isWhole(tensor, dim);
  if (isWhole && number == 0)
    return tensor;
  SmallVector<int64_t> shape(typeOf(tensor).getShape());
  shape[dim] = sizeOf(number);
  RankedTensorType type = typeOf(tensor).clone(shape);
  OpBuilder builder(tensor.getContext());
  builder.setInsertionPointAfterValue(tensor);
  std::optional<JoinedDims::Source> source = joined.findSource(tensor, dim);
  if (!source && joined.overwritten()) {
    moveTo(builder, &*builder.getInsertionPoint());
    return emitIndices(builder, tensor, dim, offsetOf(builder, number),
                       sizeOf(number));
  }
  if (!source)
    return emitRange(builder, tensor, joined.ranges()[number].ofDim(dim));
  Operation *op = tensor.getDefiningOp();
  if (isa<tensor::EmptyOp>(op))
    return tensor::EmptyOp::create(builder, op->getLoc(), shape,
                                   type.getElementType());
  if (isReshape(op))
    return reshape(builder, op->getLoc(),
                   partOf(op->getOperand(0), *source->dims.front(), number),
                   type);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SmallVector<OpFoldResult> sizes(slice.getMixedSizes());
    sizes[dim] = builder.getIndexAttr(sizeOf(number));
    return tensor::ExtractSliceOp::create(
        builder, op->getLoc(), type, partOf(slice.getSource(), dim, number),
        slice.getMixedOffsets(), sizes, slice.getMixedStrides());
  }
  auto product = dyn_cast<linalg::LinalgOp>(op);
  // Engines that multiply elements take few rows in the time of a product.
  if (product && sumsProducts(product) && sizeOf(number) == 1 &&
      type.getNumElements() <= fewRows * fewRows)
    return multiplyPart(product, *source, type, number);
  return clonePart(op, *source, type, number);
}

Value Splitter::multiplyPart(linalg::LinalgOp op,
                             const JoinedDims::Source &source,
                             RankedTensorType type, unsigned number) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<int64_t> loops = op.getStaticLoopRanges();
  // As the result has them, without the loop over the part, and with those that
  // are summed behind.
  SmallVector<AffineExpr> own(op.getNumLoops());
  SmallVector<int64_t> shape;
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto add = [&](unsigned loop) {
    own[loop] = builder.getAffineDimExpr(shape.size());
    shape.push_back(loops[loop]);
  };
  for (AffineExpr index : written.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(index);
        dim && dim.getPosition() != *source.loop)
      add(dim.getPosition());
  unsigned rows = shape.size();
  for (unsigned loop = 0; loop < loops.size(); ++loop)
    if (!written.isFunctionOfDim(loop))
      add(loop);
  own[*source.loop] = builder.getAffineConstantExpr(0);
  SmallVector<Value> factors;
  SmallVector<AffineMap> maps;
  for (unsigned i : {0, 1}) {
    Value factor = op.getDpsInputs()[i];
    factors.push_back(source.dims[i] ? partOf(factor, *source.dims[i], number)
                                     : factor);
    maps.push_back(op.getIndexingMapsArray()[i].replaceDimsAndSymbols(
        own, {}, shape.size(), 0));
  }
  maps.push_back(builder.getMultiDimIdentityMap(shape.size()));
  SmallVector<utils::IteratorType> iterators(shape.size(),
                                             utils::IteratorType::parallel);
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, builder.getF32Type());
  Value products =
      linalg::GenericOp::create(
          builder, loc, empty.getType(), factors, empty, maps, iterators,
          [&](OpBuilder &nested, Location loc, ValueRange values) {
            linalg::YieldOp::create(nested, loc,
                                    emitElement(nested, op, values));
          })
          .getResult(0);
  SmallVector<AffineExpr> kept;
  for (unsigned i = 0; i < rows; ++i)
    kept.push_back(builder.getAffineDimExpr(i));
  std::fill(iterators.begin() + rows, iterators.end(),
            utils::IteratorType::reduction);
  auto sums = RankedTensorType::get(ArrayRef(shape).take_front(rows),
                                    builder.getF32Type());
  Value sum = linalg::GenericOp::create(
                  builder, loc, sums, products, emitZeros(builder, loc, sums),
                  {builder.getMultiDimIdentityMap(shape.size()),
                   AffineMap::get(shape.size(), 0, kept, builder.getContext())},
                  iterators,
                  [](OpBuilder &nested, Location loc, ValueRange values) {
                    linalg::YieldOp::create(
                        nested, loc,
                        arith::AddFOp::create(nested, loc, values[0], values[1])
                            .getResult());
                  })
                  .getResult(0);
  return reshape(builder, loc,
                 emitRounding(builder, loc, sum, type.getElementType()), type);
}

Value Splitter::foldPart(linalg::LinalgOp op, unsigned loop, unsigned number) {
  auto type = typeOf(op->getResult(0));
  JoinedDims::Source source{JoinedDims::dimsOf(op, loop), loop};
  if (!isProductLike(op) || type.getElementType().isF32())
    return clonePart(op, source, type, number);
  // Sums of parts are rounded together.
  OpBuilder builder(op);
  type = type.clone(builder.getF32Type());
  SmallVector<Value> factors;
  for (auto [factor, dim] : llvm::zip(op.getDpsInputs(), source.dims))
    factors.push_back(dim ? partOf(factor, *dim, number) : factor);
  return linalg::GenericOp::create(builder, op.getLoc(), type, factors,
                                   emitZeros(builder, op.getLoc(), type),
                                   op.getIndexingMapsArray(),
                                   op.getIteratorTypesArray(), buildProductBody)
      .getResult(0);
}

/// `tensor` without `dim`, of one index.
static Value dropDim(OpBuilder &builder, Value tensor, int64_t dim) {
  return reshape(builder, tensor.getLoc(), tensor,
                 RankedTensorType::Builder(typeOf(tensor)).dropDim(dim));
}

/// What is folded of two parts.
static Value emitFold(OpBuilder &builder, linalg::LinalgOp op, Value one,
                      Value other) {
  if (!one)
    return other;
  if (isProductLike(op))
    return arith::AddFOp::create(builder, op.getLoc(), one, other);
  Operation *fold =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  OperationState state(fold->getLoc(), fold->getName().getIdentifier(),
                       {one, other}, one.getType());
  return builder.create(state)->getResult(0);
}

Value Splitter::fold(linalg::LinalgOp op, unsigned loop) {
  OpBuilder builder(op);
  auto type = typeOf(op->getResult(0));
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  // Loops by the dimensions of the result: those of one index stay away.
  SmallVector<AffineExpr> loops(op.getNumLoops(),
                                builder.getAffineConstantExpr(0));
  for (auto [index, dim] :
       llvm::zip(written.getResults(), identity.getResults()))
    if (auto of = dyn_cast<AffineDimExpr>(index))
      loops[of.getPosition()] = dim;
  SmallVector<std::optional<int64_t>> dims = JoinedDims::dimsOf(op, loop);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<Part> folded;
  for (unsigned number = 0; number < joined.ranges().size(); ++number) {
    // One element is not folded with any other.
    bool isElement = sizeOf(number) == 1 && op.getNumReductionLoops() == 1;
    folded.push_back({inputs.size(), 1, !isElement});
    if (!isElement) {
      inputs.push_back(foldPart(op, loop, number));
      maps.push_back(identity);
      continue;
    }
    folded.back().count = op.getNumDpsInputs();
    for (OpOperand *operand : op.getDpsInputOperands()) {
      std::optional<int64_t> dim = dims[operand->getOperandNumber()];
      AffineMap map = op.getMatchingIndexingMap(operand).replaceDimsAndSymbols(
          loops, {}, type.getRank(), 0);
      Value element = operand->get();
      if (dim) {
        element = dropDim(builder, partOf(element, *dim, number), *dim);
        map = map.dropResult(*dim);
      }
      inputs.push_back(element);
      maps.push_back(map);
    }
  }
  maps.push_back(identity);
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                        type.getElementType());
  return linalg::GenericOp::create(
             builder, op.getLoc(), type, inputs, empty, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange values) {
               Value result;
               for (const Part &part : folded) {
                 ValueRange own = values.slice(part.first, part.count);
                 Value element =
                     part.isFolded ? own.front() : emitElement(nested, op, own);
                 result = emitFold(nested, op, result, element);
               }
               linalg::YieldOp::create(
                   nested, loc,
                   convertScalarToDtype(nested, loc, result,
                                        type.getElementType(),
                                        /*isUnsignedCast=*/false));
             })
      .getResult(0);
}

void Splitter::split() {
  for (auto [op, loop] : joined.sinks())
    op->getResult(0).replaceAllUsesWith(fold(op, loop));
  for (auto [slice, number] : joined.slices()) {
    int64_t dim = matchRange(slice)->dim;
    slice.replaceAllUsesWith(partOf(slice.getSource(), dim, number));
  }
}

void mlir::trn::splitConcats(func::FuncOp func) {
  SmallVector<Operation *> ops;
  // What is in the body of an op comes behind it, and is erased before.
  func.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  bool hasSplit = false;
  for (Operation *op : ops)
    if (std::optional<JoinedDims> joined =
            op->use_empty() ? std::nullopt : JoinedDims::find(op)) {
      Splitter(*joined).split();
      hasSplit = true;
    }
  if (!hasSplit)
    return;
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}
