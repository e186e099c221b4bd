//===- Reference.cpp - The right values of a module -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/Reference.h"

#include "ReferenceValue.h"
#include "trn/Analysis/CalledFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::trn;

namespace {

// A chain of calls deeper than this recurses without end.
constexpr unsigned maxCallDepth = 64;

/// Evaluates one function body.
class Evaluator {
public:
  /// Without `computes`, values have only shapes; scalars are known.
  Evaluator(unsigned depth, bool computes) : depth(depth), computes(computes) {}

  FailureOr<SmallVector<ReferenceValue>> run(func::FuncOp function,
                                             ArrayRef<ReferenceValue> inputs);

private:
  LogicalResult evaluate(Operation *op);
  LogicalResult evaluateConstant(arith::ConstantOp op);
  LogicalResult evaluateLinalg(linalg::LinalgOp op);
  LogicalResult evaluateCall(func::CallOp op);
  void releaseOperands(Operation *op);

  LogicalResult setSplat(Value value, float splat);
  LogicalResult setReshaped(Value value, Value source);
  SmallVector<ReferenceValue> lookup(ValueRange range) {
    return llvm::map_to_vector(range,
                               [&](Value value) { return values.at(value); });
  }

  unsigned depth;
  bool computes;
  DenseMap<Value, ReferenceValue> values;
};

} // namespace

static InFlightDiagnostic refuse(Operation *op) {
  return op->emitError("cannot compute reference values: ");
}

static bool isStaticFloat(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return isEvaluated(type) &&
         (!shaped || (isa<RankedTensorType>(type) && shaped.hasStaticShape()));
}

LogicalResult Evaluator::setSplat(Value value, float splat) {
  ReferenceValue result;
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    result.shape.assign(type.getShape().begin(), type.getShape().end());
  if (std::optional<ElementType> narrow = getNarrowType(value.getType()))
    roundTo(*narrow, &splat, 1);
  result.splat = splat;
  values[value] = std::move(result);
  return success();
}

LogicalResult Evaluator::setReshaped(Value value, Value source) {
  ReferenceValue result = values.at(source);
  auto type = cast<RankedTensorType>(value.getType());
  result.shape.assign(type.getShape().begin(), type.getShape().end());
  values[value] = std::move(result);
  return success();
}

static float toFloat(const APFloat &value) {
  APFloat single = value;
  bool losesInfo;
  single.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return single.convertToFloat();
}

LogicalResult Evaluator::evaluateConstant(arith::ConstantOp op) {
  if (auto scalar = dyn_cast<FloatAttr>(op.getValue()))
    return setSplat(op, toFloat(scalar.getValue()));
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense)
    return refuse(op) << "the constant is not dense";
  if (dense.isSplat())
    return setSplat(op, toFloat(dense.getSplatValue<APFloat>()));
  if (!computes)
    return setSplat(op, 0);
  auto tensor = HostTensor::create(ElementType::F32,
                                   cast<ShapedType>(op.getType()).getShape());
  if (!tensor)
    return refuse(op) << llvm::toString(tensor.takeError());
  auto *to = static_cast<float *>(tensor->data());
  for (const APFloat &value : dense.getValues<APFloat>())
    *to++ = toFloat(value);
  (void)setSplat(op, 0);
  values[op].data = std::make_shared<const HostTensor>(std::move(*tensor));
  return success();
}

LogicalResult Evaluator::evaluateLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return refuse(op) << "the op works on buffers";
  SmallVector<ReferenceValue> operands = lookup(op->getOperands());
  if (isa<linalg::FillOp>(op.getOperation()))
    return setSplat(op->getResult(0), operands[0].splat);
  // As the compiler takes it, too.
  if (linalg::isaContractionOpInterface(op) && operands.back().isUndefined)
    operands.back().splat = 0;
  auto captured = [&](Value value) {
    auto it = values.find(value);
    return it != values.end() && it->second.shape.empty()
               ? std::optional<float>(it->second.splat)
               : std::nullopt;
  };
  if (!computes) {
    if (!isProduct(op) && failed(checkLoops(op, operands, captured)))
      return failure();
    for (OpResult result : op->getResults())
      (void)setSplat(result, 0);
    return success();
  }
  FailureOr<std::optional<ReferenceValue>> product =
      evaluateProduct(op, operands);
  if (failed(product))
    return failure();
  if (*product) {
    values[op->getResult(0)] = std::move(**product);
    return success();
  }
  auto results = evaluateLoops(op, operands, captured);
  if (failed(results))
    return failure();
  for (auto [value, result] : llvm::zip(op->getResults(), *results))
    values[value] = std::move(result);
  return success();
}

LogicalResult Evaluator::evaluateCall(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee || callee.isExternal())
    return refuse(op) << "the callee has no body";
  if (depth == maxCallDepth)
    return refuse(op) << "calls are nested more than " << maxCallDepth
                      << " deep";
  auto results =
      Evaluator(depth + 1, computes).run(callee, lookup(op.getOperands()));
  if (failed(results))
    return failure();
  for (auto [value, result] : llvm::zip(op.getResults(), *results))
    values[value] = std::move(result);
  return success();
}

LogicalResult Evaluator::evaluate(Operation *op) {
  for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
    if (!isStaticFloat(value.getType()))
      return refuse(op) << "type " << value.getType()
                        << " is not a float or a static tensor of floats";
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::ConstantOp constant) {
        return evaluateConstant(constant);
      })
      .Case([&](tensor::EmptyOp empty) {
        (void)setSplat(empty, std::numeric_limits<float>::quiet_NaN());
        values[empty].isUndefined = true;
        return success();
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
          [&](auto reshape) {
            return setReshaped(reshape, reshape->getOperand(0));
          })
      .Case([&](func::CallOp call) { return evaluateCall(call); })
      .Case([&](linalg::LinalgOp linalg) { return evaluateLinalg(linalg); })
      .Default([&](Operation *) {
        return refuse(op) << "'" << op->getName() << "' is not evaluated";
      });
}

/// Large models do not fit in memory twice: values go with their last use.
void Evaluator::releaseOperands(Operation *op) {
  for (Value operand : op->getOperands()) {
    bool needed = llvm::any_of(operand.getUsers(), [&](Operation *user) {
      Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
      return !ancestor || op->isBeforeInBlock(ancestor);
    });
    if (!needed)
      values[operand].data.reset();
  }
}

FailureOr<SmallVector<ReferenceValue>>
Evaluator::run(func::FuncOp function, ArrayRef<ReferenceValue> inputs) {
  if (!function.getBody().hasOneBlock())
    return refuse(function) << "the function has more than one block";
  Block &body = function.getBody().front();
  for (auto [argument, input] : llvm::zip(body.getArguments(), inputs))
    values[argument] = input;
  for (Operation &op : body.without_terminator()) {
    if (failed(evaluate(&op)))
      return failure();
    releaseOperands(&op);
  }
  return lookup(body.getTerminator()->getOperands());
}

/// `tensor`, or a copy where it has another shape: values that are reshaped
/// share those of their source.
static llvm::Expected<std::shared_ptr<const HostTensor>>
withShape(std::shared_ptr<const HostTensor> tensor, ArrayRef<int64_t> shape) {
  if (tensor->getShape() == shape)
    return tensor;
  auto reshaped = HostTensor::create(tensor->getType(), shape);
  if (!reshaped)
    return reshaped.takeError();
  cantFail(reshaped->assign({tensor->getType(), SmallVector<int64_t, 4>(shape),
                             static_cast<const char *>(tensor->data())}));
  return std::make_shared<const HostTensor>(std::move(*reshaped));
}

FailureOr<SmallVector<std::shared_ptr<const HostTensor>>>
mlir::trn::computeReference(func::FuncOp function,
                            ArrayRef<HostTensor> inputs) {
  SmallVector<ReferenceValue> values;
  for (auto [type, input] :
       llvm::zip_equal(function.getArgumentTypes(), inputs)) {
    ReferenceValue value;
    if (!isa<ShapedType>(type)) {
      input.loadF32(0, 1, &value.splat);
      values.push_back(std::move(value));
      continue;
    }
    value.shape.assign(input.getShape().begin(), input.getShape().end());
    // The caller keeps the inputs alive.
    value.data =
        std::shared_ptr<const HostTensor>(std::shared_ptr<void>(), &input);
    values.push_back(std::move(value));
  }
  auto results = Evaluator(0, /*computes=*/true).run(function, values);
  if (failed(results))
    return failure();
  SmallVector<std::shared_ptr<const HostTensor>> wide;
  for (const ReferenceValue &result : *results) {
    auto tensor = widen(result);
    if (tensor)
      tensor = withShape(std::move(*tensor), result.shape);
    if (!tensor)
      return refuse(function) << llvm::toString(tensor.takeError());
    wide.push_back(std::move(*tensor));
  }
  return wide;
}

LogicalResult mlir::trn::checkReference(func::FuncOp function) {
  SmallVector<ReferenceValue> inputs;
  for (BlockArgument argument : function.getArguments()) {
    if (!isStaticFloat(argument.getType()))
      return refuse(function) << "argument " << argument.getArgNumber()
                              << " has type " << argument.getType();
    ReferenceValue input;
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      input.shape.assign(type.getShape().begin(), type.getShape().end());
    inputs.push_back(std::move(input));
  }
  return Evaluator(0, /*computes=*/false).run(function, inputs);
}

double mlir::trn::relativeError(const HostTensor &actual,
                                const HostTensor &expected) {
  constexpr int64_t chunk = 4096;
  float a[chunk], e[chunk];
  double difference = 0, norm = 0;
  for (int64_t i = 0; i < expected.numElements(); i += chunk) {
    int64_t size = std::min(chunk, expected.numElements() - i);
    actual.loadF32(i, size, a);
    expected.loadF32(i, size, e);
    for (int64_t j = 0; j < size; ++j) {
      if ((std::isinf(e[j]) && a[j] == e[j]) ||
          (std::isnan(e[j]) && std::isnan(a[j])))
        continue;
      double d = double(a[j]) - e[j];
      difference += d * d;
      norm += double(e[j]) * e[j];
    }
  }
  return difference == 0 ? 0 : std::sqrt(difference / norm);
}

double mlir::trn::getTolerance(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return 1e-2;
  case ElementType::F16:
    return 2e-3;
  case ElementType::F32:
  case ElementType::I32: // exact
  case ElementType::UI32:
  case ElementType::I8:
    return 1e-5;
  case ElementType::F8E4M3:
  case ElementType::F8E4M3FN:
    return 1e-1;
  }
  llvm_unreachable("all types are handled");
}

ElementType mlir::trn::getCoarsest(func::FuncOp function) {
  ElementType coarsest = ElementType::F32;
  auto visit = [&](Value value) {
    Type type = getElementTypeOrSelf(value.getType());
    if (type.isBF16())
      coarsest = ElementType::BF16;
    else if (type.isF16() && coarsest == ElementType::F32)
      coarsest = ElementType::F16;
  };
  for (func::FuncOp called : findCalledFunctions(function)) {
    llvm::for_each(called.getArguments(), visit);
    called.walk(
        [&](Operation *op) { llvm::for_each(op->getResults(), visit); });
  }
  return coarsest;
}
