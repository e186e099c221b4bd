//===- Handle.cpp - What a TrnModule points to ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handle.h"

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Run/OptionErrors.h"
#include "trn/Support/Escape.h"
#include "trn/Support/Interrupt.h"

using namespace mlir;
using namespace mlir::trn;

std::optional<HostType> mlir::trn::toHostType(TrnElementType type) {
  switch (type) {
  case TrnElementTypeBF16:
    return ElementType::BF16;
  case TrnElementTypeF16:
    return ElementType::F16;
  case TrnElementTypeF32:
    return ElementType::F32;
  case TrnElementTypeI1:
    return HostType::integer(1);
  case TrnElementTypeI8:
    return HostType::integer(8);
  case TrnElementTypeI16:
    return HostType::integer(16);
  case TrnElementTypeI32:
    return HostType::integer(32);
  case TrnElementTypeI64:
    return HostType::integer(64);
  }
  return std::nullopt;
}

TrnElementType mlir::trn::fromHostType(HostType type) {
  // Floats of 8 bits are given and got as f32, which has all of them.
  if (!type.isInteger() && isStorage(type.getFloats()))
    return TrnElementTypeF32;
  for (int number = 0;; ++number)
    if (toHostType(TrnElementType(number)) == type)
      return TrnElementType(number);
}

SmallVector<bool> mlir::trn::getWritableInputs(func::FuncOp entry) {
  SmallVector<bool> mayWrite;
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes()))
    if (!entry.getArgAttr(index, TrnDialect::ResultAttrHelper::getNameStr()))
      // A kernel writes its results only.
      mayWrite.push_back(!isKernel(entry) && isa<BaseMemRefType>(type));
  return mayWrite;
}

/// What `trnSetInterrupt` told for this thread.
static thread_local bool (*isStopped)(void *) = nullptr;
static thread_local void *isStoppedData = nullptr;

void trnSetInterrupt(bool (*callback)(void *), void *data) {
  isStopped = callback;
  isStoppedData = data;
}

LogicalResult
mlir::trn::enter(Receiver diagnostics,
                 llvm::function_ref<LogicalResult(std::string &)> body) {
  std::string said;
  LogicalResult result = failure();
  InterruptScope scope([] { return isStopped && isStopped(isStoppedData); });
  try {
    result = body(said);
  } catch (const std::bad_alloc &) {
    said += "error: this machine has no memory left\n";
  } catch (const std::exception &problem) {
    said += (Twine("error: unexpected: ") + problem.what() + "\n").str();
  }
  if (scope.wasInterrupted()) {
    said = "error: interrupted\n";
    result = failure();
  }
  // The text that they quote may be foreign.
  diagnostics.tell(escapeLines(said));
  return result;
}

MlirLogicalResult
mlir::trn::callWith(TrnModule module, Receiver diagnostics,
                    llvm::function_ref<LogicalResult(Handle &)> body) {
  return wrap(enter(diagnostics, [&](std::string &said) -> LogicalResult {
    auto *handle = static_cast<Handle *>(module.ptr);
    if (!handle) {
      said = "error: the module is null: compiling it failed, or it was never "
             "compiled\n";
      return failure();
    }
    std::lock_guard<std::mutex> lock(handle->mutex);
    llvm::raw_string_ostream os(said);
    SourceMgrDiagnosticHandler handler(handle->sources, &handle->context, os);
    OptionErrorHandler optionErrors(&handle->context, os);
    return body(*handle);
  }));
}

MlirLogicalResult mlir::trn::printWith(
    TrnModule module, Receiver text, Receiver diagnostics,
    llvm::function_ref<LogicalResult(Handle &, llvm::raw_ostream &)> body) {
  std::string printed;
  MlirLogicalResult result = callWith(module, diagnostics, [&](Handle &handle) {
    llvm::raw_string_ostream os(printed);
    return body(handle, os);
  });
  if (mlirLogicalResultIsSuccess(result))
    text.tell(printed);
  return result;
}
