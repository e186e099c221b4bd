//===- VerifyTiles.cpp - Rules that families of ops share -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTiles.h"

#include "Limits.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::trn;

InFlightDiagnostic &trn::noteOperand(InFlightDiagnostic &diagnostic,
                                     StringRef name, Value value) {
  diagnostic.attachNote(value.getLoc())
      << name << " is defined here as " << value.getType();
  return diagnostic;
}

static std::string shapeText(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(cast<ShapedType>(value.getType()).getShape(), os, "x");
  return text;
}

LogicalResult trn::verifySameShape(Operation *op, StringRef aName, Value a,
                                   StringRef bName, Value b) {
  if (cast<ShapedType>(a.getType()).getShape() ==
      cast<ShapedType>(b.getType()).getShape())
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError()
                                  << aName << " and " << bName
                                  << " must have the same shape, but are "
                                  << shapeText(a) << " and " << shapeText(b);
  return noteOperand(diagnostic, bName, b);
}

LogicalResult trn::verifyPartitions(Operation *op, StringRef name, Value tile) {
  int64_t partitions = cast<ShapedType>(tile.getType()).getDimSize(0);
  int64_t limit = sharedLimits().partitions;
  if (partitions <= limit)
    return success();
  return op->emitOpError() << name << " has " << partitions
                           << " partitions, but at most " << limit
                           << " are allowed; split it into tiles";
}

LogicalResult trn::verifyColumn(Operation *op, StringRef name, Value column,
                                StringRef tileName, Value tile, int64_t count) {
  int64_t partitions = cast<ShapedType>(tile.getType()).getDimSize(0);
  auto shape = cast<ShapedType>(column.getType());
  if (shape.getDimSize(0) == partitions &&
      shape.getNumElements() / partitions == count)
    return success();
  std::string values =
      count == 1 ? "one value" : std::to_string(count) + " values";
  InFlightDiagnostic diagnostic =
      op->emitOpError() << name << " must hold " << values
                        << " for each of the " << partitions
                        << " partitions of " << tileName << " (" << partitions
                        << "x" << count << "), but is " << shapeText(column);
  return noteOperand(diagnostic, name, column);
}

LogicalResult trn::verifyFreeSize(Operation *op, StringRef name, Value tile,
                                  int64_t least, int64_t most) {
  auto type = cast<ShapedType>(tile.getType());
  int64_t size = type.getNumElements() / type.getDimSize(0);
  if (size >= least && size <= most)
    return success();
  return op->emitOpError() << name << " has a free size of " << size
                           << ", but from " << least << " to " << most
                           << " is allowed";
}

LogicalResult trn::verifyScalar(Operation *op, StringRef behind,
                                bool hasConstant, Value scalars) {
  if (hasConstant != static_cast<bool>(scalars))
    return success();
  return op->emitOpError() << behind
                           << "needs either a constant or scalars, but has "
                           << (scalars ? "both" : "neither");
}

LogicalResult trn::verifyFold(Operation *op, bool hasFunction, Value sums,
                              bool accumulates) {
  if (hasFunction != static_cast<bool>(sums))
    return op->emitOpError("reduces with a function into sums, but has only ")
           << (sums ? "sums" : "a function");
  if (accumulates && !sums)
    return op->emitOpError("accumulates, but reduces nothing");
  return success();
}

LogicalResult trn::verifyOneInPsum(Operation *op, Value a, Value b) {
  if (getMemorySpace(a.getType()) != MemorySpace::Psum ||
      getMemorySpace(b.getType()) != MemorySpace::Psum)
    return success();
  return op->emitOpError("at most one input may be in psum, but both are; copy "
                         "one of them to sbuf first");
}

LogicalResult trn::verifyEngine(Operation *op) {
  auto instruction = cast<InstructionOpInterface>(op);
  std::optional<ComputeEngine> engine = instruction.getChosenEngine();
  SmallVector<ComputeEngine> possible = instruction.getPossibleEngines();
  if (!engine || llvm::is_contained(possible, *engine))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError()
                                  << "cannot run on the "
                                  << stringifyComputeEngine(*engine)
                                  << " engine with these operands, but on ";
  llvm::interleave(
      possible, diagnostic,
      [&](ComputeEngine e) { diagnostic << stringifyComputeEngine(e); },
      " or ");
  return diagnostic;
}

LogicalResult trn::verifyStorage(Operation *op) {
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (!destination)
    return success();
  for (Value init : destination.getDpsInits()) {
    Type type = getElementTypeOrSelf(init.getType());
    if (!type.isInteger(8) || isa<MemsetOp>(op))
      continue;
    // storage_c1
    bool isMove =
        isa<DmaCopyOp, DmaGatherOp, DmaScatterOp, TensorCopyOp, StreamShuffleOp,
            AllGatherOp, AllToAllOp, CollectivePermuteOp>(op) &&
        getElementTypeOrSelf(op->getOperand(0).getType()) == type;
    if (!isMove)
      return op->emitOpError("writes i8, which only holds what memory gives; "
                             "transfers, copies and shuffles move it from i8, "
                             "all else writes a float");
  }
  return success();
}
