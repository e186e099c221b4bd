//===- FactorProduct.cpp - Two products instead of one --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactorProduct.h"

#include "ReadThrough.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
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

/// Element by element; as a generic, since kernels take over such roundings.
static Value round(ImplicitLocOpBuilder &b, Value value, Type type) {
  if (getElementTypeOrSelf(value) == type)
    return value;
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), value), type);
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, empty.getType(), value, empty, maps, loops,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               linalg::YieldOp::create(
                   nested, loc,
                   arith::TruncFOp::create(nested, loc, type, args[0])
                       .getResult());
             })
      .getResult(0);
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

/// Adds the products of `lhs` and `rhs` to `init`. The last loops, but for
/// `parallel` ones, are summed.
static Value multiply(ImplicitLocOpBuilder &b, Operand lhs, Operand rhs,
                      Operand init, unsigned parallel) {
  unsigned loops = init.map.getNumDims();
  auto isMatrix = [](const Operand &operand) {
    return operand.map.getNumResults() == 2 &&
           operand.map.isProjectedPermutation();
  };
  SmallVector<AffineMap> maps{lhs.map, rhs.map, init.map};
  bool isMatmul = loops == 3 && parallel == 2 && isMatrix(lhs) &&
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
  SmallVector<utils::IteratorType> iterators(loops,
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), parallel, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, init.tensor.getType(), ValueRange{lhs.tensor, rhs.tensor},
             init.tensor, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               Type type = args[2].getType();
               auto widen = [&](Value value) -> Value {
                 if (value.getType() == type)
                   return value;
                 return arith::ExtFOp::create(nested, loc, type, value);
               };
               Value product = arith::MulFOp::create(
                   nested, loc, widen(args[0]), widen(args[1]));
               Value sum = arith::AddFOp::create(nested, loc, args[2], product);
               linalg::YieldOp::create(nested, loc, sum);
             })
      .getResult(0);
}

namespace {
/// Numbers the loops of a product anew: some of those of another one, and the
/// rank.
class Loops {
public:
  explicit Loops(MLIRContext *context) : context(context) {}

  void add(unsigned loop) { numbers.try_emplace(loop, numbers.size()); }
  /// The rank comes behind the loops so far.
  void addRank() { add(rank); }
  bool contains(unsigned loop) const { return numbers.contains(loop); }
  unsigned size() const { return numbers.size(); }
  AffineExpr operator[](unsigned loop) const {
    return getAffineDimExpr(numbers.lookup(loop), context);
  }
  AffineExpr rankIndex() const { return (*this)[rank]; }
  AffineExpr renumber(AffineExpr index) const {
    auto loop = dyn_cast<AffineDimExpr>(index);
    return loop ? (*this)[loop.getPosition()] : index;
  }
  AffineMap map(ArrayRef<AffineExpr> indices) const {
    return AffineMap::get(size(), 0, indices, context);
  }

private:
  static constexpr unsigned rank = ~0u >> 1;
  MLIRContext *context;
  llvm::SmallDenseMap<unsigned, unsigned> numbers;
};

/// Writes the two products.
class ProductSplitter {
public:
  explicit ProductSplitter(const WeightUse &use)
      : use(use), op(use.product), other(op.getDpsInputs()[1 - use.operand]),
        otherMap(op.getIndexingMapsArray()[1 - use.operand]),
        b(op.getLoc(), op) {}

  Value split(Value inner, Value outer);

private:
  bool isSummed(unsigned loop) {
    return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  }
  /// The indices of a factor that has the dimensions that the product sums
  /// over, or the others.
  AffineMap factorMap(const Loops &loops, bool hasSummed);
  Operand multiplyInner(Value inner);
  Value roundBetween(Value sums);

  const WeightUse &use;
  linalg::LinalgOp op;
  Value other;
  AffineMap otherMap;
  ImplicitLocOpBuilder b;
  /// The loops of what is between the products, but for the rank.
  SmallVector<unsigned> rows;
};
} // namespace

AffineMap ProductSplitter::factorMap(const Loops &loops, bool hasSummed) {
  SmallVector<AffineExpr> indices;
  for (std::optional<unsigned> dim : layOutFactor(use.isSummed, hasSummed))
    indices.push_back(dim ? loops.renumber(use.map.getResult(*dim))
                          : loops.rankIndex());
  return loops.map(indices);
}

/// A kernel rounds what leaves PSUM to the type that is multiplied next; so do
/// products of operands that were widened before.
Value ProductSplitter::roundBetween(Value sums) {
  Type type = getElementTypeOrSelf(other);
  Type stored = getStoredType(other);
  Type ofWeight = getStoredType(op.getDpsInputs()[use.operand]);
  bool wasWidened = stored == ofWeight && widthOf(stored) < widthOf(type);
  Value rounded = round(b, sums, wasWidened ? stored : type);
  return wasWidened ? convert(b, rounded, type) : rounded;
}

/// Over the rows of the other operand, the rank, and what is summed.
Operand ProductSplitter::multiplyInner(Value inner) {
  Loops loops(op.getContext());
  AffineMap result = op.getIndexingMapsArray()[2];
  for (AffineExpr index : result.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(index);
        loop && otherMap.isFunctionOfDim(loop.getPosition()))
      rows.push_back(loop.getPosition());
  // As the weight comes first or second, so does the rank.
  if (use.operand == 0)
    loops.addRank();
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> indices;
  for (unsigned loop : rows) {
    loops.add(loop);
    unsigned dim =
        *otherMap.getResultPosition(getAffineDimExpr(loop, op.getContext()));
    sizes.push_back(tensor::getMixedSize(b, b.getLoc(), other, dim));
    indices.push_back(loops[loop]);
  }
  if (use.operand == 1)
    loops.addRank();
  unsigned parallel = loops.size();
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (isSummed(loop))
      loops.add(loop);

  AffineMap innerMap = factorMap(loops, /*hasSummed=*/true);
  unsigned rankDim = *innerMap.getResultPosition(loops.rankIndex());
  auto insert = [&](auto &list, auto value) {
    list.insert(use.operand == 0 ? list.begin() : list.end(), value);
  };
  insert(sizes,
         b.getIndexAttr(
             cast<RankedTensorType>(inner.getType()).getDimSize(rankDim)));
  insert(indices, loops.rankIndex());

  Type summed = getElementTypeOrSelf(op->getResult(0));
  if (widthOf(summed) < 32)
    summed = b.getF32Type();
  Value zero =
      arith::ConstantOp::create(b, b.getFloatAttr(summed, 0.0)).getResult();
  Value empty = tensor::EmptyOp::create(b, sizes, summed);
  Value fill = linalg::FillOp::create(b, zero, empty).getResult(0);
  SmallVector<AffineExpr> read;
  for (AffineExpr index : otherMap.getResults())
    read.push_back(loops.renumber(index));
  Operand operands[] = {{other, loops.map(read)}, {inner, innerMap}};
  if (use.operand == 0)
    std::swap(operands[0], operands[1]);
  Value sums = multiply(b, operands[0], operands[1], {fill, loops.map(indices)},
                        parallel);
  return {roundBetween(sums), {}};
}

Value ProductSplitter::split(Value inner, Value outer) {
  inner = convert(b, inner, use.conversions);
  outer = convert(b, outer, use.conversions);
  Operand between = multiplyInner(inner);
  Loops loops(op.getContext());
  AffineMap result = op.getIndexingMapsArray()[2];
  for (AffineExpr index : result.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(index))
      loops.add(loop.getPosition());
  loops.addRank();
  SmallVector<AffineExpr> indices, written;
  for (unsigned loop : rows)
    indices.push_back(loops[loop]);
  indices.insert(use.operand == 0 ? indices.begin() : indices.end(),
                 loops.rankIndex());
  for (AffineExpr index : result.getResults())
    written.push_back(loops.renumber(index));
  between.map = loops.map(indices);
  Operand operands[] = {between,
                        {outer, factorMap(loops, /*hasSummed=*/false)}};
  if (use.operand == 0)
    std::swap(operands[0], operands[1]);
  return multiply(b, operands[0], operands[1],
                  {op.getDpsInitOperand(0)->get(), loops.map(written)},
                  loops.size() - 1);
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
