//===- FactorProduct.cpp - Two products instead of one --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactorProduct.h"

#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ReadThrough.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

SmallVector<std::optional<unsigned>>
mlir::trn::layOutFactor(ArrayRef<bool> dims, bool kept) {
  SmallVector<std::optional<unsigned>> result;
  const bool *gone = llvm::find(dims, !kept);
  for (const bool *dim = dims.begin(); dim != dims.end(); ++dim) {
    if (*dim == kept)
      result.push_back(dim - dims.begin());
    else if (dim == gone)
      result.push_back(std::nullopt);
  }
  return result;
}

static unsigned widthOf(Type type) { return type.getIntOrFloatBitWidth(); }

/// `value` with elements of all `types`, one after the other.
static Value convert(ImplicitLocOpBuilder &b, Value value,
                     ArrayRef<Type> types) {
  for (Type type : types) {
    Type to = cast<RankedTensorType>(value.getType()).clone(type);
    bool widens = widthOf(type) > widthOf(getElementTypeOrSelf(value));
    value = widens ? arith::ExtFOp::create(b, to, value).getResult()
                   : arith::TruncFOp::create(b, to, value).getResult();
  }
  return value;
}

namespace {
/// An operand of a product, and where it is read.
struct Operand {
  Value tensor;
  AffineMap map;
};
} // namespace

/// Adds the products of `lhs` and `rhs` to `init`. The loops are those of
/// `init` in its order, and then those that are `summed`; the maps are from all
/// loops that there are.
static Value multiply(ImplicitLocOpBuilder &b, Operand lhs, Operand rhs,
                      Operand init, ArrayRef<unsigned> summed) {
  SmallVector<unsigned> loops;
  for (AffineExpr index : init.map.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(index))
      loops.push_back(loop.getPosition());
  size_t parallel = loops.size();
  llvm::append_range(loops, summed);
  SmallVector<AffineExpr> numbers(init.map.getNumDims());
  for (auto [number, loop] : llvm::enumerate(loops))
    numbers[loop] = b.getAffineDimExpr(number);
  for (AffineMap *map : {&lhs.map, &rhs.map, &init.map})
    *map = map->replaceDimsAndSymbols(numbers, {}, loops.size(), 0);
  auto isMatrix = [](const Operand &operand) {
    return operand.map.getNumResults() == 2 &&
           operand.map.isProjectedPermutation();
  };
  SmallVector<AffineMap> maps{lhs.map, rhs.map, init.map};
  bool isMatmul = loops.size() == 3 && parallel == 2 && isMatrix(lhs) &&
                  isMatrix(rhs) && isMatrix(init);
  if (isMatmul) {
    if (!lhs.map.isFunctionOfDim(0)) {
      std::swap(lhs, rhs);
      std::swap(maps[0], maps[1]);
    }
    SmallVector<NamedAttribute> attributes;
    if (maps != linalg::MatmulOp::getDefaultIndexingMaps(b.getContext()))
      attributes.push_back(
          b.getNamedAttr("indexing_maps", b.getAffineMapArrayAttr(maps)));
    return linalg::MatmulOp::create(b, ValueRange{lhs.tensor, rhs.tensor},
                                    ValueRange{init.tensor}, attributes)
        .getResult(0);
  }
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), parallel, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, init.tensor.getType(), ValueRange{lhs.tensor, rhs.tensor},
             init.tensor, maps, iterators, buildProductBody)
      .getResult(0);
}

namespace {
/// Writes the two products. Maps are from the loops of the product that they
/// replace and, behind them, the rank.
class ProductSplitter {
public:
  explicit ProductSplitter(const WeightUse &use)
      : use(use), op(use.product), b(op.getLoc(), op),
        rank(b.getAffineDimExpr(op.getNumLoops())),
        other{op.getDpsInputs()[1 - use.operand],
              mapTo(op.getIndexingMapsArray()[1 - use.operand].getResults())} {}

  Value split(Value inner, Value outer);

private:
  AffineMap mapTo(ArrayRef<AffineExpr> indices) {
    return AffineMap::get(op.getNumLoops() + 1, 0, indices, op.getContext());
  }
  /// A factor that has the dimensions that the product sums over, or the
  /// others.
  Operand factorOf(Value tensor, bool hasSummed);
  Operand emptySums(const Operand &inner);
  Value roundBetween(Value sums);
  /// Factors come first or second as the weight does.
  Value multiplyBy(const Operand &factor, const Operand &operand,
                   const Operand &init, ArrayRef<unsigned> summed) {
    return use.operand == 0 ? multiply(b, factor, operand, init, summed)
                            : multiply(b, operand, factor, init, summed);
  }

  const WeightUse &use;
  linalg::LinalgOp op;
  ImplicitLocOpBuilder b;
  AffineExpr rank;
  Operand other;
};
} // namespace

Operand ProductSplitter::factorOf(Value tensor, bool hasSummed) {
  SmallVector<AffineExpr> indices;
  for (std::optional<unsigned> dim : layOutFactor(use.isSummed, hasSummed))
    indices.push_back(dim ? use.map.getResult(*dim) : rank);
  return {convert(b, tensor, use.conversions), mapTo(indices)};
}

/// A kernel rounds what leaves PSUM to the type that is multiplied next; so do
/// products of operands that were widened before.
Value ProductSplitter::roundBetween(Value sums) {
  Type type = getElementTypeOrSelf(other.tensor);
  Type stored = getStoredType(other.tensor);
  Type ofWeight = getStoredType(op.getDpsInputs()[use.operand]);
  bool wasWidened = stored == ofWeight && widthOf(stored) < widthOf(type);
  Type rounded = wasWidened ? stored : type;
  if (getElementTypeOrSelf(sums) != rounded)
    sums = emitRounding(b, b.getLoc(), sums, rounded);
  return wasWidened ? convert(b, sums, type) : sums;
}

/// Where the products with `inner` are summed: rows of the other operand, and
/// the rank.
Operand ProductSplitter::emptySums(const Operand &inner) {
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> indices;
  for (AffineExpr index : op.getIndexingMapsArray()[2].getResults())
    if (auto dim = other.map.getResultPosition(index);
        dim && isa<AffineDimExpr>(index)) {
      sizes.push_back(tensor::getMixedSize(b, b.getLoc(), other.tensor, *dim));
      indices.push_back(index);
    }
  int64_t size = cast<RankedTensorType>(inner.tensor.getType())
                     .getDimSize(*inner.map.getResultPosition(rank));
  // As the weight comes first or second, so does the rank.
  size_t place = use.operand == 0 ? 0 : sizes.size();
  sizes.insert(sizes.begin() + place, b.getIndexAttr(size));
  indices.insert(indices.begin() + place, rank);
  Type summed = getElementTypeOrSelf(op->getResult(0));
  if (widthOf(summed) < 32)
    summed = b.getF32Type();
  return {emitZeros(b, b.getLoc(), sizes, summed), mapTo(indices)};
}

Value ProductSplitter::split(Value inner, Value outer) {
  Operand first = factorOf(inner, /*hasSummed=*/true);
  Operand second = factorOf(outer, /*hasSummed=*/false);
  SmallVector<unsigned> summed;
  op.getReductionDims(summed);
  Operand between = emptySums(first);
  between.tensor = roundBetween(multiplyBy(first, other, between, summed));
  Operand init{op.getDpsInitOperand(0)->get(),
               mapTo(op.getIndexingMapsArray()[2].getResults())};
  return multiplyBy(second, between, init, op.getNumLoops());
}

/// Erases `op`, and what made its operands, if nothing needs them any more.
static void eraseDead(Operation *op) {
  llvm::SetVector<Operation *> pending;
  pending.insert(op);
  while (!pending.empty()) {
    Operation *next = pending.pop_back_val();
    if (!isOpTriviallyDead(next))
      continue;
    for (Value operand : next->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        pending.insert(maker);
    next->erase();
  }
}

void mlir::trn::replaceByFactors(const WeightUse &use, Value inner,
                                 Value outer) {
  Operation *op = use.product;
  op->getResult(0).replaceAllUsesWith(ProductSplitter(use).split(inner, outer));
  eraseDead(op);
}
