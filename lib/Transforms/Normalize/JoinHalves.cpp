//===- JoinHalves.cpp - Rotary embeddings that halves are computed for ----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A rotary embedding may compute each half of the columns by itself:
//
//   %l = %x[:, :32],   %r = %x[:, 32:]
//   %o = concat(%l * cos - %r * sin, %r * cos + %l * sin)
//
// Both halves are the same function, as a - b is a + -b, of the halves in one
// order or the other. So all columns are computed at once,
//
//   %y = concat(-%r, %l)
//   %o = %x * concat(cos, cos) + %y * concat(sin, sin)
//
// which is a rotation (see Rotations.cpp) and elementwise work on whole rows.
// It is the same but for the signs of zeros. What is put together of tables
// follows from arguments. So it is with neighbours: even columns, odd ones, and
// pairs of these.

#include "HalvesReader.h"
#include "NormalizeSteps.h"
#include "OneSpelling.h"
#include "TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

//===----------------------------------------------------------------------===//
// Both halves as one
//===----------------------------------------------------------------------===//

namespace {
/// Elements of all columns.
struct Input {
  Value left, right;
  AffineMap map;
  /// The first column of halves.
  std::optional<int64_t> begin = std::nullopt;
  bool isSwapped = false;
  /// What is read of the halves is negated in the left, and in the right.
  std::pair<bool, bool> isNegated = {false, false};
};

class Joiner {
public:
  using Signs = std::pair<bool, bool>;

  /// Neighbours are even and odd columns.
  Joiner(const HalvesReader &reader, int64_t count, bool areNeighbours)
      : reader(reader), count(count), areNeighbours(areNeighbours) {}

  /// One number for both; `negated` says which ones of them change their sign.
  std::optional<unsigned> join(unsigned left, unsigned right, Signs negated);
  /// Computes the number `root` of all columns.
  Value emit(OpBuilder &builder, Location loc, RankedTensorType type,
             unsigned root) const;
  bool isRotation() const {
    return llvm::any_of(inputs, [](const Input &in) { return in.isSwapped; });
  }

private:
  struct Joined {
    Operation *op = nullptr;
    SmallVector<unsigned, 2> operands = {};
    std::optional<unsigned> input = std::nullopt;
    Value scalar = {};
  };

  std::optional<unsigned> joinElements(const Number &left, const Number &right,
                                       Signs negated);
  std::optional<unsigned> joinOperands(Operation *op, ArrayRef<unsigned> left,
                                       ArrayRef<unsigned> right,
                                       ArrayRef<Signs> negated);
  Value emitInput(OpBuilder &builder, Location loc, const Input &input) const;
  Value emitColumns(OpBuilder &builder, Location loc, Value source,
                    int64_t begin, bool isNegated) const;
  Value putTogether(OpBuilder &builder, Location loc, Value left, Value right,
                    int64_t dim) const;

  const HalvesReader &reader;
  int64_t count;
  bool areNeighbours;
  std::vector<Joined> numbers;
  SmallVector<Input> inputs;
  /// Operands are tried in both orders.
  static constexpr unsigned maxSteps = 1000;
  unsigned steps = 0;
};
} // namespace

/// Whether `op` reduces more than one element to each of its result.
static bool sumsUp(linalg::LinalgOp op) {
  return llvm::any_of(
      llvm::zip_equal(op.getIteratorTypesArray(), op.getStaticLoopRanges()),
      [](auto loop) {
        auto [kind, size] = loop;
        return kind == utils::IteratorType::reduction && size != 1;
      });
}

/// Whether `tensor` follows from arguments without a sum.
static bool followsFromArguments(Value tensor) {
  constexpr size_t maxOps = 64;
  llvm::SetVector<Operation *> ops;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      ops.insert(op);
  };
  add(tensor);
  // They become more while they are visited.
  for (size_t i = 0; i < ops.size(); ++i) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(ops[i]);
    if (ops.size() > maxOps || (linalgOp && sumsUp(linalgOp)) ||
        (!linalgOp && ops[i]->getNumRegions()))
      return false;
    llvm::for_each(ops[i]->getOperands(), add);
  }
  return true;
}

std::optional<unsigned>
Joiner::joinElements(const Number &left, const Number &right, Signs negated) {
  const bool isNegated = negated.first || negated.second;
  if (left.map != right.map ||
      left.begin.has_value() != right.begin.has_value())
    return std::nullopt;
  Input input{left.value, right.value, left.map};
  const unsigned column = left.map.getNumDims() - 1;
  AffineExpr last = getAffineDimExpr(column, left.map.getContext());
  if (left.begin) {
    input.begin = std::min(*left.begin, *right.begin);
    input.isSwapped = *left.begin > *right.begin;
    input.isNegated = negated;
    int64_t apart = areNeighbours ? 1 : count;
    if (left.value != right.value ||
        std::abs(*left.begin - *right.begin) != apart ||
        (isNegated && !input.isSwapped))
      return std::nullopt;
  } else if (isNegated || left.value.getType() != right.value.getType()) {
    return std::nullopt;
  } else if (!left.map.isFunctionOfDim(column)) {
    if (left.value != right.value)
      return std::nullopt;
  } else {
    auto readsColumn = [&](AffineExpr index) {
      return index.isFunctionOfDim(column);
    };
    if (llvm::count_if(left.map.getResults(), readsColumn) != 1 ||
        !llvm::is_contained(left.map.getResults(), last) ||
        !followsFromArguments(left.value) || !followsFromArguments(right.value))
      return std::nullopt;
  }
  inputs.push_back(input);
  numbers.push_back({nullptr, {}, inputs.size() - 1});
  return numbers.size() - 1;
}

std::optional<unsigned> Joiner::joinOperands(Operation *op,
                                             ArrayRef<unsigned> left,
                                             ArrayRef<unsigned> right,
                                             ArrayRef<Signs> negated) {
  const size_t ownNumbers = numbers.size(), ownInputs = inputs.size();
  Joined joined{op};
  for (auto [l, r, signs] : llvm::zip_equal(left, right, negated)) {
    std::optional<unsigned> operand = join(l, r, signs);
    if (!operand) {
      numbers.resize(ownNumbers);
      inputs.truncate(ownInputs);
      return std::nullopt;
    }
    joined.operands.push_back(*operand);
  }
  numbers.push_back(std::move(joined));
  return numbers.size() - 1;
}

std::optional<unsigned> Joiner::join(unsigned left, unsigned right,
                                     Signs negated) {
  if (++steps > maxSteps)
    return std::nullopt;
  const Number &l = reader[left], &r = reader[right];
  if (isa_and_nonnull<arith::NegFOp>(l.op))
    return join(l.operands[0], right, {!negated.first, negated.second});
  if (isa_and_nonnull<arith::NegFOp>(r.op))
    return join(left, r.operands[0], {negated.first, !negated.second});
  const Signs none;
  if (!l.op || !r.op) {
    if (l.isElement() && r.isElement())
      return joinElements(l, r, negated);
    if (l.op || r.op || l.value != r.value || l.map || r.map || negated != none)
      return std::nullopt;
    numbers.push_back({nullptr, {}, std::nullopt, l.value});
    return numbers.size() - 1;
  }
  if (l.op->getAttrDictionary() != r.op->getAttrDictionary() ||
      l.op->getResultTypes() != r.op->getResultTypes())
    return std::nullopt;
  SmallVector<unsigned> turned(llvm::reverse(r.operands));
  bool isLeftSub = isa<arith::SubFOp>(l.op),
       isRightSub = isa<arith::SubFOp>(r.op);
  bool areSums = (isLeftSub || isa<arith::AddFOp>(l.op)) &&
                 (isRightSub || isa<arith::AddFOp>(r.op));
  // a - b is a + -b.
  if (areSums && isLeftSub != isRightSub) {
    Operation *sum = isLeftSub ? r.op : l.op;
    Signs second(negated.first != isLeftSub, negated.second != isRightSub);
    if (auto made =
            joinOperands(sum, l.operands, r.operands, {negated, second}))
      return made;
    return isLeftSub ? joinOperands(sum, l.operands, turned, {negated, second})
                     : joinOperands(sum, l.operands, turned, {second, negated});
  }
  if (l.op->getName() != r.op->getName())
    return std::nullopt;
  if (areSums) {
    auto made = joinOperands(l.op, l.operands, r.operands, {negated, negated});
    return made || isLeftSub
               ? made
               : joinOperands(l.op, l.operands, turned, {negated, negated});
  }
  if (isa<arith::MulFOp>(l.op)) {
    for (ArrayRef<unsigned> right : {ArrayRef(r.operands), ArrayRef(turned)})
      for (const std::array<Signs, 2> &signs :
           {std::array{negated, none}, std::array{none, negated}})
        if (auto made = joinOperands(l.op, l.operands, right, signs))
          return made;
    return std::nullopt;
  }
  // They round what is negated alike.
  bool keepsSign = isa<arith::ExtFOp, arith::TruncFOp>(l.op);
  if (negated != none && !keepsSign)
    return std::nullopt;
  return joinOperands(l.op, l.operands, r.operands,
                      SmallVector<Signs>(l.operands.size(), negated));
}

/// Both tensors along `dim`, one behind the other or in turns.
Value Joiner::putTogether(OpBuilder &builder, Location loc, Value left,
                          Value right, int64_t dim) const {
  RankedTensorType type = typeOf(left);
  if (!areNeighbours)
    return tensor::ConcatOp::create(builder, loc, dim, ValueRange{left, right});
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + dim + 1, 1);
  left = reshape(builder, loc, left, type.clone(shape));
  right = reshape(builder, loc, right, type.clone(shape));
  Value pairs =
      tensor::ConcatOp::create(builder, loc, dim + 1, ValueRange{left, right});
  shape.erase(shape.begin() + dim + 1);
  shape[dim] *= 2;
  return reshape(builder, loc, pairs, type.clone(shape));
}

/// One half of the columns of `source`, from `begin` on.
Value Joiner::emitColumns(OpBuilder &builder, Location loc, Value source,
                          int64_t begin, bool isNegated) const {
  RankedTensorType type = typeOf(source);
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
      strides(type.getRank(), builder.getIndexAttr(1));
  offsets.back() = builder.getIndexAttr(begin);
  sizes.back() = builder.getIndexAttr(count);
  strides.back() = builder.getIndexAttr(areNeighbours ? 2 : 1);
  Value half = tensor::ExtractSliceOp::create(builder, loc, source, offsets,
                                              sizes, strides);
  return isNegated ? arith::NegFOp::create(builder, loc, half).getResult()
                   : half;
}

Value Joiner::emitInput(OpBuilder &builder, Location loc,
                        const Input &input) const {
  RankedTensorType type = typeOf(input.left);
  const unsigned column = input.map.getNumDims() - 1;
  if (!input.begin) {
    if (!input.map.isFunctionOfDim(column))
      return input.left;
    AffineExpr last = getAffineDimExpr(column, builder.getContext());
    int64_t dim = llvm::find(input.map.getResults(), last) -
                  input.map.getResults().begin();
    return putTogether(builder, loc, input.left, input.right, dim);
  }
  const int64_t begin = *input.begin, apart = areNeighbours ? 1 : count;
  if (input.isSwapped)
    return putTogether(
        builder, loc,
        emitColumns(builder, loc, input.left, begin + apart,
                    input.isNegated.first),
        emitColumns(builder, loc, input.left, begin, input.isNegated.second),
        type.getRank() - 1);
  if (type.getShape().back() == 2 * count)
    return input.left;
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
      strides(type.getRank(), builder.getIndexAttr(1));
  offsets.back() = builder.getIndexAttr(begin);
  sizes.back() = builder.getIndexAttr(2 * count);
  return tensor::ExtractSliceOp::create(builder, loc, input.left, offsets,
                                        sizes, strides);
}

Value Joiner::emit(OpBuilder &builder, Location loc, RankedTensorType type,
                   unsigned root) const {
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Input &input : inputs) {
    tensors.push_back(emitInput(builder, loc, input));
    maps.push_back(input.map);
  }
  maps.push_back(builder.getMultiDimIdentityMap(type.getRank()));
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto writeBody = [&](OpBuilder &nested, Location loc, ValueRange elements) {
    SmallVector<Value> made;
    for (const Joined &number : numbers) {
      if (number.input)
        made.push_back(elements[*number.input]);
      else if (number.scalar)
        made.push_back(number.scalar);
      if (!number.op)
        continue;
      OperationState state(loc, number.op->getName());
      for (unsigned operand : number.operands)
        state.addOperands(made[operand]);
      state.addTypes(getElementTypeOrSelf(number.op->getResult(0)));
      state.addAttributes(number.op->getAttrs());
      made.push_back(nested.create(state)->getResult(0));
    }
    linalg::YieldOp::create(nested, loc, made[root]);
  };
  return linalg::GenericOp::create(builder, loc, type, tensors, empty, maps,
                                   loops, writeBody)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// What is put together
//===----------------------------------------------------------------------===//

/// Whether all that reads `concat` has its last two dimensions as one.
static bool isReadFlat(tensor::ConcatOp concat) {
  return llvm::all_of(concat->getUsers(), [](Operation *user) {
    auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
    return collapse && collapse.getReassociationIndices().back().size() > 1;
  });
}

/// Computes the inputs of `concat` from `first` on, two halves, as one.
static bool joinHalvesOf(tensor::ConcatOp concat, size_t first) {
  ValueRange halves = concat.getInputs().slice(first, 2);
  auto type = dyn_cast<RankedTensorType>(halves[0].getType());
  int64_t rank = type.getRank(), dims = rank;
  if (halves[1].getType() != type || !type.hasStaticShape() ||
      type.getEncoding())
    return false;
  bool areNeighbours = type.getShape().back() == 1;
  if (areNeighbours &&
      (--dims == 0 || concat.getInputs().size() != 2 || !isReadFlat(concat)))
    return false;
  OpBuilder builder(concat);
  AffineMap map = builder.getMultiDimIdentityMap(dims);
  if (areNeighbours)
    map = map.insertResult(builder.getAffineConstantExpr(0), dims);
  SmallVector<int64_t> shape(type.getShape().take_front(dims));
  int64_t count = shape.back();
  HalvesReader reader(concat->getBlock(), count, areNeighbours);
  Joiner joiner(reader, count, areNeighbours);
  auto left = reader.read(halves[0], map), right = reader.read(halves[1], map);
  auto root = left && right && reader[*left].op && reader[*right].op
                  ? joiner.join(*left, *right, {})
                  : std::nullopt;
  if (!root || !joiner.isRotation() || !reader.isAllFor(concat))
    return false;
  shape.back() *= 2;
  Location loc = concat.getLoc();
  Value joined = joiner.emit(builder, loc, type.clone(shape), *root);
  if (areNeighbours)
    joined = reshape(builder, loc, joined, concat.getResultType());
  SmallVector<Value> inputs(concat.getInputs());
  inputs[first] = joined;
  inputs.erase(inputs.begin() + first + 1);
  if (inputs.size() > 1)
    joined = tensor::ConcatOp::create(builder, loc, concat.getDim(), inputs);
  concat.replaceAllUsesWith(joined);
  concat.erase();
  reader.erase();
  return true;
}

void mlir::trn::joinHalves(func::FuncOp func) {
  SmallVector<tensor::ConcatOp> concats;
  func.walk([&](tensor::ConcatOp op) {
    if (int64_t(op.getDim()) == op.getResultType().getRank() - 1)
      concats.push_back(op);
  });
  for (tensor::ConcatOp concat : concats)
    for (size_t first = 0; first + 1 < concat.getInputs().size(); ++first)
      if (joinHalvesOf(concat, first))
        break;
}
