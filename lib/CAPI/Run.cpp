//===- Run.cpp - Run and time compiled modules ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn-c/Run.h"

#include "Handle.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include <cstring>

using namespace mlir;
using namespace mlir::trn;

/// Says what of `array` cannot be used for a tensor of `rank`, whatever its
/// shape and type.
static llvm::Expected<ArrayView> view(const TrnArray &array, size_t rank) {
  std::optional<HostType> type = toHostType(array.type);
  if (!type)
    return llvm::createStringError("element type %d is no TrnElementType",
                                   int(array.type));
  if (array.rank != intptr_t(rank))
    return llvm::createStringError("rank is %lld, but %d is needed",
                                   (long long)array.rank, int(rank));
  if (rank > 0 && !array.shape)
    return llvm::createStringError("rank %d comes without a shape", int(rank));
  ArrayView result;
  result.type = *type;
  result.shape.assign(array.shape, array.shape + array.rank);
  result.data = static_cast<const char *>(array.data);
  if (!array.data && countElements(result.shape).value_or(1) != 0)
    return llvm::createStringError("data is null");
  return result;
}

namespace {
/// One run of a function on arrays of a caller.
class ArrayRun {
public:
  ArrayRun(CompiledModule &compiled, func::FuncOp entry)
      : compiled(compiled), entry(entry), mayWrite(getWritableInputs(entry)) {}

  LogicalResult run(ArrayRef<TrnArray> inputs, ArrayRef<TrnArray> results);

private:
  InFlightDiagnostic refuse(StringRef what, size_t index) {
    return entry.emitError()
           << what << " " << index << " of @" << entry.getSymName() << ": ";
  }
  LogicalResult checkCount(StringRef what, size_t has, size_t given);
  LogicalResult checkResult(size_t index, const EntrySignature::Slot &slot,
                            const TrnArray &array);
  LogicalResult bind(size_t index, size_t rank, const TrnArray &array);

  CompiledModule &compiled;
  func::FuncOp entry;
  /// For each input.
  SmallVector<bool> mayWrite;
  SmallVector<HostTensor> tensors;
};
} // namespace

LogicalResult ArrayRun::checkCount(StringRef what, size_t has, size_t given) {
  if (has == given)
    return success();
  return entry.emitError() << "@" << entry.getSymName() << " has " << has << " "
                           << what << ", but " << given << " are given";
}

LogicalResult ArrayRun::checkResult(size_t index,
                                    const EntrySignature::Slot &slot,
                                    const TrnArray &array) {
  llvm::Expected<ArrayView> place = view(array, slot.shape.size());
  if (!place)
    return refuse("result", index) << llvm::toString(place.takeError());
  bool widens = !slot.type.isInteger() && place->type == ElementType::F32;
  if ((place->type == slot.type || widens) &&
      ArrayRef<int64_t>(place->shape) == ArrayRef(slot.shape))
    return success();
  return refuse("result", index)
         << "it is " << formatShape(slot.shape) << " of "
         << stringify(slot.type) << ", but its array is "
         << formatShape(place->shape) << " of " << stringify(place->type);
}

LogicalResult ArrayRun::bind(size_t index, size_t rank, const TrnArray &array) {
  llvm::Expected<ArrayView> value = view(array, rank);
  if (!value)
    return refuse("input", index) << llvm::toString(value.takeError());
  FailureOr<HostTensor> tensor =
      compiled.bind(entry.getSymName(), index, *value);
  if (failed(tensor))
    return failure();
  if (mayWrite[index] && tensor->getType() != value->type)
    return refuse("input", index)
           << "it is a memref of " << stringify(tensor->getType())
           << ", which is written back, but its array is of "
           << stringify(value->type);
  tensors.push_back(std::move(*tensor));
  return success();
}

/// Both have the same shape; `array` may be a wider float.
static void copyTo(const TrnArray &array, const HostTensor &tensor) {
  if (toHostType(array.type) == tensor.getType())
    std::memcpy(array.data, tensor.data(), tensor.numBytes());
  else
    tensor.loadF32(0, tensor.numElements(), static_cast<float *>(array.data));
}

LogicalResult ArrayRun::run(ArrayRef<TrnArray> inputs,
                            ArrayRef<TrnArray> results) {
  FailureOr<EntrySignature> signature = getSignature(entry);
  if (failed(signature) || failed(checkMemory(entry)) ||
      failed(checkCount("inputs", signature->inputs.size(), inputs.size())) ||
      failed(checkCount("results", signature->results.size(), results.size())))
    return failure();
  for (auto [index, slot, array] : llvm::enumerate(signature->results, results))
    if (failed(checkResult(index, slot, array)))
      return failure();
  for (auto [index, slot, array] : llvm::enumerate(signature->inputs, inputs))
    if (failed(bind(index, slot.shape.size(), array)))
      return failure();
  FailureOr<SmallVector<HostTensor>> computed =
      compiled.run(entry.getSymName(), tensors);
  if (failed(computed))
    return failure();
  for (auto [array, tensor] : llvm::zip_equal(results, *computed))
    copyTo(array, tensor);
  for (auto [array, tensor, isWritten] : llvm::zip(inputs, tensors, mayWrite))
    if (isWritten)
      copyTo(array, tensor);
  return success();
}

MlirLogicalResult trnModuleRun(TrnModule module, MlirStringRef function,
                               intptr_t numInputs, const TrnArray *inputs,
                               intptr_t numResults, const TrnArray *results,
                               MlirStringCallback diagnostics,
                               void *diagnosticsData) {
  return callWith(module, {diagnostics, diagnosticsData},
                  [&](Handle &handle) -> LogicalResult {
                    FailureOr<func::FuncOp> entry =
                        handle.compiled->findFunction(toText(function));
                    if (failed(entry))
                      return failure();
                    // Counts without arrays are those of no array.
                    auto count = [](intptr_t count, const TrnArray *arrays) {
                      return arrays && count > 0 ? size_t(count) : 0;
                    };
                    return ArrayRun(*handle.compiled, *entry)
                        .run({inputs, count(numInputs, inputs)},
                             {results, count(numResults, results)});
                  });
}

MlirLogicalResult trnModuleTime(TrnModule module, MlirStringRef function,
                                double *milliseconds,
                                MlirStringCallback diagnostics,
                                void *diagnosticsData) {
  return callWith(module, {diagnostics, diagnosticsData},
                  [&](Handle &handle) -> LogicalResult {
                    FailureOr<Report> report =
                        handle.compiled->time(toText(function));
                    if (failed(report))
                      return failure();
                    if (milliseconds)
                      *milliseconds = report->total.sum.latency / 1e9;
                    return success();
                  });
}

MlirLogicalResult trnModuleReport(TrnModule module, MlirStringRef function,
                                  MlirStringCallback json, void *jsonData,
                                  MlirStringCallback diagnostics,
                                  void *diagnosticsData) {
  return printWith(module, {json, jsonData}, {diagnostics, diagnosticsData},
                   [&](Handle &handle, llvm::raw_ostream &os) -> LogicalResult {
                     FailureOr<Report> report =
                         handle.compiled->explain(toText(function));
                     if (failed(report))
                       return failure();
                     printJson(*report, os);
                     return success();
                   });
}

/// What the module was read from; nothing if that is no text.
static std::optional<SourceText> getText(const Handle &handle) {
  if (handle.sources.getNumBuffers() == 0)
    return std::nullopt;
  const llvm::MemoryBuffer &read =
      *handle.sources.getMemoryBuffer(handle.sources.getMainFileID());
  if (isBytecode(read))
    return std::nullopt;
  return SourceText{read.getBufferIdentifier().str(), read.getBuffer().str()};
}

MlirLogicalResult trnModulePage(TrnModule module, MlirStringRef function,
                                MlirStringCallback html, void *htmlData,
                                MlirStringCallback diagnostics,
                                void *diagnosticsData) {
  return printWith(module, {html, htmlData}, {diagnostics, diagnosticsData},
                   [&](Handle &handle, llvm::raw_ostream &os) {
                     return handle.compiled->printPage(toText(function), os,
                                                       getText(handle));
                   });
}
