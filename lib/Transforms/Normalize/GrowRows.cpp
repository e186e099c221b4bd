//===- GrowRows.cpp - Products compute the place of rows of others --------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A vision transformer puts the row of a class in front of those of patches:
//
//   %patches = linalg.matmul %pixels, %w                  [36, 96]
//   %rows = tensor.concat dim(0) %class, %patches         [37, 96]
//
// The host would do that between two launches. So the product has a row more,
// of zeros that the host has put in front of all kernels, and a number chooses:
//
//   %more = tensor.concat dim(0) %zeros, %pixels          [37, 48]
//   %grown = linalg.matmul %more, %w                      [37, 96]
//   %classes = tensor.concat dim(0) %class, %zeros
//   %rows = linalg.generic { arith.select (%isPatch > 0), %grown, %classes }
//
// What is computed of zeros may be any number. It meets no other row, as there
// are only products and elementwise ops up to the choice, which drops it.

#include "NormalizeSteps.h"
#include "OneSpelling.h"
#include "RewriteOps.h"
#include "TensorType.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Machine/Machine.h"
#include "trn/Transforms/Normalize/DimRange.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/ReadThrough.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether `value` is an argument, a constant, or such ones moved: the host has
/// it before all kernels.
static bool isOfHost(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  // They become more while they are visited.
  for (size_t i = 0; i < values.size(); ++i) {
    Value read = values[i];
    Operation *op = read.getDefiningOp();
    if (!op) {
      if (!isa<func::FuncOp>(read.getParentBlock()->getParentOp()))
        return false;
      continue;
    }
    if (!isa<arith::ConstantOp, linalg::FillOp, tensor::ConcatOp,
             tensor::EmptyOp, tensor::ExtractSliceOp>(op) &&
        !isReshape(op) && !matchMovement(read))
      return false;
    values.insert_range(op->getOperands());
  }
  return true;
}

/// Whether `body` computes floats of floats, and can do so of any.
static bool isOfFloats(Block &body) {
  auto isFloat = [](Type type) {
    return isa<FloatType>(type) || type.isInteger(1);
  };
  return llvm::all_of(body, [&](Operation &op) {
    return isa<linalg::YieldOp>(op) ||
           (isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
            isPure(&op) && llvm::all_of(op.getOperandTypes(), isFloat) &&
            llvm::all_of(op.getResultTypes(), isFloat));
  });
}

namespace {
/// A dimension with more rows: each of `outer` parts of it has them.
struct Place {
  int64_t dim, outer = 1;
  bool operator==(const Place &other) const {
    return dim == other.dim && outer == other.outer;
  }
};

/// Gives what is computed for `reader` rows in front and behind.
class Grower {
public:
  Grower(Operation *reader, int64_t before, int64_t behind)
      : reader(reader), before(before), behind(behind) {}

  /// Whether products and elementwise ops compute `last`, for nobody else.
  bool mayGrow(Value last, int64_t dim);
  Value grow(OpBuilder &builder, Value value);

private:
  RankedTensorType grownType(Value value) const;
  bool visit(Value value, Place place);
  bool visit(linalg::LinalgOp op, Place place);
  Value growInput(OpBuilder &builder, Value value) const;
  Value growComputed(OpBuilder &builder, Value value);

  Operation *reader;
  int64_t before, behind, products = 0;
  /// Where each value has its rows.
  llvm::MapVector<Value, Place> places;
  DenseMap<Value, Value> grown;
};
} // namespace

/// Where the operand of `op`, a reshape, has the rows of its result.
static std::optional<Place> findPlace(Operation *op, Place place) {
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  RankedTensorType to = typeOf(op->getResult(0));
  if (!from.hasStaticShape())
    return std::nullopt;
  SmallVector<int64_t> common;
  SmallVector<ReassociationIndices> fromGroups, toGroups;
  findCommonShape(from.getShape(), to.getShape(), common, fromGroups, toGroups);
  int64_t rows = to.getDimSize(place.dim) / place.outer;
  for (auto [ofFrom, ofTo] : llvm::zip_equal(fromGroups, toGroups)) {
    if (!llvm::is_contained(ofTo, place.dim))
      continue;
    int64_t inside = 1, ownInside = 1;
    for (int64_t dim : ofTo)
      inside *= dim > place.dim ? to.getDimSize(dim) : 1;
    for (int64_t dim : llvm::reverse(ofFrom)) {
      int64_t size = from.getDimSize(dim);
      if (ownInside == inside && size % rows == 0)
        return Place{dim, size / rows};
      ownInside *= size;
    }
  }
  return std::nullopt;
}

bool Grower::visit(linalg::LinalgOp op, Place place) {
  auto isPlain = [](AffineMap map) {
    return map.isProjectedPermutation(/*allowZeroInResults=*/true);
  };
  if (!op.hasPureTensorSemantics() || op.hasIndexSemantics() ||
      op.hasDynamicShape() || op.getNumDpsInits() != 1 ||
      !llvm::all_of(op.getIndexingMapsArray(), isPlain) ||
      !isOfFloats(*op.getBlock()))
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  bool isProduct = isProductLike(op);
  if (isProduct
          ? !sumsProducts(op) || !isZeroFilled(init->get())
          : !op.isAllParallelLoops() || op.payloadUsesValueFromOperand(init))
    return false;
  products += isProduct;
  auto dims = findDims(op, place.dim);
  if (!dims)
    return false;
  for (auto [operand, dim] : llvm::zip(op.getDpsInputs(), *dims))
    if (dim && !visit(operand, {*dim, place.outer}))
      return false;
  return true;
}

bool Grower::visit(Value value, Place place) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getEncoding() ||
      type.getNumElements() == 0 || !isa<FloatType>(type.getElementType()))
    return false;
  auto [known, isNew] = places.insert({value, place});
  if (!isNew)
    return known->second == place;
  if (isOfHost(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != reader->getBlock() || op->getNumResults() != 1)
    return false;
  if (isReshape(op)) {
    std::optional<Place> from = findPlace(op, place);
    return from && visit(op->getOperand(0), *from);
  }
  // The host transposes more than matrices, behind the kernel.
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && !(isa<linalg::TransposeOp>(op) && type.getRank() > 2) &&
         visit(linalgOp, place);
}

bool Grower::mayGrow(Value last, int64_t dim) {
  if (!visit(last, {dim}) || products == 0)
    return false;
  auto isWithin = [&](Operation *user) {
    return user == reader ||
           (user->getNumResults() == 1 && places.contains(user->getResult(0)));
  };
  return llvm::all_of(llvm::make_first_range(places), [&](Value value) {
    return isOfHost(value) || llvm::all_of(value.getUsers(), isWithin);
  });
}

RankedTensorType Grower::grownType(Value value) const {
  Place place = places.lookup(value);
  SmallVector<int64_t> shape(typeOf(value).getShape());
  shape[place.dim] += place.outer * (before + behind);
  return typeOf(value).clone(shape);
}

/// `value` with zeros around each part of its rows.
Value Grower::growInput(OpBuilder &builder, Value value) const {
  Location loc = value.getLoc();
  Place place = places.lookup(value);
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> parts(type.getShape());
  parts[place.dim] /= place.outer;
  parts.insert(parts.begin() + place.dim, place.outer);
  int64_t dim = place.dim + 1, rows = parts[dim];
  auto sized = [&](int64_t size) {
    parts[dim] = size;
    return type.clone(parts);
  };
  SmallVector<Value> joined;
  auto addZeros = [&](int64_t size) {
    if (size)
      joined.push_back(emitZeros(builder, loc, sized(size)));
  };
  addZeros(before);
  joined.push_back(reshape(builder, loc, value, sized(rows)));
  addZeros(behind);
  Value all = tensor::ConcatOp::create(
      builder, loc, sized(before + rows + behind), dim, joined);
  return reshape(builder, loc, all, grownType(value));
}

Value Grower::growComputed(OpBuilder &builder, Value value) {
  Operation *op = value.getDefiningOp();
  RankedTensorType type = grownType(value);
  if (isReshape(op))
    return reshape(builder, op->getLoc(), grow(builder, op->getOperand(0)),
                   type);
  auto linalgOp = cast<linalg::LinalgOp>(op);
  SmallVector<Value> operands;
  for (auto [operand, dim] :
       llvm::zip(linalgOp.getDpsInputs(),
                 *findDims(linalgOp, places.lookup(value).dim)))
    operands.push_back(dim ? grow(builder, operand) : operand);
  operands.push_back(emitZeros(builder, op->getLoc(), type));
  return clone(builder, op, type, operands)->getResult(0);
}

Value Grower::grow(OpBuilder &builder, Value value) {
  if (Value known = grown.lookup(value))
    return known;
  Value more = isOfHost(value) ? growInput(builder, value)
                               : growComputed(builder, value);
  return grown[value] = more;
}

/// One for each row of `parts` times as many that is `computed`.
static Value emitChoice(OpBuilder &builder, Location loc, int64_t parts,
                        int64_t before, int64_t computed, int64_t behind) {
  auto type = RankedTensorType::get({parts * (before + computed + behind)},
                                    builder.getBF16Type());
  SmallVector<Attribute> numbers;
  for (int64_t part = 0; part < parts; ++part)
    for (auto [count, number] :
         {std::pair(before, 0.0), std::pair(computed, 1.0),
          std::pair(behind, 0.0)})
      numbers.append(count,
                     builder.getFloatAttr(type.getElementType(), number));
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, numbers));
}

/// `rows`, or those of `others` where `choice` is zero.
static Value choose(OpBuilder &builder, Location loc, Value rows, Value others,
                    Value choice) {
  RankedTensorType type = typeOf(rows);
  AffineMap all = builder.getMultiDimIdentityMap(2);
  AffineMap row = AffineMap::get(2, 0, builder.getAffineDimExpr(0));
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{rows, others, choice}, empty,
             ArrayRef{all, all, row, all}, iterators,
             [](OpBuilder &nested, Location loc, ValueRange values) {
               Value zero = arith::ConstantOp::create(
                   nested, loc, nested.getZeroAttr(values[2].getType()));
               Value isOwn = arith::CmpFOp::create(
                   nested, loc, arith::CmpFPredicate::OGT, values[2], zero);
               linalg::YieldOp::create(nested, loc,
                                       arith::SelectOp::create(nested, loc,
                                                               isOwn, values[0],
                                                               values[1])
                                           .getResult());
             })
      .getResult(0);
}

/// Whether anything is computed of `value`.
static bool isRead(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<linalg::LinalgOp>(user) ||
           (isReshape(user) && isRead(user->getResult(0)));
  });
}

/// Computes `concat`, if all parts but one are of the host, and are no more
/// rows than `most`.
static bool grow(tensor::ConcatOp concat, int64_t most) {
  RankedTensorType type = concat.getResultType();
  int64_t dim = concat.getDim(), before = 0, behind = 0;
  if (!type.hasStaticShape() || type.getEncoding() ||
      !getElementType(type.getElementType()) || dim + 1 == type.getRank() ||
      !isRead(concat))
    return false;
  Value computed;
  for (Value part : concat.getInputs()) {
    if (isOfHost(part))
      (computed ? behind : before) += typeOf(part).getDimSize(dim);
    else if (std::exchange(computed, part))
      return false;
  }
  int64_t parts = ShapedType::getNumElements(type.getShape().take_front(dim));
  Grower grower(concat, before, behind);
  if (!computed || before + behind == 0 || parts * (before + behind) > most ||
      !grower.mayGrow(computed, dim))
    return false;
  OpBuilder builder(concat);
  Location loc = concat.getLoc();
  SmallVector<Value> others(concat.getInputs());
  for (Value &part : others)
    if (part == computed)
      part = emitZeros(builder, loc, typeOf(computed));
  int64_t columns =
      ShapedType::getNumElements(type.getShape().drop_front(dim + 1));
  auto asMatrix = [&](Value value) {
    return reshape(builder, loc, value,
                   type.clone({parts * type.getDimSize(dim), columns}));
  };
  Value rows = asMatrix(grower.grow(builder, computed));
  Value rest = asMatrix(
      tensor::ConcatOp::create(builder, loc, type, dim, others).getResult());
  Value choice = emitChoice(builder, loc, parts, before,
                            typeOf(computed).getDimSize(dim), behind);
  concat.replaceAllUsesWith(
      reshape(builder, loc, choose(builder, loc, rows, rest, choice), type));
  return true;
}

void mlir::trn::growRows(func::FuncOp func) {
  SmallVector<tensor::ConcatOp> concats;
  func.walk([&](tensor::ConcatOp op) { concats.push_back(op); });
  if (concats.empty())
    return;
  FailureOr<Machine> machine = getMachine(func);
  bool hasGrown = false;
  for (tensor::ConcatOp op : concats)
    hasGrown |= succeeded(machine) && grow(op, machine->partitions);
  if (!hasGrown)
    return;
  IRRewriter rewriter(func.getContext());
  (void)runRegionDCE(rewriter, func->getRegions());
  SmallVector<Operation *> reshapes;
  func.walk([&](Operation *op) {
    if (isReshape(op))
      reshapes.push_back(op);
  });
  RewritePatternSet patterns(func.getContext());
  addReshapeFolding(patterns);
  (void)rewriteOps(func, reshapes, std::move(patterns), {});
}
