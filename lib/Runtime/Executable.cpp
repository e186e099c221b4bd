//===- Executable.cpp - Modules that run ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/Runtime.h"

#include "HostCompiler.h"
#include "trn/Support/CrashGuard.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

using namespace mlir;
using namespace mlir::trn;

struct Executable::State {
  State(func::FuncOp entry, const Machine &machine,
        const ExecutableOptions &options)
      : entry(entry), run(machine, options) {}

  func::FuncOp entry;
  HostCode code;
  HostRun run;
  /// Empty if the entry is a kernel itself.
  CompiledEntry compiled;
  /// For each argument of the entry, whether it is a result.
  SmallVector<bool> isResult;
  /// For each input, whether it is a buffer of the caller's.
  SmallVector<bool> mayWrite;

  /// `arguments`: a pointer to a pointer to a descriptor each.
  void callCompiled(MutableArrayRef<void *> arguments);
  LogicalResult checkResults(ArrayRef<HostTensor> results);
};

Executable::Executable(std::unique_ptr<State> state)
    : state(std::move(state)) {}
Executable::Executable(Executable &&) = default;
Executable &Executable::operator=(Executable &&) = default;
Executable::~Executable() = default;

const HostCode &Executable::getHostCode() const { return state->code; }
ArrayRef<DecodedKernel> Executable::getKernels() const {
  return state->run.kernels;
}
ArrayRef<RecordedCall> Executable::getCalls() const { return state->run.calls; }
double Executable::getKernelSeconds() const { return state->run.kernelSeconds; }

FailureOr<Executable> Executable::create(func::FuncOp entry,
                                         const Machine &machine,
                                         const ExecutableOptions &options) {
  FailureOr<HostCode> code = collectHostCode(entry, !options.timingOnly);
  if (failed(code))
    return failure();
  auto state = std::make_unique<State>(entry, machine, options);
  StringRef result = TrnDialect::ResultAttrHelper::getNameStr();
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    state->isResult.push_back(entry.getArgAttr(index, result) != nullptr);
    if (!state->isResult.back())
      state->mayWrite.push_back(isa<BaseMemRefType>(type));
  }

  for (func::FuncOp kernel : code->kernels) {
    FailureOr<DecodedKernel> decoded = decodeKernel(kernel, machine);
    if (failed(decoded))
      return failure();
    state->run.kernels.push_back(std::move(*decoded));
  }
  if (options.timingOnly) {
    FailureOr<SmallVector<RecordedCall>> calls = traceCalls(entry, *code);
    if (failed(calls))
      return failure();
    state->run.calls.assign(calls->begin(), calls->end());
  } else if (!isKernel(entry)) {
    FailureOr<CompiledEntry> compiled =
        compileHostCode(entry, *code, state->run);
    if (failed(compiled))
      return failure();
    state->compiled = std::move(*compiled);
  }
  state->code = std::move(*code);
  return Executable(std::move(state));
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

void Executable::State::callCompiled(MutableArrayRef<void *> arguments) {
  // Errors leave compiled code through the guard. It also catches what the
  // checks in host code do not know of.
  std::optional<StringRef> signal =
      runGuarded([&] { compiled.call(arguments.data()); });
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

LogicalResult Executable::State::checkResults(ArrayRef<HostTensor> results) {
  for (auto [index, result] : llvm::enumerate(results)) {
    // Any integer may be what host code has computed.
    if (result.getType().isInteger())
      continue;
    std::unique_ptr<WrittenMap> written = findUnwritten(
        result.data(), result.numBytes(), result.getType().getFloats());
    // call_c5
    if (!written)
      continue;
    int64_t byte = written->findHole(0, 1, 0, result.numBytes())->byte;
    InFlightDiagnostic diagnostic =
        entry.emitError() << "result " << index << " of @" << entry.getSymName()
                          << " holds memory that nobody wrote, from element "
                          << byte / byteSize(result.getType()) << " on";
    diagnostic.attachNote(getResultLoc(entry, index)) << "this result";
    return diagnostic;
  }
  return success();
}

LogicalResult Executable::run(MutableArrayRef<HostTensor> inputs,
                              MutableArrayRef<HostTensor> results,
                              MutableArrayRef<KernelSnapshot> snapshots) {
  HostRun &run = state->run;
  run.reset();
  run.snapshots = snapshots;
  for (auto [index, input] : llvm::enumerate(inputs))
    run.memory.lend(input.data(), input.numBytes(), HostMemory::Kind::Input,
                    state->mayWrite[index], index);
  for (auto [index, result] : llvm::enumerate(results))
    run.memory.lend(result.data(), result.numBytes(), HostMemory::Kind::Result,
                    /*mayWrite=*/true, index);

  MutableArrayRef<HostTensor> all = results;
  // Arguments in their order, then what the entry returns.
  SmallVector<HostTensor *> tensors;
  for (bool isResult : state->isResult) {
    MutableArrayRef<HostTensor> &from = isResult ? results : inputs;
    tensors.push_back(&from.front());
    from = from.drop_front();
  }
  for (HostTensor &result : results)
    tensors.push_back(&result);

  if (!state->compiled.call) {
    run.callKernel(/*site=*/std::nullopt, /*kernel=*/0,
                   llvm::map_to_vector(
                       tensors, [](auto *tensor) { return tensor->data(); }));
    return failure(run.failed);
  }
  auto descriptors = llvm::map_to_vector(
      tensors, [](HostTensor *tensor) { return makeDescriptor(*tensor); });
  SmallVector<int64_t *> pointers;
  for (SmallVector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  // A scalar is passed as it is.
  ArrayRef<Type> types = state->entry.getArgumentTypes();
  SmallVector<void *> packed;
  for (int64_t *&pointer : pointers)
    if (size_t index = packed.size();
        index < types.size() && !isa<ShapedType>(types[index]))
      packed.push_back(tensors[index]->data());
    else
      packed.push_back(&pointer);
  for (HostTensor &result : all)
    fillUnwritten(result.data(), result.numBytes());
  state->callCompiled(packed);
  run.memory.reset();
  return failure(run.failed || failed(state->checkResults(all)));
}
