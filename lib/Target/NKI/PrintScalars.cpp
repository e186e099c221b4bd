//===- PrintScalars.cpp - Instructions with scalars as text ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrintInstructions.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

namespace {
class ScalarPrinter : OpPrinter {
public:
  using OpPrinter::OpPrinter;

  LogicalResult printTensorScalar(TensorScalarOp op);
  LogicalResult printScalarTensorTensor(ScalarTensorTensorOp op);
  LogicalResult printScan(TensorTensorScanOp op);

private:
  /// An operation with a scalar, as an argument of NKI.
  struct ScalarStep {
    std::string op, operand;
    bool isReversed = false;
  };
  FailureOr<ScalarStep> scalarStep(Operation *op, BinaryFunction function,
                                   Value scalars,
                                   std::optional<APFloat> constant,
                                   bool reversed);
  LogicalResult printReducing(TensorScalarOp op, StringRef dst, StringRef data,
                              const ScalarStep &step, Type type);
};
} // namespace

static std::string flag(bool value) { return value ? "True" : ""; }

static bool isDivision(std::optional<BinaryFunction> function) {
  return function == BinaryFunction::Div;
}

/// Whether the order of its arguments does not matter.
static bool isCommutative(BinaryFunction function) {
  switch (function) {
  case BinaryFunction::Add:
  case BinaryFunction::Mul:
  case BinaryFunction::Max:
  case BinaryFunction::Min:
  case BinaryFunction::Eq:
  case BinaryFunction::Ne:
  case BinaryFunction::And:
  case BinaryFunction::Or:
  case BinaryFunction::Xor:
    return true;
  default:
    return false;
  }
}

/// No engine of NKI divides: what is divided is multiplied by a reciprocal, and
/// what divides, before it is an operand, becomes one.
FailureOr<ScalarPrinter::ScalarStep>
ScalarPrinter::scalarStep(Operation *op, BinaryFunction function, Value scalars,
                          std::optional<APFloat> constant, bool reversed) {
  bool divides = isDivision(function);
  ScalarStep step = {operatorOf(divides ? BinaryFunction::Mul : function), "",
                     reversed && !divides};
  if (constant) {
    float value = constant->convertToFloat();
    if (failed(checkFinite(value)))
      return failure();
    float factor = divides && !reversed ? 1 / value : value;
    // nki_c9
    if (!std::isfinite(factor))
      return refuse("divides by " + toPythonNumber(value) +
                    ", whose reciprocal is not finite");
    step.operand = toPythonNumber(factor);
    return step;
  }
  FailureOr<std::string> column =
      divides && !reversed ? printReciprocalOf(scalars, op, /*isColumn=*/true)
                           : columnOfF32(scalars, op);
  if (failed(column))
    return failure();
  step.operand = *column;
  return step;
}

LogicalResult ScalarPrinter::printTensorScalar(TensorScalarOp op) {
  FailureOr<std::string> dst = view(op.getDst(), op);
  FailureOr<std::string> data = view(op.getSrc(), op);
  if (failed(dst) || failed(data))
    return failure();
  Type f32 = Float32Type::get(op.getContext()), type = elementType(op.getSrc());
  BinaryFunction function = op.getFunction();
  std::optional<BinaryFunction> then = op.getThenFunction();
  FailureOr<ScalarStep> first = scalarStep(op, function, op.getScalars(),
                                           op.getConstant(), op.getReversed());
  FailureOr<ScalarStep> second = ScalarStep();
  if (succeeded(first) && then)
    second = scalarStep(op, *then, op.getThenScalars(), op.getThenConstant(),
                        op.getThenReversed());
  if (failed(first) || failed(second))
    return failure();
  if (isDivision(function) && op.getReversed()) {
    data = printReciprocalOf(op.getSrc(), op);
    type = f32;
  }
  if (isDivision(then) && op.getThenReversed()) {
    FailureOr<std::string> divisor =
        declareTemporary(op.getSrc().getType().getShape());
    if (failed(data) || failed(divisor))
      return failure();
    printCall(*divisor, f32, "tensor_scalar",
              {{"data", *data},
               {"op0", first->op},
               {"operand0", first->operand},
               {"reverse0", flag(first->isReversed)}},
              type);
    printCall(*divisor, f32, "reciprocal", {{"data", *divisor}}, f32);
    data = divisor;
    type = f32;
    first = std::exchange(second, ScalarStep());
  }
  if (failed(data))
    return failure();
  if (op.getSums())
    return printReducing(op, *dst, *data, *first, type);
  // GpSimd takes none of these functions there, by the words of one paragraph.
  std::optional<ComputeEngine> engine = op.getAssignedEngine();
  if (engine == ComputeEngine::GpSimd || isDivision(function) ||
      isDivision(then))
    engine.reset();
  printCall(*dst, elementType(op.getDst()), "tensor_scalar",
            {{"data", *data},
             {"op0", first->op},
             {"operand0", first->operand},
             {"reverse0", flag(first->isReversed)},
             {"op1", second->op},
             {"operand1", second->operand},
             {"reverse1", flag(second->isReversed)},
             {"engine", nameOf(engine)}},
            type);
  return success();
}

/// It takes the words of reductions for maxima and minima.
static StringRef reducerOf(ReduceFunction function, NKIVersion version) {
  bool isExtreme =
      function == ReduceFunction::Max || function == ReduceFunction::Min;
  return nki::nameOf(isExtreme ? ValueKind::Reduce : ValueKind::Binary,
                     stringifyEnum(function), version);
}

LogicalResult ScalarPrinter::printReducing(TensorScalarOp op, StringRef dst,
                                           StringRef data,
                                           const ScalarStep &step, Type type) {
  // nki_c12
  if (step.isReversed && !isCommutative(op.getFunction()))
    return refuse("reduces what it computes with a scalar on the left, but "
                  "tensor_scalar_reduce has scalars on the right alone; reduce "
                  "by another instruction");
  FailureOr<Sums> sums = prepareSums(op.getSums(), op.getAccumulate(), op);
  if (failed(sums))
    return failure();
  ReduceFunction function = *op.getReduceFunction();
  printCall(dst, elementType(op.getDst()), "tensor_scalar_reduce",
            {{"data", data.str()},
             {"op0", step.op},
             {"operand0", step.operand},
             {"reduce_op", reducerOf(function, options.version).str()},
             {"reduce_res", sums->result}},
            type);
  foldSums(*sums, function);
  return success();
}

LogicalResult ScalarPrinter::printScalarTensorTensor(ScalarTensorTensorOp op) {
  FailureOr<std::string> dst = view(op.getDst(), op);
  FailureOr<std::string> data = view(op.getSrc(), op);
  FailureOr<std::string> rhs = view(op.getRhs(), op);
  if (failed(dst) || failed(data) || failed(rhs))
    return failure();
  Type f32 = Float32Type::get(op.getContext()), type = elementType(op.getSrc()),
       rhsType = elementType(op.getRhs());
  FailureOr<ScalarStep> step = scalarStep(op, op.getFunction(), op.getScalars(),
                                          op.getConstant(), op.getReversed());
  if (failed(step))
    return failure();
  if (isDivision(op.getFunction()) && op.getReversed()) {
    data = printReciprocalOf(op.getSrc(), op);
    type = f32;
  }
  BinaryFunction then = op.getThenFunction();
  bool reversed = op.getThenReversed();
  if (isDivision(then)) {
    // x / y is x * (1 / y), and y / x needs another instruction.
    FailureOr<std::string> divisor =
        reversed ? declareTemporary(op.getSrc().getType().getShape())
                 : printReciprocalOf(op.getRhs(), op);
    if (failed(data) || failed(divisor))
      return failure();
    if (reversed) {
      printCall(*divisor, f32, "tensor_scalar",
                {{"data", *data},
                 {"op0", step->op},
                 {"operand0", step->operand},
                 {"reverse0", flag(step->isReversed)}},
                type);
      printCall(*divisor, f32, "reciprocal", {{"data", *divisor}}, f32);
      printCall(*dst, elementType(op.getDst()), "tensor_tensor",
                {{"data1", *rhs},
                 {"data2", *divisor},
                 {"op", operatorOf(BinaryFunction::Mul)}},
                f32);
      return success();
    }
    rhs = divisor;
    rhsType = f32;
    then = BinaryFunction::Mul;
  }
  if (failed(data))
    return failure();
  printCall(*dst, elementType(op.getDst()), "scalar_tensor_tensor",
            {{"data", *data},
             {"op0", step->op},
             {"operand0", step->operand},
             {"op1", operatorOf(then)},
             {"operand1", *rhs},
             {"reverse0", flag(step->isReversed)},
             {"reverse1", flag(reversed)}},
            type.isF32() ? type : rhsType);
  return success();
}

LogicalResult ScalarPrinter::printScan(TensorTensorScanOp op) {
  // nki_c12
  if (isDivision(op.getFunction0()) || isDivision(op.getFunction1()))
    return refuse(
        "divides in a scan, but no engine of NKI divides; multiply by "
        "reciprocals");
  FailureOr<std::string> dst = view(op.getDst(), op);
  FailureOr<std::string> data0 = view(op.getData0(), op);
  FailureOr<std::string> data1 = view(op.getData1(), op);
  if (failed(dst) || failed(data0) || failed(data1))
    return failure();
  FailureOr<std::string> initial = std::string();
  if (std::optional<APFloat> constant = op.getInitial()) {
    if (failed(checkFinite(constant->convertToFloat())))
      return failure();
    initial = toPythonNumber(constant->convertToFloat());
  } else {
    initial = columnOfF32(op.getInitials(), op);
    if (failed(initial))
      return failure();
  }
  Type type = elementType(op.getData0());
  printCall(*dst, elementType(op.getDst()), "tensor_tensor_scan",
            {{"data0", *data0},
             {"data1", *data1},
             {"initial", *initial},
             {"op0", operatorOf(op.getFunction0())},
             {"op1", operatorOf(op.getFunction1())},
             {"reverse0", flag(op.getReversed0())},
             {"reverse1", flag(op.getReversed1())}},
            type.isF32() ? type : elementType(op.getData1()));
  return success();
}

LogicalResult nki::printScalars(PrintedKernel &kernel, Operation *op) {
  ScalarPrinter printer(kernel);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](TensorScalarOp op) { return printer.printTensorScalar(op); })
      .Case([&](ScalarTensorTensorOp op) {
        return printer.printScalarTensorTensor(op);
      })
      .Case([&](TensorTensorScanOp op) { return printer.printScan(op); });
}
