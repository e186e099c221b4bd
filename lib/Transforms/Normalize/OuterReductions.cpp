//===- OuterReductions.cpp - Reductions of leading and middle dims --------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An engine reduces the columns of a row. What is reduced over another
// dimension has one of two forms that need no transposition. A few slices are
// added, or compared, element by element:
//
//   %s = linalg.generic (sum) %x           [4, 77, 96] -> [77, 96]
//
// becomes
//
//   %y = tensor.collapse_shape %x          [308, 96]
//   %y0 = tensor.extract_slice %y[0, 0]    [77, 96], and three more
//   %s = linalg.generic (sum of all) %y0, %y1, %y2, %y3
//
// Slices of a dimension in the middle, [77, 4, 96], are columns of [77, 384].
// Sums of more are a product with ones:
//
//   %s = linalg.generic (product) %ones, %x      [1024] * [1024, 512] -> [512]
//
// and, as a kernel takes a step for each batch, sums of many batches a product
// with blocks of ones, [8, 80] * [80, 64] for [8, 10, 64] -> [8, 64].

#include "NormalizeSteps.h"
#include "ReduceDims.h"
#include "TensorType.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/LoadedValues.h"
#include "trn/Transforms/Normalize/ReadThrough.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

/// The rows that a block of ones adds up at most, unless one sum has more.
static constexpr int64_t rowsOfBlock = maxSlices * fewRows;

/// As many steps of a kernel take no longer than another kernel.
static constexpr int64_t fewBatches = 4;

using utils::IteratorType;

static int64_t product(ArrayRef<int64_t> sizes) {
  return ShapedType::getNumElements(sizes);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// What a reduction reads, as slices of a matrix.
struct Slices {
  int64_t count, rows, columns;
  /// The first loop of columns.
  unsigned firstColumn;
  /// They lie beside each other, not one below the other.
  bool areColumns;
};

/// What of a slice an operand has, and whether that differs between slices.
struct Part {
  bool hasRows, hasColumns, isSliced;
};
} // namespace

static std::optional<Slices> findSlices(ArrayRef<int64_t> sizes,
                                        const MatchedReduction &matched) {
  const unsigned loop = matched.loop;
  const bool isSum = matched.function == Function::Add;
  if (sizes[loop] > (isSum ? maxSlices : maxCompared) ||
      loop + 1 == sizes.size())
    return std::nullopt;
  // In front of them, rows are whole, and their columns long.
  unsigned column = loop + 1;
  if (loop == 0)
    while (column + 1 < sizes.size() &&
           product(sizes.slice(1, column - 1)) < fewRows)
      ++column;
  ArrayRef<int64_t> rows = sizes.slice(loop == 0 ? 1 : 0, column - 1);
  Slices slices{sizes[loop], product(rows), product(sizes.drop_front(column)),
                column, loop != 0};
  if (slices.rows < (isSum ? fewRows : 2) || slices.columns == 1)
    return std::nullopt;
  return slices;
}

static std::optional<Part> findPart(AffineMap map, unsigned loop,
                                    const Slices &slices) {
  SmallVector<AffineExpr> rows, columns;
  for (unsigned other : llvm::seq(map.getNumDims()))
    if (other != loop)
      (other < slices.firstColumn ? rows : columns)
          .push_back(getAffineDimExpr(other, map.getContext()));
  SmallVector<AffineExpr> all = rows;
  llvm::append_range(all, columns);
  if (slices.areColumns && map.isIdentity())
    return Part{true, true, true};
  ArrayRef<AffineExpr> own = map.getResults();
  const bool isSliced =
      !slices.areColumns && own.size() > 1 && own.front().isFunctionOfDim(loop);
  if (isSliced)
    own = own.drop_front();
  for (Part part : {Part{true, true, isSliced}, Part{true, false, isSliced},
                    Part{false, true, isSliced}, Part{false, false, isSliced}})
    if (own == (part.hasRows && part.hasColumns ? ArrayRef(all)
                : part.hasRows                  ? ArrayRef(rows)
                : part.hasColumns               ? ArrayRef(columns)
                                                : ArrayRef<AffineExpr>()))
      return part;
  return std::nullopt;
}

/// Whether `op` reads its operands in the order in which it writes.
static bool keepsOrder(linalg::GenericOp op) {
  return llvm::all_of(op.getIndexingMapsArray(), isInOrder);
}

/// The operand of `op` that is better computed there, element by element, than
/// stored.
static OpOperand *findFusable(linalg::GenericOp op) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
    if (!producer || !trn::isElementwise(producer) ||
        producer.getNumResults() != 1 || !keepsOrder(producer) ||
        producer->getBlock() != op->getBlock() ||
        !linalg::areElementwiseOpsFusable(operand))
      continue;
    bool isOwn = llvm::all_of(producer->getUsers(),
                              [&](Operation *user) { return user == op; });
    if (isOwn || producer.getBody()->getOperations().size() <= 2)
      return operand;
  }
  return nullptr;
}

static linalg::GenericOp fuseProducers(RewriterBase &rewriter,
                                       linalg::GenericOp op) {
  while (OpOperand *operand = findFusable(op)) {
    rewriter.setInsertionPoint(op);
    // Others read it, too.
    operand->set(rewriter.clone(*operand->get().getDefiningOp())->getResult(0));
    auto fused = linalg::fuseElementwiseOps(rewriter, operand);
    if (failed(fused))
      break;
    rewriter.replaceOp(op, fused->fusedOp);
    op = cast<linalg::GenericOp>(fused->fusedOp);
  }
  return op;
}

/// What each slice has of `operand`: as many tensors, or one.
static SmallVector<Value> emitSlices(OpBuilder &builder, Value operand,
                                     const Slices &slices, const Part &part) {
  SmallVector<int64_t, 2> shape;
  if (part.hasRows)
    shape.push_back(slices.rows);
  if (part.hasColumns)
    shape.push_back(slices.columns);
  SmallVector<int64_t, 2> whole = shape;
  const unsigned sliced = slices.areColumns ? 1 : 0;
  if (part.isSliced)
    whole[sliced] *= slices.count;
  Location loc = operand.getLoc();
  Value matrix = reshape(builder, loc, operand, typeOf(operand).clone(whole));
  if (!part.isSliced)
    return {matrix};
  SmallVector<Value> values;
  for (int64_t number : llvm::seq(slices.count)) {
    SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
    offsets[sliced] = builder.getIndexAttr(number * shape[sliced]);
    values.push_back(tensor::ExtractSliceOp::create(
        builder, loc, typeOf(operand).clone(shape), matrix, offsets,
        getAsIndexOpFoldResult(builder.getContext(), shape),
        SmallVector<OpFoldResult>(shape.size(), builder.getIndexAttr(1))));
  }
  return values;
}

/// Rewrites `op` as one that reads all slices of what it reduces.
static bool foldSlices(RewriterBase &rewriter, linalg::GenericOp source) {
  MatchedReduction matched = *matchReduction(source);
  auto slices = findSlices(source.getStaticLoopRanges(), matched);
  if (!slices)
    return false;
  rewriter.setInsertionPoint(source);
  linalg::GenericOp op =
      fuseProducers(rewriter, cast<linalg::GenericOp>(rewriter.clone(*source)));
  matched = *matchFold(op);
  SmallVector<Part> parts;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (auto part =
            findPart(op.getMatchingIndexingMap(operand), matched.loop, *slices))
      parts.push_back(*part);
    else
      break;
  if (parts.size() != size_t(op.getNumDpsInputs()) ||
      llvm::none_of(parts, [](const Part &part) { return part.isSliced; })) {
    rewriter.eraseOp(op);
    return false;
  }
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  AffineMap all = rewriter.getMultiDimIdentityMap(2);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  // By slice, the numbers of the inputs that are its operands.
  SmallVector<SmallVector<unsigned>> numbers(slices->count);
  for (auto [operand, part] : llvm::zip_equal(op.getDpsInputs(), parts)) {
    SmallVector<Value> values = emitSlices(rewriter, operand, *slices, part);
    for (auto [i, own] : llvm::enumerate(numbers))
      own.push_back(inputs.size() + (part.isSliced ? i : 0));
    llvm::append_range(inputs, values);
    maps.append(values.size(), part.hasRows && part.hasColumns ? all
                               : part.hasRows ? all.getMajorSubMap(1)
                               : part.hasColumns
                                   ? all.getMinorSubMap(1)
                                   : AffineMap::get(2, 0, op.getContext()));
  }
  RankedTensorType type = typeOf(op.getResult(0));
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, {slices->rows, slices->columns}, type.getElementType());
  maps.push_back(all);
  Operation *fold =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  auto created = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), inputs, empty, maps,
      SmallVector<IteratorType>(2, IteratorType::parallel),
      [&](OpBuilder &nested, Location loc, ValueRange values) {
        Value folded;
        for (ArrayRef<unsigned> own : numbers) {
          IRMapping mapping;
          for (auto [argument, number] :
               llvm::zip(op.getRegionInputArgs(), own))
            mapping.map(argument, values[number]);
          for (Operation &inner : op.getBody()->without_terminator())
            if (&inner != fold)
              nested.clone(inner, mapping);
          Value next = mapping.lookup(matched.value);
          if (folded) {
            Operation *both = nested.clone(*fold);
            both->setOperands({folded, next});
            next = both->getResult(0);
          }
          folded = next;
        }
        linalg::YieldOp::create(nested, loc, folded);
      });
  rewriter.replaceOp(source,
                     reshape(rewriter, loc, created.getResult(0), type));
  rewriter.eraseOp(op);
  return true;
}

//===----------------------------------------------------------------------===//
// Products with ones
//===----------------------------------------------------------------------===//

/// Ones in a row for each of `sums` sums of `count` rows that follow each
/// other, and zeros; a vector of ones for a single sum.
static Value emitOnes(OpBuilder &builder, Location loc, Type element,
                      int64_t sums, int64_t count) {
  const auto &semantics = cast<FloatType>(element).getFloatSemantics();
  DenseElementsAttr numbers;
  if (sums == 1) {
    numbers = DenseElementsAttr::get(RankedTensorType::get({count}, element),
                                     APFloat::getOne(semantics));
  } else {
    SmallVector<APFloat> all(sums * sums * count, APFloat::getZero(semantics));
    for (int64_t i : llvm::seq(sums * count))
      all[i / count * sums * count + i] = APFloat::getOne(semantics);
    numbers = DenseElementsAttr::get(
        RankedTensorType::get({sums, sums * count}, element), all);
  }
  return arith::ConstantOp::create(builder, loc, numbers);
}

/// Whether `value` is computed, element by element, of products or reductions.
static bool followsFromRows(Value value) {
  llvm::SetVector<Operation *> ops;
  ops.insert(value.getDefiningOp());
  // They become more while they are visited.
  for (size_t i = 0; i < ops.size(); ++i) {
    auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(ops[i]);
    if (linalgOp && linalgOp.getNumReductionLoops() > 0)
      return true;
    if (ops[i] && (isReshape(ops[i]) || trn::isElementwise(ops[i])))
      for (Value operand : ops[i]->getOperands())
        ops.insert(operand.getDefiningOp());
  }
  return false;
}

/// Whether what `op` computes is broadcast over more than its own elements, as
/// norms do: that is then transposed as well.
static bool isBroadcast(linalg::GenericOp op) {
  llvm::SetVector<Operation *> readers;
  readers.insert_range(op->getUsers());
  const int64_t size = typeOf(op.getResult(0)).getNumElements();
  // They become more while they are visited.
  for (size_t i = 0; i < readers.size(); ++i) {
    if (!isReshape(readers[i]) && !trn::isElementwise(readers[i]))
      continue;
    if (typeOf(readers[i]->getResult(0)).getNumElements() != size)
      return true;
    readers.insert_range(readers[i]->getUsers());
  }
  return false;
}

/// Rewrites `op`, which sums slices of one operand, as a product with ones.
static bool multiplyOnes(RewriterBase &rewriter, linalg::GenericOp op) {
  MatchedReduction matched = *matchReduction(op);
  if (matched.function != Function::Add || op.getNumDpsInputs() != 1 ||
      !op.getIndexingMapsArray()[0].isIdentity())
    return false;
  Value source = op.getDpsInputs()[0];
  auto extend = matched.value.getDefiningOp<arith::ExtFOp>();
  if ((extend ? extend.getIn() : matched.value) != op.getRegionInputArgs()[0])
    return false;
  if (auto movement = matchMovement(source);
      movement && !extend && movement->map.isIdentity())
    source = movement->source;
  Type element = getElementTypeOrSelf(source);
  if (!isa<FloatType>(element))
    return false;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  ArrayRef<int64_t> before = ArrayRef(sizes).take_front(matched.loop),
                    after = ArrayRef(sizes).drop_front(matched.loop + 1);
  const int64_t count = sizes[matched.loop], sums = product(before);
  if (after.empty() || (sums == 1 && isBroadcast(op)))
    return false;
  // Transposed on the way in, f32 is as fast, and what is computed of inputs is
  // not stored before.
  if (sums <= fewBatches && element.isF32() && !followsFromRows(source) &&
      (sums == 1 || source.getDefiningOp<linalg::GenericOp>()))
    return false;
  int64_t together = 1;
  for (int64_t divisor : llvm::seq_inclusive<int64_t>(1, sums))
    if (sums % divisor == 0 && divisor * count <= rowsOfBlock)
      together = divisor;
  const int64_t batches = sums / together, columns = product(after);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  // The loops, in this order: batch, sum, row, column.
  SmallVector<int64_t> shape = {together * count, columns};
  SmallVector<int64_t> result = {columns};
  SmallVector<AffineExpr> ofOnes, ofSource, ofResult;
  SmallVector<IteratorType> iterators;
  auto addLoop = [&](IteratorType type) {
    iterators.push_back(type);
    return rewriter.getAffineDimExpr(iterators.size() - 1);
  };
  if (batches > 1) {
    shape.insert(shape.begin(), batches);
    AffineExpr batch = addLoop(IteratorType::parallel);
    ofSource.push_back(batch);
    ofResult.push_back(batch);
  }
  if (together > 1) {
    result.insert(result.begin(), together);
    AffineExpr sum = addLoop(IteratorType::parallel);
    ofOnes.push_back(sum);
    ofResult.push_back(sum);
  }
  if (batches > 1)
    result.insert(result.begin(), batches);
  AffineExpr row = addLoop(IteratorType::reduction);
  AffineExpr column = addLoop(IteratorType::parallel);
  ofOnes.push_back(row);
  ofSource.append({row, column});
  ofResult.push_back(column);
  source = reshape(rewriter, loc, source, typeOf(source).clone(shape));
  auto mapOf = [&](ArrayRef<AffineExpr> indices) {
    return AffineMap::get(iterators.size(), 0, indices, op.getContext());
  };
  RankedTensorType type = typeOf(op.getResult(0));
  Value zeros = emitZeros(rewriter, loc, type.clone(result));
  auto created = linalg::GenericOp::create(
      rewriter, loc, zeros.getType(),
      {emitOnes(rewriter, loc, element, together, count), source}, zeros,
      {mapOf(ofOnes), mapOf(ofSource), mapOf(ofResult)}, iterators,
      buildProductBody);
  rewriter.replaceOp(op, reshape(rewriter, loc, created.getResult(0), type));
  return true;
}

bool mlir::trn::rewriteOuterReductions(func::FuncOp func) {
  SmallVector<linalg::GenericOp> reductions;
  LoadedValues loaded;
  func.walk([&](linalg::GenericOp op) {
    // What follows from weights is reduced once, when they are loaded.
    if (isPlainReduction(op) && matchReduction(op) &&
        !loaded.contains(op.getResult(0)))
      reductions.push_back(op);
  });
  IRRewriter rewriter(func.getContext());
  bool isChanged = false;
  for (linalg::GenericOp op : reductions)
    isChanged |= foldSlices(rewriter, op) || multiplyOnes(rewriter, op);
  return isChanged;
}
