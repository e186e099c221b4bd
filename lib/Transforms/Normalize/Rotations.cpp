//===- Rotations.cpp - Columns in another order, as products --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rotary embeddings take the columns of a row apart, compute with parts, and
// put these together:
//
//   %r = tensor.concat dim(1) %negated, %first     (-x[32:], x[:32])
//   %o = tensor.concat dim(1) %a, %b               (x[:32] * c - x[32:] * s,
//   ...)
//
// On the core columns change places by a product with a matrix of zeros, ones
// and minus ones, which is exact: each sum has one term that is not zero. So a
// slice is a product, and what is put together is a sum of products, one for
// each tensor that gives columns:
//
//   %r = %x * R
//   %a = (%x * S) * c - (%x * T) * s,   %o = %a * U + %b * V
//
// A kernel has one dim for what a product sums over and another one for its
// columns. Where it computes %x itself, as a norm of heads, it could not add
// %x * c to what it computes of %r, so that the first one is a product, too:
//
//   %o = (%x * I) * c + %r * s

#include "Columns.h"
#include "JoinedDims.h"
#include "NormalizeSteps.h"
#include "TensorType.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/HeadMatcher.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/ReadThrough.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

//===----------------------------------------------------------------------===//
// Products with constant matrices
//===----------------------------------------------------------------------===//

namespace {
/// Columns of `from`, and where they go in a result.
struct Move {
  Columns from;
  ArrayRef<int64_t> to;
};
} // namespace

/// A matrix of zeros, but for one or minus one where a column goes.
static Value createSelection(OpBuilder &builder, Location loc, Type element,
                             int64_t columns, ArrayRef<Move> moves) {
  int64_t rows = moves.front().from.width;
  const auto &semantics = cast<FloatType>(element).getFloatSemantics();
  SmallVector<APFloat> numbers(rows * columns, APFloat::getZero(semantics));
  for (const Move &move : moves)
    for (auto [from, to] : llvm::zip_equal(move.from.indices, move.to))
      numbers[from * columns + to] =
          APFloat::getOne(semantics, move.from.isNegated);
  auto type = RankedTensorType::get({rows, columns}, element);
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, numbers));
}

/// Whether all elements are 0, 1 or -1. Tables are many, so bits are compared,
/// and a vector of them at a time.
template <typename Word>
static bool hasUnitsOnly(ArrayRef<char> data, uint64_t one) {
  const Word magnitude = std::numeric_limits<Word>::max() >> 1;
  constexpr size_t chunk = 256; // elements
  for (size_t at = 0; at < data.size(); at += chunk * sizeof(Word)) {
    Word words[chunk] = {}; // zeros are units
    std::memcpy(words, &data[at], std::min(sizeof(words), data.size() - at));
    bool isOther = false;
    for (Word word : words)
      isOther |= (word & magnitude) != 0 && (word & magnitude) != Word(one);
    if (isOther)
      return false;
  }
  return true;
}

static bool hasUnitsOnly(DenseFPElementsAttr matrix) {
  auto type = cast<FloatType>(matrix.getElementType());
  uint64_t one =
      APFloat::getOne(type.getFloatSemantics()).bitcastToAPInt().getZExtValue();
  ArrayRef<char> data = matrix.getRawData();
  switch (type.getWidth()) {
  case 8:
    return hasUnitsOnly<uint8_t>(data, one);
  case 16:
    return hasUnitsOnly<uint16_t>(data, one);
  case 32:
    return hasUnitsOnly<uint32_t>(data, one);
  case 64:
    return hasUnitsOnly<uint64_t>(data, one);
  default:
    return false;
  }
}

bool mlir::trn::isSelection(Operation *op) {
  auto product = dyn_cast<linalg::GenericOp>(op);
  return product && product.getNumDpsInputs() == 2 &&
         product.getNumReductionLoops() == 1 &&
         llvm::any_of(product.getDpsInputs(), [](Value input) {
           DenseFPElementsAttr matrix;
           return matchPattern(input, m_Constant(&matrix)) &&
                  !matrix.isSplat() && matrix.getType().getRank() == 2 &&
                  matrix.getElementType().getIntOrFloatBitWidth() <= 64 &&
                  hasUnitsOnly(matrix);
         });
}

/// Rows of `source`, of any dimensions, times `matrix`, summed in f32.
static Value multiplyRows(OpBuilder &builder, Location loc, Value source,
                          Value matrix) {
  RankedTensorType flat =
      withFlatRows(typeOf(source), typeOf(matrix).getDimSize(0));
  source = reshape(builder, loc, source, flat);
  unsigned rows = flat.getRank() - 1;
  SmallVector<int64_t> shape(flat.getShape());
  shape.back() = typeOf(matrix).getDimSize(1);
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> loops;
  for (unsigned loop = 0; loop < rows + 2; ++loop)
    loops.push_back(getAffineDimExpr(loop, context));
  AffineExpr column = loops[rows], summed = loops[rows + 1];
  auto map = [&](ArrayRef<AffineExpr> indices) {
    return AffineMap::get(rows + 2, 0, indices, context);
  };
  SmallVector<AffineExpr> left(loops.begin(), loops.begin() + rows), out = left;
  left.push_back(summed);
  out.push_back(column);
  SmallVector<utils::IteratorType> iterators(rows + 2,
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  Value zeros = emitZeros(builder, loc,
                          RankedTensorType::get(shape, builder.getF32Type()));
  return linalg::GenericOp::create(builder, loc, zeros.getType(),
                                   ValueRange{source, matrix}, zeros,
                                   {map(left), map({summed, column}), map(out)},
                                   iterators, buildProductBody)
      .getResult(0);
}

/// The sum of `sums`, of which each element has one that is not zero, as
/// `type`.
static Value addUp(OpBuilder &builder, Location loc, SmallVector<Value> sums,
                   RankedTensorType type) {
  // Those of one column may have a dimension of one index beside it.
  RankedTensorType flat =
      withFlatRows(type, typeOf(sums.front()).getShape().back());
  for (Value &sum : sums)
    sum = reshape(builder, loc, sum, flat.clone(builder.getF32Type()));
  Value sum = sums.front();
  if (sums.size() > 1)
    sum =
        emitElementwise(builder, loc, sums, builder.getF32Type(),
                        [](OpBuilder &nested, Location loc, ValueRange values) {
                          Value sum = values.front();
                          for (Value value : values.drop_front().drop_back())
                            sum =
                                arith::AddFOp::create(nested, loc, sum, value);
                          return sum;
                        });
  return reshape(builder, loc,
                 emitRounding(builder, loc, sum, type.getElementType()), type);
}

//===----------------------------------------------------------------------===//
// Which columns move
//===----------------------------------------------------------------------===//

/// The sizes of what is not columns, in any order.
static SmallVector<int64_t> findRows(RankedTensorType type, int64_t width) {
  SmallVector<int64_t> rows(withFlatRows(type, width).getShape().drop_back());
  llvm::erase(rows, 1);
  llvm::sort(rows);
  return rows;
}

static bool isSmall(RankedTensorType type, int64_t width) {
  return width <= maxColumns && type.hasStaticShape() &&
         type.getNumElements() != 0 && !type.getEncoding() &&
         getFloatElementType(type.getElementType());
}

namespace {
/// Finds the slices of columns that values are computed of element by element.
class SliceFinder {
public:
  explicit SliceFinder(ArrayRef<int64_t> rows) : rows(rows) {}

  /// Whether `value` is computed of some, or of columns that moved before.
  bool visit(Value value);

  llvm::SetVector<tensor::ExtractSliceOp> slices;

private:
  /// Sizes of the rows that slices have.
  SmallVector<int64_t> rows;
  DenseMap<Operation *, bool> known;
};
} // namespace

bool SliceFinder::visit(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto it = known.find(op); it != known.end())
    return it->second;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    std::optional<Columns> taken = matchColumns(slice);
    RankedTensorType source = slice.getSourceType();
    bool isTaken = taken && isSmall(source, taken->width) &&
                   findRows(source, taken->width) == rows;
    if (isTaken)
      slices.insert(slice);
    return known[op] = isTaken;
  }
  bool isFound = isSelection(op);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (isReshape(op) || isElementwise(op) ||
      (linalgOp && linalgOp.isAllParallelLoops()))
    for (Value operand : op->getOperands())
      isFound |= visit(operand);
  return known[op] = isFound;
}

/// Replaces `slice` by a product.
static void multiplySlice(tensor::ExtractSliceOp slice) {
  OpBuilder builder(slice);
  int64_t count = matchColumns(slice)->indices.size();
  Columns from = findColumns(slice, count);
  SmallVector<int64_t> to = llvm::to_vector(llvm::seq<int64_t>(count));
  Value matrix =
      createSelection(builder, slice.getLoc(), slice.getType().getElementType(),
                      count, Move{from, to});
  Value sums = multiplyRows(builder, slice.getLoc(), from.source, matrix);
  slice.replaceAllUsesWith(
      addUp(builder, slice.getLoc(), {sums}, slice.getType()));
  slice.erase();
}

/// Whether rows are reduced for `value`.
static bool followsReduction(Value value) {
  llvm::SetVector<Operation *> ops;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      ops.insert(op);
  };
  add(value);
  // They become more while they are visited.
  for (size_t i = 0; i < ops.size(); ++i)
    if (isReduction(ops[i]))
      return true;
    else if (isReshape(ops[i]) || isElementwise(ops[i]) ||
             isa<linalg::TransposeOp, linalg::BroadcastOp>(ops[i]))
      llvm::for_each(ops[i]->getOperands(), add);
  return false;
}

/// Lets those uses of `source`, of this `width`, that `isRead` names read it as
/// a product.
static void multiplyUses(Value source, int64_t width,
                         function_ref<bool(Operation *)> isRead) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : source.getUses())
    if (isRead(use.getOwner()))
      uses.push_back(&use);
  if (uses.empty())
    return;
  OpBuilder builder(source.getContext());
  builder.setInsertionPointAfterValue(source);
  Location loc = source.getLoc();
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(width));
  Value matrix = createSelection(builder, loc, typeOf(source).getElementType(),
                                 width, Move{{source, width, all}, all});
  Value sums = multiplyRows(builder, loc, source, matrix);
  Value same = addUp(builder, loc, {sums}, typeOf(source));
  for (OpOperand *use : uses)
    use->set(same);
}

/// What `value` is before its elements are moved.
static Value beforeMoves(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto movement = matchMovement(value);
    if (!isReshape(op) && !movement)
      return value;
    value = isReshape(op) ? op->getOperand(0) : movement->source;
  }
  return value;
}

/// Whether `value` is repeated, as one key is for all heads.
static bool isRepeated(Value value) {
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto movement = matchMovement(value);
  return movement && typeOf(movement->source).getNumElements() <
                         typeOf(value).getNumElements();
}

/// Whether what `op` puts together is summed over, by products whose other
/// factor or itself has a repeated part: a product for each part reads that as
/// it is.
static bool isSummedInParts(Operation *op) {
  std::optional<JoinedDims> joined = JoinedDims::find(op);
  return joined && llvm::any_of(joined->sinks(), [](auto sink) {
           return llvm::any_of(sink.first->getOperands(), [](Value factor) {
             Operation *maker = beforeMoves(factor).getDefiningOp();
             return maker &&
                    llvm::any_of(findJoinedRanges(maker), [](const auto &part) {
                      return isRepeated(part.first);
                    });
           });
         });
}

void mlir::trn::rewriteRotation(Operation *op) {
  std::optional<JoinedColumns> joined = matchJoinedColumns(op);
  if (!joined || !isSmall(joined->type(), joined->width) || isSummedInParts(op))
    return;
  RankedTensorType type = joined->type();
  SliceFinder finder(findRows(type, joined->width));
  for (const Columns &piece : joined->pieces)
    if (!finder.visit(piece.source))
      return;
  // By tensor and its columns.
  llvm::MapVector<std::pair<Value, int64_t>, SmallVector<Move>> moves;
  for (const Columns &piece : joined->pieces) {
    Columns from = findColumns(piece.source, piece.indices.size());
    moves[{from.source, from.width}].push_back({from, piece.indices});
  }
  // Where nothing is computed, a kernel would only copy.
  SliceFinder before(findRows(type, joined->width));
  if (moves.size() > 1 && llvm::none_of(moves, [&](const auto &move) {
        return before.visit(move.first.first);
      }))
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<Value> sums;
  for (const auto &[source, own] : moves) {
    Value matrix = createSelection(builder, loc, type.getElementType(),
                                   joined->width, own);
    sums.push_back(multiplyRows(builder, loc, source.first, matrix));
  }
  op->replaceAllUsesWith(ValueRange{addUp(builder, loc, sums, type)});
  op->erase();
  for (auto [source, width] : llvm::make_first_range(moves))
    if (followsReduction(source))
      multiplyUses(source, width, isElementwise);
  for (tensor::ExtractSliceOp slice : finder.slices)
    if (llvm::any_of(slice->getUsers(),
                     [](Operation *user) { return !isOpTriviallyDead(user); }))
      multiplySlice(slice);
}

static bool isReturn(Operation *user) {
  return isa<func::ReturnOp>(user) ||
         (isReshape(user) && !user->use_empty() &&
          llvm::all_of(user->getUsers(), llvm::IsaPred<func::ReturnOp>));
}

void mlir::trn::rewriteReturnedTranspose(linalg::TransposeOp op) {
  if (!op.hasPureTensorSemantics())
    return;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  FailureOr<Machine> machine = getMachine(op);
  if (succeeded(machine) && movesHeads(op, *machine))
    return;
  if (!type || !isSmall(type, type.getShape().back()) ||
      op.getPermutation().back() != type.getRank() - 1 ||
      llvm::none_of(op->getUsers(), isReturn) || !takesReshapeApart(op) ||
      isKnownAtLoad(op.getInput()))
    return;
  multiplyUses(op->getResult(0), type.getShape().back(), isReturn);
}
