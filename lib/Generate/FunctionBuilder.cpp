//===- FunctionBuilder.cpp - Build a function of products -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

FunctionBuilder::FunctionBuilder(MLIRContext *context, const FunctionSpec &spec,
                                 StringRef name)
    : builder(context), spec(spec) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       linalg::LinalgDialect, math::MathDialect,
                       tensor::TensorDialect, TrnDialect>();
  storage = getMatrixType(context, spec.type);
  module = ModuleOp::create(builder.getUnknownLoc());
  beginFunction(name);
}

void FunctionBuilder::beginFunction(StringRef name) {
  builder.setInsertionPointToEnd(module->getBody());
  // The type follows from what is added.
  func = func::FuncOp::create(builder, builder.getUnknownLoc(), name,
                              builder.getFunctionType({}, {}));
  builder.createBlock(&func.getBody());
}

Activation FunctionBuilder::addInput(int64_t columns, bool transposed) {
  if (transposed)
    return {addTensor("x", {columns, spec.m}), true};
  return {addTensor("x", {spec.m, columns}), false};
}

Weight FunctionBuilder::addWeight(StringRef prefix, int64_t rows,
                                  int64_t columns, std::optional<int64_t> rank,
                                  StringRef module) {
  auto add = [&](StringRef name, StringRef kind, int64_t in, int64_t out) {
    std::string param = (module + kind + "_proj.weight").str();
    if (!module.empty())
      nameParameter(param);
    if (!spec.weightType)
      return Factor{addTensor(prefix + name, {in, out})};
    Value stored =
        addArgument(prefix + name, {in, out},
                    getMatrixType(builder.getContext(), *spec.weightType));
    if (!module.empty())
      nameParameter(param + "_scale");
    return Factor{stored, addArgument(prefix + name + "_scale", out,
                                      builder.getF32Type())};
  };
  if (!rank)
    return {prefix.str(), add("w", "", rows, columns), {}};
  // Checkpoints call the first factor v.
  Factor first = add("u", "_v", rows, *rank);
  return {prefix.str(), first, add("v", "_u", *rank, columns)};
}

Value FunctionBuilder::addArgument(const Twine &name, ArrayRef<int64_t> shape,
                                   Type element) {
  return builder.getBlock()->addArgument(RankedTensorType::get(shape, element),
                                         named(name));
}

Value FunctionBuilder::addTensor(const Twine &name, ArrayRef<int64_t> shape) {
  return addArgument(name, shape, storage);
}

/// Of the argument that comes next.
void FunctionBuilder::nameParameter(const Twine &name) {
  parameters.emplace_back(builder.getBlock()->getNumArguments(),
                          builder.getStringAttr(name));
}

Value FunctionBuilder::addParameter(const Twine &name, ArrayRef<int64_t> shape,
                                    std::optional<ElementType> type) {
  nameParameter(name);
  return addArgument(
      name, shape, type ? getMatrixType(builder.getContext(), *type) : storage);
}

Value FunctionBuilder::addIntegers(const Twine &name, ArrayRef<int64_t> shape) {
  return addArgument(name, shape, builder.getI32Type());
}

AffineMap FunctionBuilder::map(unsigned row, unsigned column) {
  return AffineMap::get(
      3, 0, {builder.getAffineDimExpr(row), builder.getAffineDimExpr(column)},
      builder.getContext());
}

Value FunctionBuilder::project(const Twine &name, Activation x,
                               const Weight &weight, bool transposedResult) {
  auto scaled = [&](const Twine &name, const Factor &factor,
                    bool isTransposed) -> Value {
    Value value = factor.scales
                      ? widenStored(weight.prefix + "wide", factor.value)
                      : factor.value;
    Value sums = isTransposed ? multiplyTransposed(name, x, value)
                              : multiply(name, x, {value, weight.transposed});
    if (!factor.scales)
      return sums;
    return mapWide(name, {sums, {factor.scales, isTransposed ? 0u : 1u}},
                   [](OpBuilder &nested, Location loc, ValueRange in) {
                     return Value(
                         arith::MulFOp::create(nested, loc, in[0], in[1]));
                   });
  };
  if (!weight.second.value)
    return scaled(name, weight.first, transposedResult);
  std::string inner = weight.prefix + "y";
  x = {round(inner, scaled(inner, weight.first, false)), false};
  return scaled(name, weight.second, transposedResult);
}

Value FunctionBuilder::widenStored(const Twine &name, Value stored) {
  auto type = cast<RankedTensorType>(stored.getType());
  Value out = empty(type.getShape(), storage);
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(2));
  return linalg::GenericOp::create(
             builder, named(name), TypeRange{out.getType()}, stored, out, maps,
             SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel),
             [&](OpBuilder &nested, Location loc, ValueRange in) {
               Value wide =
                   isa<IntegerType>(type.getElementType())
                       ? Value(arith::SIToFPOp::create(nested, loc, storage,
                                                       in[0]))
                       : arith::ExtFOp::create(nested, loc, storage, in[0]);
               linalg::YieldOp::create(nested, loc, wide);
             })
      .getResult(0);
}

/// lhs * rhs; d0, d1, d2 are the rows, the columns and the contraction.
Value FunctionBuilder::multiply(const Twine &name, Activation lhs,
                                Activation rhs) {
  return accumulate(name, lhs.value, rhs.value, lhs.rows(), rhs.columns(),
                    {lhs.transposed ? map(2, 0) : map(0, 2),
                     rhs.transposed ? map(1, 2) : map(2, 1), map(0, 1)});
}

/// (lhs * rhs)^T = rhs^T * lhs^T, which needs no transposed result map.
Value FunctionBuilder::multiplyTransposed(const Twine &name, Activation lhs,
                                          Value rhs) {
  return accumulate(
      name, rhs, lhs.value, Activation{rhs}.columns(), lhs.rows(),
      {map(2, 0), lhs.transposed ? map(2, 1) : map(1, 2), map(0, 1)});
}

Value FunctionBuilder::accumulate(const Twine &name, Value a, Value b,
                                  int64_t rows, int64_t columns,
                                  ArrayRef<AffineMap> maps) {
  Value sums = fill(0, {rows, columns});
  SmallVector<NamedAttribute> attributes;
  if (maps != ArrayRef<AffineMap>(linalg::MatmulOp::getDefaultIndexingMaps(
                  builder.getContext())))
    attributes.push_back(builder.getNamedAttr(
        "indexing_maps", builder.getAffineMapArrayAttr(maps)));
  return linalg::MatmulOp::create(builder, named(name), ValueRange{a, b},
                                  ValueRange{sums}, attributes)
      .getResult(0);
}

Value FunctionBuilder::multiplyBatch(const Twine &name, Value a, Value b,
                                     bool transposed) {
  auto aType = cast<RankedTensorType>(a.getType());
  auto bType = cast<RankedTensorType>(b.getType());
  Value sums = fill(0, {aType.getDimSize(0), aType.getDimSize(1),
                        bType.getDimSize(transposed ? 1 : 2)});
  SmallVector<NamedAttribute> attributes;
  if (transposed) {
    auto maps =
        linalg::BatchMatmulOp::getDefaultIndexingMaps(builder.getContext());
    maps[1] = AffineMap::getMultiDimMapWithTargets(4, {0, 2, 3},
                                                   builder.getContext());
    attributes.push_back(builder.getNamedAttr(
        "indexing_maps", builder.getAffineMapArrayAttr(maps)));
  }
  return linalg::BatchMatmulOp::create(builder, named(name), ValueRange{a, b},
                                       ValueRange{sums}, attributes)
      .getResult(0);
}

Value FunctionBuilder::constant(const Twine &name, double value) {
  return arith::ConstantOp::create(builder, named(name),
                                   builder.getF32FloatAttr(value));
}

Value FunctionBuilder::empty(ArrayRef<int64_t> shape, Type element) {
  return tensor::EmptyOp::create(builder, named("empty"), shape, element);
}

Value FunctionBuilder::fill(double value, ArrayRef<int64_t> shape) {
  Value element = constant(value == 0 ? "zero" : "initial", value);
  return linalg::FillOp::create(builder, named("fill"), element,
                                empty(shape, builder.getF32Type()))
      .getResult(0);
}

Value FunctionBuilder::round(const Twine &name, Value wide) {
  if (storage.isF32())
    return wide;
  return mapElements(
      name, {wide},
      [](OpBuilder &, Location, ValueRange elements) { return elements[0]; });
}

Value FunctionBuilder::multiplyGated(const Twine &name, Value gate, Value up) {
  Value one = constant("one", 1);
  return mapElements(
      name, {gate, up}, [&](OpBuilder &nested, Location loc, ValueRange in) {
        Value minus = arith::NegFOp::create(nested, loc, in[0]);
        Value power = math::ExpOp::create(nested, loc, minus);
        Value divisor = arith::AddFOp::create(nested, loc, power, one);
        Value silu = arith::DivFOp::create(nested, loc, in[0], divisor);
        return Value(arith::MulFOp::create(nested, loc, silu, in[1]));
      });
}

Value FunctionBuilder::mapElements(const Twine &name,
                                   ArrayRef<Operand> operands,
                                   BodyBuilder build) {
  return mapTo(storage, name, operands, build);
}

Value FunctionBuilder::mapWide(const Twine &name, ArrayRef<Operand> operands,
                               BodyBuilder build) {
  return mapTo(builder.getF32Type(), name, operands, build);
}

static Value convert(OpBuilder &builder, Location loc, Value element,
                     Type type) {
  if (element.getType() == type)
    return element;
  if (type.isF32())
    return arith::ExtFOp::create(builder, loc, type, element);
  return arith::TruncFOp::create(builder, loc, type, element);
}

static SmallVector<Value> widen(OpBuilder &builder, Location loc,
                                ValueRange elements) {
  return llvm::map_to_vector(elements, [&](Value element) {
    return convert(builder, loc, element, builder.getF32Type());
  });
}

Value FunctionBuilder::mapTo(Type element, const Twine &name,
                             ArrayRef<Operand> operands, BodyBuilder build) {
  auto type = cast<RankedTensorType>(operands.front().value.getType());
  unsigned rank = type.getRank();
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (const Operand &operand : operands) {
    values.push_back(operand.value);
    maps.push_back(AffineMap::getMultiDimMapWithTargets(rank, operand.dims,
                                                        builder.getContext()));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value out = empty(type.getShape(), element);
  return linalg::GenericOp::create(
             builder, named(name), TypeRange{out.getType()}, values,
             ValueRange{out}, maps, loops,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               ValueRange in = args.drop_back();
               // As PyTorch does: what is rounded is not widened for one step.
               bool narrow = llvm::all_of(
                   in.getTypes(), [&](Type type) { return type == element; });
               Value value = narrow
                                 ? build(nested, loc, in)
                                 : build(nested, loc, widen(nested, loc, in));
               linalg::YieldOp::create(nested, loc,
                                       convert(nested, loc, value, element));
             })
      .getResult(0);
}

Value FunctionBuilder::reduce(const Twine &name, Value operand, double initial,
                              BodyBuilder build) {
  auto type = cast<RankedTensorType>(operand.getType());
  unsigned rank = type.getRank();
  Value out = fill(initial, type.getShape().drop_back());
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps = {identity, identity.dropResult(rank - 1)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops.back() = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             builder, named(name), TypeRange{out.getType()},
             ValueRange{operand}, ValueRange{out}, maps, loops,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               linalg::YieldOp::create(
                   nested, loc, build(nested, loc, widen(nested, loc, args)));
             })
      .getResult(0);
}

void FunctionBuilder::endFunction(ValueRange results) {
  func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
  func.setFunctionType(builder.getFunctionType(
      builder.getBlock()->getArgumentTypes(), results.getTypes()));
  StringRef key = TrnDialect::ParamAttrHelper::getNameStr();
  for (auto [index, name] : parameters)
    func.setArgAttr(index, key, name);
  parameters.clear();
}

OwningOpRef<ModuleOp> FunctionBuilder::finish(ValueRange results) {
  endFunction(results);
  return std::move(module);
}
