//===- PrintElementwise.cpp - Instructions on elements as text ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrintInstructions.h"

#include "trn/Program/DmaWork.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

namespace {
class ElementwisePrinter : OpPrinter {
public:
  using OpPrinter::OpPrinter;

  LogicalResult printTensorCopy(TensorCopyOp copy);
  LogicalResult printActivation(ActivationOp activation);
  LogicalResult printTensorTensor(TensorTensorOp op);
  LogicalResult printTensorReduce(TensorReduceOp reduce);
  LogicalResult printReciprocal(ReciprocalOp reciprocal);

private:
  LogicalResult printQuotient(TensorTensorOp op);
};
} // namespace

LogicalResult ElementwisePrinter::printTensorCopy(TensorCopyOp copy) {
  FailureOr<std::string> dst = view(copy.getDst(), copy);
  FailureOr<std::string> src = view(copy.getSrc(), copy);
  if (failed(dst) || failed(src))
    return failure();
  printCall(*dst, elementType(copy.getDst()), "tensor_copy",
            {{"src", *src}, {"engine", nameOf(copy.getAssignedEngine())}},
            elementType(copy.getSrc()));
  return success();
}

LogicalResult ElementwisePrinter::printActivation(ActivationOp activation) {
  StringRef function =
      nki::nameOf(ValueKind::Activation,
                  stringifyEnum(activation.getFunction()), options.version);
  // nki_c13
  if (function.empty())
    return refuse("computes " + stringifyEnum(activation.getFunction()) +
                  ", which this version of NKI does not have; compute it by "
                  "other functions");
  FailureOr<std::string> dst = view(activation.getDst(), activation);
  FailureOr<std::string> src = view(activation.getSrc(), activation);
  if (failed(dst) || failed(src))
    return failure();
  Arguments arguments = {{"op", function.str()}, {"data", *src}};
  if (Value biases = activation.getBiases()) {
    FailureOr<std::string> column = matrixView(biases, activation);
    if (failed(column))
      return failure();
    arguments.push_back({"bias", *column});
  } else if (float bias = activation.getBias().convertToFloat(); bias != 0) {
    if (failed(checkFinite(bias)))
      return failure();
    arguments.push_back({"bias", toPythonNumber(bias)});
  }
  if (Value scales = activation.getScales()) {
    FailureOr<std::string> column = columnOfF32(scales, activation);
    if (failed(column))
      return failure();
    arguments.push_back({"scale", *column});
  } else if (float scale = activation.getScale().convertToFloat(); scale != 1) {
    if (failed(checkFinite(scale)))
      return failure();
    arguments.push_back({"scale", toPythonNumber(scale)});
  }
  if (!activation.getSums()) {
    printCall(*dst, elementType(activation.getDst()), "activation", arguments,
              elementType(activation.getSrc()));
    return success();
  }
  FailureOr<Sums> sums =
      prepareSums(activation.getSums(), activation.getAccumulate(), activation);
  if (failed(sums))
    return failure();
  ReduceFunction reduction = *activation.getReduceFunction();
  arguments.append({{"reduce_op", operatorOf(reduction)},
                    {"reduce_res", sums->result},
                    {"reduce_cmd", "nisa.reduce_cmd.reset_reduce"}});
  printCall(*dst, elementType(activation.getDst()), "activation", arguments,
            elementType(activation.getSrc()));
  foldSums(*sums, reduction);
  return success();
}

LogicalResult ElementwisePrinter::printTensorTensor(TensorTensorOp op) {
  if (op.getFunction() == BinaryFunction::Div)
    return printQuotient(op);
  FailureOr<std::string> dst = view(op.getDst(), op);
  FailureOr<std::string> lhs = view(op.getLhs(), op);
  FailureOr<std::string> rhs = view(op.getRhs(), op);
  if (failed(dst) || failed(lhs) || failed(rhs))
    return failure();
  Type wider = elementType(op.getLhs()).isF32() ? elementType(op.getLhs())
                                                : elementType(op.getRhs());
  printCall(*dst, elementType(op.getDst()), "tensor_tensor",
            {{"data1", *lhs},
             {"data2", *rhs},
             {"op", operatorOf(op.getFunction())},
             {"engine", nameOf(op.getAssignedEngine())}},
            wider);
  return success();
}

LogicalResult ElementwisePrinter::printReciprocal(ReciprocalOp reciprocal) {
  FailureOr<std::string> dst = view(reciprocal.getDst(), reciprocal);
  FailureOr<std::string> src = view(reciprocal.getSrc(), reciprocal);
  if (failed(dst) || failed(src))
    return failure();
  printCall(*dst, elementType(reciprocal.getDst()), "reciprocal",
            {{"data", *src}}, elementType(reciprocal.getSrc()));
  return success();
}

/// Up to a dimension, `dst` has the shape of `src`; those behind are reduced.
/// If all free ones are, they can be one if they lie so.
LogicalResult ElementwisePrinter::printTensorReduce(TensorReduceOp reduce) {
  ArrayRef<int64_t> from = reduce.getSrc().getType().getShape(),
                    to = reduce.getDst().getType().getShape();
  size_t kept = to.size();
  while (kept > 1 && to[kept - 1] == 1)
    --kept;
  bool keepsRank = to.size() == from.size();
  Access tile = kernel.access(reduce.getSrc(), reduce),
         result = kernel.access(reduce.getDst(), reduce);
  if (kept == 1) {
    mergeDims({&tile.dims}, /*onChip=*/true);
    if (tile.dims.size() < 2)
      tile.dims.push_back({1, 1});
    keepsRank = true;
    if (tile.dims.size() == 2)
      result.dims.resize(2);
  } else if (!keepsRank) {
    result.dims.resize(kept);
  }
  // nki_c5
  if (isBeta() && kept == 1 && tile.dims.size() != result.dims.size())
    return refuse("reduces free dimensions with gaps between them, but NKI is "
                  "given one; reduce tiles of two dimensions");
  FailureOr<std::string> dst = viewOf(result);
  FailureOr<std::string> src = viewOf(tile);
  if (failed(dst) || failed(src))
    return failure();
  SmallVector<int64_t, 4> axes;
  for (size_t axis = kept; axis < tile.dims.size(); ++axis)
    axes.push_back(axis);
  if (axes.empty()) {
    printCall(*dst, elementType(reduce.getDst()), "tensor_scalar",
              {{"data", *src},
               {"op0", operatorOf(BinaryFunction::Mul)},
               {"operand0", reduce.getNegated() ? "-1.0" : "1.0"}},
              elementType(reduce.getSrc()));
    return success();
  }
  printCall(*dst, elementType(reduce.getDst()), "tensor_reduce",
            {{"op", operatorOf(reduce.getFunction())},
             {"data", *src},
             {"axis",
              axes.size() == 1 ? std::to_string(axes.front()) : tupleOf(axes)},
             {"negate", reduce.getNegated() ? "True" : ""},
             {"keepdims", keepsRank ? "True" : ""}},
            elementType(reduce.getSrc()));
  return success();
}

/// No engine of NKI divides.
LogicalResult ElementwisePrinter::printQuotient(TensorTensorOp op) {
  FailureOr<std::string> dst = view(op.getDst(), op);
  FailureOr<std::string> lhs = view(op.getLhs(), op);
  if (failed(dst) || failed(lhs))
    return failure();
  FailureOr<std::string> inverse = printReciprocalOf(op.getRhs(), op);
  if (failed(inverse))
    return failure();
  printCall(*dst, elementType(op.getDst()), "tensor_tensor",
            {{"data1", *lhs},
             {"data2", *inverse},
             {"op", operatorOf(BinaryFunction::Mul)}},
            Float32Type::get(op.getContext()));
  return success();
}

LogicalResult nki::printElementwise(PrintedKernel &kernel, Operation *op) {
  ElementwisePrinter printer(kernel);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](TensorCopyOp op) { return printer.printTensorCopy(op); })
      .Case([&](ActivationOp op) { return printer.printActivation(op); })
      .Case([&](TensorTensorOp op) { return printer.printTensorTensor(op); })
      .Case([&](TensorReduceOp op) { return printer.printTensorReduce(op); })
      .Case([&](ReciprocalOp op) { return printer.printReciprocal(op); });
}
