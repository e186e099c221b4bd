//===- CompiledModule.cpp - Compile once, run and time --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/CompiledModule.h"
#include "trn/Run/OptionErrors.h"

#include "Budget.h"
#include "LatencyRange.h"
#include "SummarizeRun.h"
#include "TryAdvice.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Findings/Findings.h"
#include "trn/Machine/MachineIO.h"
#include "trn/Run/CompileModule.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::trn;

/// Loads the machine that `options` name, and lets `module` be for it: the
/// attribute keeps neither the name of a file nor where its numbers come from.
static FailureOr<Machine> takeMachine(ModuleOp module,
                                      CompileOptions &options) {
  if (options.machine.empty())
    return getMachine(module);
  llvm::Expected<Machine> machine = loadMachine(options.machine);
  if (!machine)
    return emitOptionError(module) << llvm::toString(machine.takeError());
  setMachine(module, *machine);
  options.machine = "";
  return std::move(*machine);
}

FailureOr<CompiledModule> CompiledModule::create(OwningOpRef<ModuleOp> module,
                                                 StringRef text) {
  CompileOptions options;
  if (failed(readCompileOptions(*module, text, options)))
    return failure();
  FailureOr<Machine> machine = takeMachine(*module, options);
  if (failed(machine))
    return failure();
  CompiledModule compiled;
  compiled.options = text.str();
  compiled.machine = std::move(*machine);
  compiled.source = OwningOpRef<ModuleOp>(module->clone());
  SmallVector<CompilerRemark> remarks;
  if (failed(compileModule(*module, options, &remarks, &compiled.planned)))
    return failure();
  for (const CompilerRemark &remark : remarks)
    compiled.remarks.push_back(describeLocation(remark.location) + ": " +
                               remark.text);
  compiled.module = std::move(module);
  return compiled;
}

FailureOr<OwningOpRef<ModuleOp>> CompiledModule::compileTo(Level level) const {
  OwningOpRef<ModuleOp> copy(planned.get().clone());
  PassManager manager(copy->getContext());
  if (level != Level::Tensor)
    buildLoweringPipeline(manager);
  if (level == Level::Placed)
    buildPlacementPipeline(manager);
  if (failed(manager.run(*copy)))
    return failure();
  return copy;
}

SmallVector<func::FuncOp> CompiledModule::getFunctions() const {
  SmallVector<func::FuncOp> all, exported;
  for (auto function : get().getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    all.push_back(function);
    if (function.isPublic())
      exported.push_back(function);
  }
  return exported.empty() ? all : exported;
}

FailureOr<func::FuncOp> CompiledModule::findFunction(StringRef name) const {
  SmallVector<func::FuncOp> functions = getFunctions();
  if (name.empty() && functions.size() == 1)
    return functions.front();
  std::string names;
  for (func::FuncOp function : functions) {
    if (function.getSymName() == name)
      return function;
    names += (names.empty() ? "@" : ", @") + function.getSymName().str();
  }
  InFlightDiagnostic error = get().emitError();
  if (name.empty())
    error << "the module has " << functions.size()
          << " functions that can be run; choose one";
  else
    error << "no function @" << name << " can be run";
  return error << ": " << names;
}

/// What to give for input `index`.
static FailureOr<EntrySignature::Slot> getInput(func::FuncOp entry,
                                                size_t index) {
  FailureOr<EntrySignature> signature = getSignature(entry);
  if (failed(signature))
    return failure();
  if (index >= signature->inputs.size())
    return entry.emitError()
           << "@" << entry.getSymName() << " has " << signature->inputs.size()
           << " inputs, but one is given for input " << index;
  return signature->inputs[index];
}

FailureOr<HostTensor> CompiledModule::bind(StringRef function, size_t index,
                                           const ArrayView &value) const {
  FailureOr<func::FuncOp> entry = findFunction(function);
  if (failed(entry))
    return failure();
  FailureOr<EntrySignature::Slot> slot = getInput(*entry, index);
  if (failed(slot))
    return failure();
  llvm::Expected<HostTensor> tensor =
      HostTensor::create(slot->type, slot->shape);
  llvm::Error problem = tensor ? tensor->assign(value) : tensor.takeError();
  if (problem)
    return entry->emitError()
           << "cannot bind input " << index << " of @" << entry->getSymName()
           << ": " << llvm::toString(std::move(problem));
  return std::move(*tensor);
}

FailureOr<Executable *> CompiledModule::getExecutable(func::FuncOp function,
                                                      bool timingOnly) {
  Executables &known = timingOnly ? timings : executables;
  if (auto it = known.find(function.getSymName()); it != known.end())
    return &it->second;
  ExecutableOptions options;
  options.timingOnly = timingOnly;
  FailureOr<Executable> made = Executable::create(function, machine, options);
  if (failed(made))
    return failure();
  return &known.emplace(function.getSymName().str(), std::move(*made))
              .first->second;
}

/// Loads again if these are not the weights of the run before.
LogicalResult CompiledModule::load(func::FuncOp function,
                                   Executable &executable,
                                   MutableArrayRef<HostTensor> inputs) {
  if (!executable.hasLoad())
    return success();
  Fingerprint fingerprint;
  for (auto [argument, input] : llvm::zip_equal(getInputs(function), inputs)) {
    if (!getWeight(function, argument))
      continue;
    llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
        {static_cast<const uint8_t *>(input.data()), size_t(input.numBytes())});
    fingerprint.insert(fingerprint.end(), {hash.low64, hash.high64});
  }
  auto [known, isFirst] = loaded.try_emplace(function.getSymName().str());
  if (!isFirst && known->second == fingerprint)
    return success();
  known->second = std::move(fingerprint);
  return executable.load(inputs);
}

FailureOr<SmallVector<HostTensor>>
CompiledModule::run(StringRef function, MutableArrayRef<HostTensor> inputs) {
  FailureOr<func::FuncOp> entry = findFunction(function);
  if (failed(entry))
    return failure();
  FailureOr<EntrySignature> signature = getSignature(*entry);
  if (failed(signature) || failed(checkMemory(*entry)))
    return failure();
  if (inputs.size() != signature->inputs.size())
    return entry->emitError()
           << "@" << entry->getSymName() << " has " << signature->inputs.size()
           << " inputs, but " << inputs.size() << " are given";
  for (auto [index, input, slot] : llvm::enumerate(inputs, signature->inputs))
    if (input.getType() != slot.type ||
        input.getShape() != ArrayRef(slot.shape))
      return entry->emitError()
             << "input " << index << " of @" << entry->getSymName() << " is "
             << formatShape(slot.shape) << " of " << stringify(slot.type)
             << ", but " << formatShape(input.getShape()) << " of "
             << stringify(input.getType()) << " is given";
  FailureOr<SmallVector<HostTensor>> results = allocateResults(*entry);
  FailureOr<Executable *> executable =
      getExecutable(*entry, /*timingOnly=*/false);
  if (failed(results) || failed(executable) ||
      failed(load(*entry, **executable, inputs)) ||
      failed((*executable)->run(inputs, *results)))
    return failure();
  return results;
}

FailureOr<Report> CompiledModule::time(StringRef function) {
  FailureOr<func::FuncOp> entry = findFunction(function);
  if (failed(entry))
    return failure();
  FailureOr<Executable *> executable =
      getExecutable(*entry, /*timingOnly=*/true);
  if (failed(executable))
    return failure();
  return summarizeRun(*entry, **executable, machine);
}

FailureOr<Report> CompiledModule::explain(StringRef function) {
  FailureOr<func::FuncOp> entry = findFunction(function);
  if (failed(entry))
    return failure();
  if (auto it = explained.find(entry->getSymName()); it != explained.end())
    return it->second;
  FailureOr<Executable *> executable =
      getExecutable(*entry, /*timingOnly=*/true);
  if (failed(executable))
    return failure();
  Report report = summarizeRun(*entry, **executable, machine, maxFindingSteps);
  RunOptions run;
  run.entry = entry->getSymName().str();
  run.compile = options;
  tryAdvice(report, (*executable)->getKernels(), *source, run);
  if (failed(addLatencyRange(report, (*executable)->getHostCode().kernels,
                             (*executable)->getCalls())))
    return failure();
  return explained.emplace(run.entry, std::move(report)).first->second;
}

LogicalResult CompiledModule::checkBudget(StringRef function) {
  FailureOr<Report> report = explain(function);
  if (failed(report))
    return failure();
  func::FuncOp entry = *findFunction(function);
  return checkBudgets(
      entry, (*getExecutable(entry, /*timingOnly=*/true))->getKernels(),
      *report);
}

LogicalResult CompiledModule::printPage(StringRef function,
                                        llvm::raw_ostream &os,
                                        const std::optional<SourceText> &read) {
  FailureOr<Report> report = explain(function);
  if (failed(report))
    return failure();
  func::FuncOp entry = *findFunction(function);
  trn::printPage(entry, **getExecutable(entry, /*timingOnly=*/true), *report,
                 read, os);
  return success();
}
