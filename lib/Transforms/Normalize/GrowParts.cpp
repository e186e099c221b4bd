//===- GrowParts.cpp - What a kernel computes gets rows of others ---------===//
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
// As the host would do that, between two launches, a kernel computes all rows
// of inputs that the host has put together before, and chooses:
//
//   %more = tensor.concat dim(0) %zeros, %pixels          [37, 48]
//   %grown = linalg.matmul %more, %w                      [37, 96]
//   %classes = tensor.concat dim(0) %class, %zeros
//   %rows = linalg.generic { arith.select (row >= 1), %grown, %classes }

#include "NormalizeSteps.h"
#include "OneSpelling.h"
#include "trn/Transforms/Normalize/DimRange.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

static RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

/// Whether no linalg op computes `value`, which the host so has before kernels;
/// or only such as move and repeat elements, if these do not count.
static bool isOfHost(Value value, bool mayMove = false) {
  llvm::SetVector<Value> values;
  values.insert(value);
  // They become more while they are visited.
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op)
      continue;
    bool isMove = isa<linalg::LinalgOp>(op) &&
                  llvm::hasSingleElement(op->getRegion(0).front());
    if (op->getNumRegions() > 1 ||
        (!isa<linalg::FillOp>(op) && !(mayMove && isMove) &&
         (isa<linalg::LinalgOp>(op) || isElementwise(op))))
      return false;
    values.insert_range(op->getOperands());
  }
  return true;
}

namespace {
/// A dimension that gets more indices: each of `outer` parts of it does.
struct Place {
  int64_t dim, outer = 1;
  bool operator==(const Place &other) const {
    return dim == other.dim && outer == other.outer;
  }
};

/// Gives dimensions of what is computed more indices, with any values.
class Grower {
public:
  Grower(int64_t before, int64_t behind) : before(before), behind(behind) {}

  /// Whether `last`, which `reader` reads, and all that it is computed of has
  /// dimensions that can grow, and no other readers.
  bool mayGrow(Value last, int64_t dim, Operation *reader);
  Value grow(OpBuilder &builder, Value value, Place place);
  bool mergesBatches() const {
    return llvm::any_of(places,
                        [](auto &entry) { return entry.second.outer > 1; });
  }

private:
  RankedTensorType grownType(Value value, Place place) const {
    SmallVector<int64_t> shape(typeOf(value).getShape());
    shape[place.dim] += place.outer * (before + behind);
    return typeOf(value).clone(shape);
  }
  bool visit(Value value, Place place);
  Value growInput(OpBuilder &builder, Value value, Place place) const;

  int64_t before, behind;
  /// Where each value grows.
  llvm::MapVector<Value, Place> places;
  DenseMap<Value, Value> grown;
};
} // namespace

/// The same of what `op` reshapes.
static std::optional<Place> findPlace(Operation *op, Place place) {
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape() ||
      isa<tensor::CastOp>(op))
    return std::nullopt;
  SmallVector<int64_t> common;
  SmallVector<ReassociationIndices> fromGroups, toGroups;
  findCommonShape(from.getShape(), to.getShape(), common, fromGroups, toGroups);
  for (auto [size, ofFrom, ofTo] :
       llvm::zip_equal(common, fromGroups, toGroups)) {
    if (!llvm::is_contained(ofTo, place.dim))
      continue;
    // What grows is the innermost of these, and what is innermost there.
    int64_t inner = to.getDimSize(place.dim) / place.outer, behind = 1;
    for (int64_t dim : llvm::reverse(ofTo)) {
      if (dim == place.dim)
        break;
      behind *= to.getDimSize(dim);
    }
    for (int64_t dim : llvm::reverse(ofFrom)) {
      int64_t own = from.getDimSize(dim);
      if (own == 1 && inner != 1)
        continue;
      if (behind != 1 || own % inner != 0)
        return std::nullopt;
      return Place{dim, own / inner};
    }
  }
  return std::nullopt;
}

bool Grower::visit(Value value, Place place) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getEncoding() ||
      type.getNumElements() == 0)
    return false;
  auto [known, isNew] = places.try_emplace(value, place);
  if (!isNew)
    return known->second == place;
  if (isOfHost(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (op->getNumResults() != 1)
    return false;
  if (isReshape(op)) {
    std::optional<Place> from = findPlace(op, place);
    return from && visit(op->getOperand(0), *from);
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return isElementwise(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return visit(operand, place); });
  if (!linalgOp.hasPureTensorSemantics() || linalgOp.hasIndexSemantics() ||
      linalgOp.hasDynamicShape())
    return false;
  auto own = findDims(linalgOp, place.dim);
  return own && llvm::all_of_zip(
                    op->getOperands(), *own, [&](Value operand, auto dim) {
                      return !dim || visit(operand, {*dim, place.outer});
                    });
}

bool Grower::mayGrow(Value last, int64_t dim, Operation *reader) {
  if (!visit(last, {dim}))
    return false;
  // What else reads inputs would be in kernels of its own.
  llvm::SetVector<Value> values;
  values.insert_range(llvm::make_first_range(places));
  DenseSet<Operation *> ops{reader};
  for (size_t i = 0; i < values.size(); ++i)
    if (Operation *op = values[i].getDefiningOp()) {
      ops.insert(op);
      if (isReshape(op))
        values.insert(op->getOperand(0));
    }
  return llvm::all_of(values, [&](Value value) {
    return isa_and_nonnull<linalg::FillOp, tensor::EmptyOp, arith::ConstantOp>(
               value.getDefiningOp()) ||
           llvm::all_of(value.getUsers(),
                        [&](Operation *user) { return ops.contains(user); });
  });
}

Value Grower::growInput(OpBuilder &builder, Value value, Place place) const {
  Location loc = value.getLoc();
  RankedTensorType type = typeOf(value);
  int64_t dim = place.dim, outer = place.outer;
  // Parts of the dimension are put together one by one.
  SmallVector<int64_t> shape(type.getShape());
  if (outer > 1) {
    shape[dim] /= outer;
    shape.insert(shape.begin() + dim++, outer);
  }
  int64_t inner = shape[dim];
  auto sized = [&](int64_t size) {
    shape[dim] = size;
    return type.clone(shape);
  };
  auto zeros = [&](int64_t size) {
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.getElementType()));
    return emitFill(builder, loc, zero, sized(size));
  };
  SmallVector<Value> parts{reshape(builder, loc, value, sized(inner))};
  if (before)
    parts.insert(parts.begin(), zeros(before));
  if (behind)
    parts.push_back(zeros(behind));
  Value joined = tensor::ConcatOp::create(
      builder, loc, sized(before + inner + behind), dim, parts);
  return reshape(builder, loc, joined, grownType(value, place));
}

Value Grower::grow(OpBuilder &builder, Value value, Place place) {
  if (Value known = grown.lookup(value))
    return known;
  RankedTensorType type = grownType(value, place);
  Operation *op = value.getDefiningOp();
  Value result;
  if (isOfHost(value)) {
    SplatElementsAttr splat;
    if (matchPattern(value, m_Constant(&splat)))
      result = arith::ConstantOp::create(
          builder, value.getLoc(),
          SplatElementsAttr::get(type, splat.getSplatValue<Attribute>()));
    else if (auto fill = value.getDefiningOp<linalg::FillOp>())
      result = emitFill(builder, fill.getLoc(), fill.getInputs()[0], type);
    else if (value.getDefiningOp<tensor::EmptyOp>())
      result = tensor::EmptyOp::create(builder, value.getLoc(), type.getShape(),
                                       type.getElementType());
    else
      result = growInput(builder, value, place);
  } else if (isReshape(op)) {
    Value source = grow(builder, op->getOperand(0), *findPlace(op, place));
    result = reshape(builder, op->getLoc(), source, type);
  } else {
    SmallVector<Value> operands;
    SmallVector<std::optional<int64_t>> dims(op->getNumOperands(), place.dim);
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      dims = *findDims(linalgOp, place.dim);
    for (auto [operand, dim] : llvm::zip_equal(op->getOperands(), dims))
      operands.push_back(dim ? grow(builder, operand, {*dim, place.outer})
                             : operand);
    result = clone(builder, op, type, operands)->getResult(0);
  }
  return grown[value] = result;
}

/// Computes `concat`, all parts of which but one are of the host, if anything
/// but the caller reads it. Instructions take as long for fewer rows than
/// `machine` has partitions.
static void grow(tensor::ConcatOp concat, const Machine &machine) {
  RankedTensorType type = concat.getResultType();
  if (!type.hasStaticShape() || type.getEncoding() ||
      !isa<FloatType>(type.getElementType()) ||
      llvm::all_of(concat->getUsers(), [](Operation *user) {
        return user->hasTrait<OpTrait::IsTerminator>();
      }))
    return;
  int64_t dim = concat.getDim(), before = 0, behind = 0;
  Value computed;
  for (Value part : concat.getInputs()) {
    if (!isOfHost(part, /*mayMove=*/true)) {
      if (computed)
        return;
      computed = part;
      continue;
    }
    (computed ? behind : before) += typeOf(part).getDimSize(dim);
  }
  if (!computed ||
      before + behind > std::max<int64_t>(typeOf(computed).getDimSize(dim),
                                          machine.partitions))
    return;
  Grower grower(before, behind);
  if (!grower.mayGrow(computed, dim, concat))
    return;
  OpBuilder builder(concat);
  Location loc = concat.getLoc();
  Value grown = grower.grow(builder, computed, {dim});
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  SmallVector<Value> parts(concat.getInputs());
  for (Value &part : parts)
    if (part == computed)
      part = emitFill(builder, loc, zero, typeOf(computed));
  Value others = tensor::ConcatOp::create(builder, loc, type, dim, parts);
  // Where rows of several batches are one dimension of a product, they are
  // here.
  int64_t size = type.getDimSize(dim);
  RankedTensorType rowType = type;
  if (grower.mergesBatches()) {
    SmallVector<int64_t> shape(type.getShape().drop_front(dim + 1));
    shape.insert(shape.begin(), ShapedType::getNumElements(
                                    type.getShape().take_front(dim + 1)));
    rowType = type.clone(shape);
  }
  auto ofRows = [&](Value value) {
    return reshape(builder, loc, value, rowType);
  };
  Value rows = emitElementwise(
      builder, loc, {ofRows(grown), ofRows(others)}, type.getElementType(),
      [&](OpBuilder &builder, Location loc, ValueRange values) -> Value {
        auto number = [&](int64_t value) {
          return arith::ConstantIndexOp::create(builder, loc, value);
        };
        Value index =
            linalg::IndexOp::create(builder, loc, rowType == type ? dim : 0);
        if (rowType != type)
          index = arith::RemUIOp::create(builder, loc, index, number(size));
        Value isOwn;
        if (before)
          isOwn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        index, number(before));
        if (behind) {
          Value isBefore =
              arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                    index, number(size - behind));
          isOwn = before ? arith::AndIOp::create(builder, loc, isOwn, isBefore)
                         : isBefore;
        }
        return arith::SelectOp::create(builder, loc, isOwn, values[0],
                                       values[1]);
      });
  Value chosen = reshape(builder, loc, rows, type);
  concat.replaceAllUsesWith(chosen);
  SmallVector<Operation *> ops{concat};
  while (!ops.empty()) {
    Operation *op = ops.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp();
          maker && !llvm::is_contained(ops, maker))
        ops.push_back(maker);
    llvm::erase(ops, op);
    op->erase();
  }
}

/// Zeros around what is computed are put together with it, too.
static void writeAsConcat(tensor::PadOp pad) {
  RankedTensorType type = pad.getResultType();
  Value number = pad.getConstantPaddingValue();
  SmallVector<OpFoldResult> low = pad.getMixedLowPad(),
                            high = pad.getMixedHighPad();
  auto isPadded = [&](int64_t dim) {
    return !isZeroInteger(low[dim]) || !isZeroInteger(high[dim]);
  };
  auto dims = llvm::to_vector(
      llvm::make_filter_range(llvm::seq<int64_t>(0, type.getRank()), isPadded));
  if (!number || !type.hasStaticShape() || dims.size() != 1 ||
      isOfHost(pad.getSource()))
    return;
  OpBuilder builder(pad);
  SmallVector<Value> parts{pad.getSource()};
  auto add = [&](OpFoldResult size, Value *place) {
    SmallVector<int64_t> shape(type.getShape());
    shape[dims[0]] = *getConstantIntValue(size);
    if (shape[dims[0]] > 0)
      parts.insert(place,
                   emitFill(builder, pad.getLoc(), number, type.clone(shape)));
  };
  add(low[dims[0]], parts.begin());
  add(high[dims[0]], parts.end());
  pad.replaceAllUsesWith(
      tensor::ConcatOp::create(builder, pad.getLoc(), type, dims[0], parts)
          .getResult());
  pad.erase();
}

void mlir::trn::growParts(func::FuncOp func, const Machine &machine) {
  func.walk([](tensor::PadOp pad) { writeAsConcat(pad); });
  SmallVector<tensor::ConcatOp> concats;
  func.walk([&](tensor::ConcatOp op) { concats.push_back(op); });
  for (tensor::ConcatOp op : concats)
    grow(op, machine);
}
