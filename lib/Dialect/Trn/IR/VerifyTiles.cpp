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
                                StringRef tileName, Value tile) {
  int64_t partitions = cast<ShapedType>(tile.getType()).getDimSize(0);
  ArrayRef<int64_t> shape = cast<ShapedType>(column.getType()).getShape();
  if (shape[0] == partitions && shape[1] == 1)
    return success();
  InFlightDiagnostic diagnostic =
      op->emitOpError() << name << " must hold one value for each of the "
                        << partitions << " partitions of " << tileName << " ("
                        << partitions << "x1), but is " << shapeText(column);
  return noteOperand(diagnostic, name, column);
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
