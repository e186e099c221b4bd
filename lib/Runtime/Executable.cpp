//===- Executable.cpp - Modules that run ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/Runtime.h"

#include "Core.h"
#include "trn/Interpreter/CoreGroup.h"
#include "trn/Runtime/Arguments.h"

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

using namespace mlir;
using namespace mlir::trn;

struct Executable::State {
  func::FuncOp entry;
  HostCode code;
  /// Null unless other processes run the other cores.
  CoreGroup *group;
  std::vector<std::unique_ptr<Core>> cores;
};

Executable::Executable(std::unique_ptr<State> state)
    : state(std::move(state)) {}
Executable::Executable(Executable &&) = default;
Executable &Executable::operator=(Executable &&) = default;
Executable::~Executable() = default;

/// All cores run the same code.
static HostRun &getRun(const std::vector<std::unique_ptr<Core>> &cores) {
  return cores.front()->run;
}

const HostCode &Executable::getHostCode() const { return state->code; }
ArrayRef<DecodedKernel> Executable::getKernels() const {
  return getRun(state->cores).kernels;
}
ArrayRef<RecordedCall> Executable::getCalls() const {
  return getRun(state->cores).calls;
}
void Executable::setCalls(std::vector<RecordedCall> calls) {
  getRun(state->cores).calls = std::move(calls);
}
double Executable::getKernelSeconds() const {
  return getRun(state->cores).kernelSeconds;
}

/// The name of the kernel that call `number` is of, or `no kernel`.
static std::string describe(ArrayRef<RecordedCall> calls, size_t number,
                            const HostCode &code) {
  if (number >= calls.size())
    return "no kernel";
  func::FuncOp kernel = code.kernels[calls[number].kernel];
  return ("@" + kernel.getSymName()).str();
}

/// Code that asks which core runs it may decide by that about calls. Where more
/// decides about them, only a run tells.
static LogicalResult checkCalls(func::FuncOp entry, const HostCode &code,
                                int64_t count) {
  if (count == 1 || !asksForCore(code))
    return success();
  auto trace = [&](int64_t core) {
    ScopedDiagnosticHandler untold(entry.getContext(),
                                   [](Diagnostic &) { return success(); });
    return traceCalls(entry, code.kernels, core);
  };
  FailureOr<SmallVector<RecordedCall>> first = trace(0);
  for (int64_t core = 1; succeeded(first) && core < count; ++core) {
    FailureOr<SmallVector<RecordedCall>> own = trace(core);
    if (failed(own))
      return success();
    size_t number = 0;
    while (number < std::min(first->size(), own->size()) &&
           (*first)[number].kernel == (*own)[number].kernel)
      ++number;
    // cores_c6
    if (number < std::max(first->size(), own->size()))
      return entry.emitError()
             << "@" << entry.getSymName() << " calls different kernels on "
             << "cores 0 and " << core << ": call " << number << " is of "
             << describe(*first, number, code) << " on the one, and of "
             << describe(*own, number, code)
             << " on the other; a program of several cores is timed as one of "
                "them, so that all call the same";
  }
  return success();
}

FailureOr<Executable> Executable::create(func::FuncOp entry,
                                         const Machine &machine,
                                         const ExecutableOptions &options) {
  FailureOr<HostCode> code = collectHostCode(entry, !options.timingOnly);
  FailureOr<int64_t> count = countCores(entry);
  if (failed(code) || failed(count))
    return failure();
  if (failed(checkCalls(entry, *code, *count)))
    return failure();
  auto state = std::make_unique<State>();
  state->entry = entry;
  state->code = std::move(*code);
  state->group = options.cores;
  std::vector<DecodedKernel> kernels;
  for (func::FuncOp kernel : state->code.kernels) {
    FailureOr<DecodedKernel> decoded = decodeCores(kernel, machine);
    if (failed(decoded))
      return failure();
    kernels.push_back(std::move(*decoded));
  }
  if (options.cores && options.cores->size() != *count)
    return entry.emitError() << "@" << entry.getSymName() << " is a program of "
                             << *count << (*count == 1 ? " core" : " cores")
                             << ", but " << options.cores->size() << " run it";
  // No core does anything else than the others.
  const int64_t built = options.timingOnly || options.cores ? 1 : *count;
  for (int64_t number = 0; number < built; ++number) {
    auto core = std::make_unique<Core>(entry, machine, options);
    if (number > 0) // they would all tell the same, at once
      core->run.options.progress = {};
    core->run.core = options.cores ? options.cores->rank() : number;
    core->run.kernels = kernels;
    if (!options.timingOnly &&
        failed(number == 0
                   ? core->compile(state->code)
                   : core->compileLike(*state->cores.front(), state->code)))
      return failure();
    state->cores.push_back(std::move(core));
  }
  if (options.timingOnly) {
    FailureOr<SmallVector<RecordedCall>> calls =
        traceCalls(entry, state->code.kernels);
    if (failed(calls))
      return failure();
    getRun(state->cores).calls.assign(calls->begin(), calls->end());
  }
  return Executable(std::move(state));
}

static SmallVector<HostTensor *>
getPointers(MutableArrayRef<HostTensor> tensors) {
  return llvm::map_to_vector(tensors,
                             [](HostTensor &tensor) { return &tensor; });
}

bool Executable::hasLoad() const { return state->cores.front()->hasLoad(); }

LogicalResult Executable::load(MutableArrayRef<HostTensor> inputs) {
  if (state->group)
    return loadCore(state->entry, *state->cores.front(), state->group->rank(),
                    state->group->size(), inputs);
  if (state->cores.size() == 1)
    return state->cores.front()->load(getPointers(inputs));
  for (auto [rank, core] : llvm::enumerate(state->cores))
    if (failed(
            loadCore(state->entry, *core, rank, state->cores.size(), inputs)))
      return failure();
  return success();
}

LogicalResult Executable::run(MutableArrayRef<HostTensor> inputs,
                              MutableArrayRef<HostTensor> results,
                              MutableArrayRef<KernelSnapshot> snapshots) {
  Core &first = *state->cores.front();
  if (state->group)
    return runCore(state->entry, first, *state->group, inputs, results,
                   snapshots,
                   /*keeps=*/true);
  if (state->cores.size() > 1)
    return runCores(state->entry, state->cores, inputs, results, snapshots);
  return first.execute(getPointers(inputs), getPointers(results), snapshots);
}
