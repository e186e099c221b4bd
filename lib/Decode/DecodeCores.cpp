//===- DecodeCores.cpp - Kernels of a logical core as programs ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Decode/Decode.h"

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Program/Meetings.h"

using namespace mlir;
using namespace mlir::trn;

/// For each argument, whether it has trn.result.
static SmallVector<bool> findResults(func::FuncOp kernel) {
  StringRef result = TrnDialect::ResultAttrHelper::getNameStr();
  SmallVector<bool> found;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    found.push_back(kernel.getArgAttr(i, result) != nullptr);
  return found;
}

static FailureOr<func::FuncOp> findOtherCore(func::FuncOp kernel,
                                             FlatSymbolRefAttr name) {
  auto other = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(kernel, name);
  // attr_other_core_c2
  if (!other || other == kernel || other.isExternal() || !isKernel(other) ||
      other->hasAttr(TrnDialect::OtherCoreAttrHelper::getNameStr()))
    return kernel.emitOpError("names ")
           << name << " as what the other core runs, which must be another "
           << "kernel that names none";
  if (other.getArgumentTypes() == kernel.getArgumentTypes() &&
      findResults(other) == findResults(kernel))
    return other;
  InFlightDiagnostic diagnostic = kernel.emitOpError("takes other arguments "
                                                     "than ");
  diagnostic << name << "; the cores of a logical one are given the same";
  diagnostic.attachNote(other.getLoc()) << "what the other core runs";
  return diagnostic;
}

/// Scratch with one number must be the same for both.
static LogicalResult verifyShared(const DecodedKernel &kernel,
                                  const DecodedKernel &other) {
  for (const Buffer &own : kernel.program.buffers)
    for (const Buffer &theirs : other.program.buffers)
      if (own.shared >= 0 && own.shared == theirs.shared &&
          own.bytes != theirs.bytes) {
        // attr_other_core_c2
        InFlightDiagnostic diagnostic = kernel.ops[own.op]->emitOpError("has ");
        diagnostic << own.bytes << " bytes, but the other core has "
                   << theirs.bytes << " under the same number trn.shared";
        diagnostic.attachNote(other.ops[theirs.op]->getLoc()) << "there";
        return diagnostic;
      }
  return success();
}

FailureOr<DecodedKernel> mlir::trn::decodeCores(func::FuncOp kernel,
                                                const Machine &machine) {
  FailureOr<DecodedKernel> decoded = decodeKernel(kernel, machine);
  auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(
      TrnDialect::OtherCoreAttrHelper::getNameStr());
  if (failed(decoded) || !name)
    return decoded;
  FailureOr<func::FuncOp> function = findOtherCore(kernel, name);
  if (failed(function))
    return failure();
  FailureOr<DecodedKernel> other = decodeKernel(*function, machine);
  if (failed(other) || failed(verifyShared(*decoded, *other)))
    return failure();
  decoded->program.others.push_back(std::move(other->program));
  decoded->otherOps.push_back(std::move(other->ops));
  std::optional<MissedMeeting> missed = checkMeetings(decoded->program);
  if (!missed)
    return decoded;
  // cores_c4
  ArrayRef<Operation *> own = decoded->ops, others = decoded->otherOps.front();
  if (missed->core != 0)
    std::swap(own, others);
  InFlightDiagnostic diagnostic = own[missed->op]->emitOpError(missed->message);
  diagnostic.attachNote(others[missed->otherOp]->getLoc()) << missed->note;
  return diagnostic;
}
