//===- Core.cpp - What one core runs --------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core.h"
#include "HostCalls.h"

#include "trn/Support/CrashGuard.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

using namespace mlir;
using namespace mlir::trn;

Core::Core(func::FuncOp entry, const Machine &machine,
           const ExecutableOptions &options)
    : run(machine, options), entry(entry) {
  StringRef result = TrnDialect::ResultAttrHelper::getNameStr();
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    isResult.push_back(entry.getArgAttr(index, result) != nullptr);
    if (isResult.back())
      continue;
    mayWrite.push_back(isa<BaseMemRefType>(type));
    isWeight.push_back(!mayWrite.back() && getWeight(entry, index));
  }
}

LogicalResult Core::compile(const HostCode &code) {
  if (isKernel(entry))
    return success();
  FailureOr<CompiledEntry> machineCode = compileHostCode(entry, code, run);
  if (failed(machineCode))
    return failure();
  compiled = std::move(*machineCode);
  return success();
}

LogicalResult Core::compileLike(const Core &other, const HostCode &code) {
  if (other.compiled.keepsValues || other.compiled.isOfOneCore)
    return compile(code);
  compiled = other.compiled;
  run.sites = other.run.sites;
  return success();
}

/// A memref descriptor of any rank, as compiled code expects it: two pointers,
/// the offset, sizes and strides.
static SmallVector<int64_t> makeDescriptor(HostTensor &tensor) {
  ArrayRef<int64_t> shape = tensor.getShape();
  auto address = reinterpret_cast<int64_t>(tensor.data());
  SmallVector<int64_t> descriptor = {address, address, /*offset=*/0};
  llvm::append_range(descriptor, shape);
  SmallVector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim])
    strides[dim] = stride;
  llvm::append_range(descriptor, strides);
  return descriptor;
}

void Core::callCompiled(CompiledFunction function, TypeRange types,
                        ArrayRef<HostTensor *> tensors) {
  auto descriptors = llvm::map_to_vector(
      tensors, [](HostTensor *tensor) { return makeDescriptor(*tensor); });
  SmallVector<int64_t *> pointers;
  for (SmallVector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  // A scalar is passed as it is.
  SmallVector<void *> packed;
  for (int64_t *&pointer : pointers)
    if (size_t index = packed.size();
        index < types.size() && !isa<ShapedType>(types[index]))
      packed.push_back(tensors[index]->data());
    else
      packed.push_back(&pointer);
  // Errors leave compiled code through the guard. It also catches what the
  // checks in host code do not know of.
  HostCalls::Scope scope(run);
  std::optional<StringRef> signal =
      runGuarded([&] { function(packed.data()); });
  if (!signal)
    return;
  run.failed = true;
  entry.emitError() << "host code that @" << entry.getSymName()
                    << " runs ended with a fault that no check foresaw ("
                    << *signal << ")";
}

/// Where the value of a result is made: an argument or what is returned.
static Location getResultLoc(func::FuncOp entry, size_t index) {
  StringRef result = TrnDialect::ResultAttrHelper::getNameStr();
  for (BlockArgument argument : entry.getArguments())
    if (entry.getArgAttr(argument.getArgNumber(), result) && index-- == 0)
      return argument.getLoc();
  Value value = entry.getBody().back().getTerminator()->getOperand(index);
  while (auto view = value.getDefiningOp<bufferization::ToTensorOp>())
    value = view.getBuffer();
  return value.getLoc();
}

LogicalResult Core::checkResults(ArrayRef<HostTensor *> results) {
  for (auto [index, result] : llvm::enumerate(results)) {
    // Any integer may be what host code has computed.
    if (result->getType().isInteger())
      continue;
    std::unique_ptr<WrittenMap> written = findUnwritten(
        result->data(), result->numBytes(), result->getType().getFloats());
    // call_c5
    if (!written)
      continue;
    int64_t byte = written->findHole(0, 1, 0, result->numBytes())->byte;
    InFlightDiagnostic diagnostic =
        entry.emitError() << "result " << index << " of @" << entry.getSymName()
                          << " holds unwritten memory, from element "
                          << byte / byteSize(result->getType()) << " on";
    diagnostic.attachNote(getResultLoc(entry, index)) << "this result";
    return diagnostic;
  }
  return success();
}

SmallVector<HostTensor *> Core::arrange(ArrayRef<HostTensor *> inputs,
                                        ArrayRef<HostTensor *> results) const {
  SmallVector<HostTensor *> arguments;
  for (bool isResult : isResult) {
    ArrayRef<HostTensor *> &from = isResult ? results : inputs;
    arguments.push_back(from.empty() ? nullptr : from.front());
    from = from.drop_front(from.empty() ? 0 : 1);
  }
  return arguments;
}

void Core::lendInputs(ArrayRef<HostTensor *> inputs) {
  for (auto [index, input] : llvm::enumerate(inputs))
    run.memory.lend(input->data(), input->numBytes(), HostMemory::Kind::Input,
                    mayWrite[index], index);
}

LogicalResult Core::load(ArrayRef<HostTensor *> inputs) {
  loaded.emplace();
  if (!compiled.load)
    return success();
  run.reset();
  lendInputs(inputs);
  SmallVector<HostTensor *> arguments = arrange(inputs, {}), tensors;
  SmallVector<Type> types;
  for (unsigned argument : compiled.load->arguments) {
    tensors.push_back(arguments[argument]);
    types.push_back(entry.getArgumentTypes()[argument]);
  }
  for (const EntrySignature::Slot &slot : compiled.load->results) {
    llvm::Expected<HostTensor> tensor =
        HostTensor::create(slot.type, slot.shape);
    if (!tensor)
      return entry.emitError()
             << "cannot load the weights of @" << entry.getSymName() << ": "
             << llvm::toString(tensor.takeError());
    loaded->push_back({std::move(*tensor), true});
  }
  for (auto [index, result] : llvm::enumerate(*loaded)) {
    HostTensor &tensor = result.tensor;
    fillUnwritten(tensor.data(), tensor.numBytes());
    run.memory.lend(tensor.data(), tensor.numBytes(), HostMemory::Kind::Result,
                    /*mayWrite=*/true, index);
    tensors.push_back(&tensor);
  }
  callCompiled(compiled.load->call, types, tensors);
  run.memory.reset();
  for (LoadedTensor &result : *loaded)
    result.isWritten =
        result.tensor.getType().isInteger() ||
        !findUnwritten(result.tensor.data(), result.tensor.numBytes(),
                       result.tensor.getType().getFloats());
  if (run.failed)
    loaded.reset();
  return failure(run.failed);
}

LogicalResult Core::execute(ArrayRef<HostTensor *> inputs,
                            ArrayRef<HostTensor *> results,
                            MutableArrayRef<KernelSnapshot> snapshots) {
  if (!loaded && failed(load(inputs)))
    return failure();
  run.reset();
  run.snapshots = snapshots;
  lendInputs(inputs);
  for (auto [index, result] : llvm::enumerate(results))
    run.memory.lend(result->data(), result->numBytes(),
                    HostMemory::Kind::Result, /*mayWrite=*/true, index);
  for (HostTensor *result : results)
    fillUnwritten(result->data(), result->numBytes());
  SmallVector<HostTensor *> tensors = arrange(inputs, results);
  if (!compiled.call) {
    run.callKernel(/*site=*/std::nullopt, /*kernel=*/0,
                   llvm::map_to_vector(
                       tensors, [](auto *tensor) { return tensor->data(); }));
    return failure(run.failed);
  }
  // What is not written as a whole is looked at again where a kernel reads it.
  for (auto [index, result] : llvm::enumerate(*loaded)) {
    run.memory.lend(result.tensor.data(), result.tensor.numBytes(),
                    result.isWritten ? HostMemory::Kind::Constant
                                     : HostMemory::Kind::Global,
                    /*mayWrite=*/false, compiled.load->sites[index]);
    tensors.push_back(&result.tensor);
  }
  // What the entry returns comes last.
  llvm::append_range(tensors, results.take_back(entry.getResultTypes().size()));
  callCompiled(compiled.call, entry.getArgumentTypes(), tensors);
  run.memory.reset();
  return failure(run.failed || failed(checkResults(results)));
}
