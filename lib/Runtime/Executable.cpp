//===- Executable.cpp - Modules that run ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/Runtime.h"

#include "HostCompiler.h"

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Interpreter/Interpreter.h"

#include "llvm/ADT/SmallBitVector.h"
#include <chrono>

using namespace mlir;
using namespace mlir::trn;

struct Executable::State {
  Machine machine;
  ExecutableOptions options;
  std::vector<DecodedKernel> kernels;
  std::vector<RecordedCall> calls;
  double kernelSeconds = 0;
  /// A kernel of this run had a fault; what follows computes nothing.
  bool faulted = false;
  /// Empty if the entry is a kernel itself.
  CompiledEntry compiled;
  /// For each argument of the entry, whether it is a result.
  SmallVector<bool> isResult;

  void callKernel(size_t kernel, ArrayRef<void *> arguments);
};

Executable::Executable(std::unique_ptr<State> state)
    : state(std::move(state)) {}
Executable::Executable(Executable &&) = default;
Executable &Executable::operator=(Executable &&) = default;
Executable::~Executable() = default;

ArrayRef<DecodedKernel> Executable::getKernels() const {
  return state->kernels;
}
ArrayRef<RecordedCall> Executable::getCalls() const { return state->calls; }
double Executable::getKernelSeconds() const { return state->kernelSeconds; }

static void emitFault(const DecodedKernel &kernel, const Fault &fault) {
  InFlightDiagnostic diagnostic =
      kernel.ops[fault.op]->emitOpError(fault.message);
  for (const auto &[op, text] : fault.notes)
    diagnostic.attachNote(kernel.ops[op]->getLoc()) << text;
}

/// A kernel writes no memory that it knows as another argument too: the order
/// of its instructions follows from which buffers they touch.
static LogicalResult verifyNoOverlap(const DecodedKernel &kernel,
                                     ArrayRef<void *> arguments) {
  const Program &program = kernel.program;
  llvm::SmallBitVector written(program.buffers.size());
  for (const Instruction &instruction : program.instructions)
    for (const Access &write : instruction.writes)
      written.set(write.buffer);
  auto getStart = [&](const Buffer &buffer) {
    return static_cast<const char *>(arguments[buffer.argument]);
  };
  for (unsigned index : written.set_bits()) {
    const Buffer &output = program.buffers[index];
    for (const Buffer &other : program.buffers) {
      if (output.argument < 0 || other.argument < 0 || &other == &output)
        continue;
      if (getStart(output) < getStart(other) + other.bytes &&
          getStart(other) < getStart(output) + output.bytes)
        return kernel.ops.front()->emitOpError("writes argument #")
               << output.argument << ", which shares memory with argument #"
               << other.argument;
    }
  }
  return success();
}

void Executable::State::callKernel(size_t kernel, ArrayRef<void *> arguments) {
  if (faulted)
    return;
  if (failed(verifyNoOverlap(kernels[kernel], arguments))) {
    faulted = true;
    return;
  }
  calls.push_back({kernel, llvm::map_to_vector<6>(arguments, [](void *pointer) {
                     return reinterpret_cast<uintptr_t>(pointer);
                   })});
  auto start = std::chrono::steady_clock::now();
  std::optional<Fault> fault =
      interpret(kernels[kernel].program, machine, arguments, {options.threads});
  kernelSeconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (!fault)
    return;
  faulted = true;
  emitFault(kernels[kernel], *fault);
}

FailureOr<Executable> Executable::create(func::FuncOp entry,
                                         const Machine &machine,
                                         const ExecutableOptions &options) {
  FailureOr<HostCode> code = collectHostCode(entry);
  if (failed(code))
    return failure();
  auto state = std::make_unique<State>();
  state->machine = machine;
  state->options = options;
  StringRef result = TrnDialect::ResultAttrHelper::getNameStr();
  for (unsigned i = 0; i != entry.getNumArguments(); ++i)
    state->isResult.push_back(entry.getArgAttr(i, result) != nullptr);

  for (func::FuncOp kernel : code->kernels) {
    FailureOr<DecodedKernel> decoded = decodeKernel(kernel, machine);
    if (failed(decoded))
      return failure();
    state->kernels.push_back(std::move(*decoded));
  }
  if (options.timingOnly) {
    FailureOr<SmallVector<RecordedCall>> calls = traceCalls(entry, *code);
    if (failed(calls))
      return failure();
    state->calls.assign(calls->begin(), calls->end());
  } else if (!isKernel(entry)) {
    FailureOr<CompiledEntry> compiled = compileHostCode(
        entry, *code,
        [](void *context, size_t kernel, ArrayRef<void *> arguments) {
          static_cast<State *>(context)->callKernel(kernel, arguments);
        },
        state.get());
    if (failed(compiled))
      return failure();
    state->compiled = std::move(*compiled);
  }
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

LogicalResult Executable::run(MutableArrayRef<HostTensor> inputs,
                              MutableArrayRef<HostTensor> results) {
  state->calls.clear();
  state->kernelSeconds = 0;
  state->faulted = false;

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
    state->callKernel(/*kernel=*/0,
                      llvm::map_to_vector(tensors, [](auto *tensor) {
                        return tensor->data();
                      }));
    return failure(state->faulted);
  }
  auto descriptors = llvm::map_to_vector(
      tensors, [](HostTensor *tensor) { return makeDescriptor(*tensor); });
  SmallVector<int64_t *> pointers;
  for (SmallVector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  SmallVector<void *> packed;
  for (int64_t *&pointer : pointers)
    packed.push_back(&pointer);
  state->compiled.call(packed.data());
  return failure(state->faulted);
}
