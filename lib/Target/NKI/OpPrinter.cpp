//===- OpPrinter.cpp - What printers of instructions share ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpPrinter.h"

#include "trn/Program/DmaWork.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string OpPrinter::typeName(Type type) const {
  return nki::nameOf(ValueKind::Dtype, debugString(type), options.version)
      .str();
}

Type OpPrinter::typeOf(const Tensor &tensor) const {
  return isBeta() ? tensor.type.getElementType()
                  : printed.transposes.typeOf(tensor);
}

std::string OpPrinter::operatorOf(BinaryFunction function) const {
  return nki::nameOf(ValueKind::Binary, stringifyEnum(function),
                     options.version)
      .str();
}

std::string OpPrinter::operatorOf(ReduceFunction function) const {
  return operatorOf(*symbolizeBinaryFunction(stringifyEnum(function)));
}

std::string OpPrinter::nameOf(std::optional<ComputeEngine> engine) const {
  if (!engine)
    return "";
  return nki::nameOf(ValueKind::Engine, stringifyEnum(*engine), options.version)
      .str();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

LogicalResult OpPrinter::checkFinite(float constant) {
  // nki_c9
  if (!std::isfinite(constant))
    return refuse("has the constant " + Twine(std::to_string(constant)) +
                  ", but constants of NKI are finite");
  return success();
}

FailureOr<std::string> OpPrinter::viewOf(const Access &access) {
  // nki_c4
  std::optional<std::string> view = accesses.view(access);
  if (!view)
    return refuse("accesses " + nameOf(kernel.tensorOf(access)) +
                  " in an order that no indices of its dimensions have, as all "
                  "accesses of this version are written");
  return *view;
}

FailureOr<std::string> OpPrinter::matrixView(Value memref, Operation *op) {
  Access access = kernel.access(memref, op);
  if (access.dims.size() > 2) {
    mergeDims({&access.dims}, /*onChip=*/true);
    if (access.dims.size() < 2)
      access.dims.push_back({1, 1});
  }
  return viewOf(access);
}

FailureOr<std::string> OpPrinter::declareTemporary(ArrayRef<int64_t> shape) {
  // nki_c8
  if (options.addresses)
    return refuse("needs a tile for an intermediate value, which has no "
                  "address; leave --addresses out");
  std::string name = names.take("temporary");
  printed.temporaries.push_back(name);
  text.line(name + " = nl.ndarray(" + tupleOf(shape) +
            ", dtype=nl.float32, buffer=nl.sbuf)");
  return name;
}

FailureOr<std::string> OpPrinter::declareColumn(Value like) {
  return declareTemporary(
      {cast<MemRefType>(like.getType()).getShape().front(), 1});
}

FailureOr<std::string> OpPrinter::columnOfF32(Value column, Operation *op) {
  FailureOr<std::string> source = matrixView(column, op);
  if (failed(source) || elementType(column).isF32())
    return source;
  FailureOr<std::string> wide = declareColumn(column);
  if (succeeded(wide))
    printCall(*wide, Float32Type::get(op->getContext()), "tensor_copy",
              {{"src", *source}}, elementType(column));
  return wide;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

std::string nki::targetOf(StringRef dst) {
  return (dst.ends_with("]") ? dst : dst.str() + "[...]").str();
}

void OpPrinter::printCall(StringRef dst, Type dstType, StringRef function,
                          Arguments arguments, Type resultType,
                          StringRef assignment) {
  auto has = [&](StringRef argument) {
    return hasArgument("isa", function, argument, options.version);
  };
  if (dstType != resultType)
    arguments.push_back({"dtype", typeName(dstType)});
  SmallVector<std::string, 8> texts;
  if (has("dst"))
    texts.push_back("dst=" + dst.str());
  for (const auto &[name, value] : arguments)
    if (!value.empty() && has(name))
      texts.push_back(name.str() + "=" + value);
  text.line((has("dst") ? "" : targetOf(dst) + assignment) + "nisa." +
            function + "(" + llvm::join(texts, ", ") + ")");
}

//===----------------------------------------------------------------------===//
// Reciprocals and sums
//===----------------------------------------------------------------------===//

/// No engine of NKI divides: a reciprocal in f32 goes before a product.
FailureOr<std::string> OpPrinter::printReciprocalOf(Value tile, Operation *op,
                                                    bool isColumn) {
  FailureOr<std::string> src = isColumn ? matrixView(tile, op) : view(tile, op);
  if (failed(src))
    return failure();
  FailureOr<std::string> inverse =
      isColumn ? declareColumn(tile)
               : declareTemporary(cast<MemRefType>(tile.getType()).getShape());
  if (succeeded(inverse))
    printCall(*inverse, Float32Type::get(op->getContext()), "reciprocal",
              {{"data", *src}}, elementType(tile));
  return inverse;
}

/// Registers of the engine hold what the instruction before left there. What is
/// added to memory goes through a tile.
FailureOr<OpPrinter::Sums> OpPrinter::prepareSums(Value memref, bool accumulate,
                                                  Operation *op) {
  FailureOr<std::string> view = matrixView(memref, op);
  if (failed(view))
    return failure();
  Sums sums = {*view, *view, elementType(memref)};
  if (!accumulate)
    return sums;
  FailureOr<std::string> result = declareColumn(memref);
  if (failed(result))
    return failure();
  sums.result = *result;
  return sums;
}

void OpPrinter::foldSums(const Sums &sums, ReduceFunction function) {
  if (sums.result != sums.view)
    printCall(sums.view, sums.type, "tensor_tensor",
              {{"data1", sums.view},
               {"data2", sums.result},
               {"op", operatorOf(function)}},
              Float32Type::get(sums.type.getContext()));
}
