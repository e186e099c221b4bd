//===- Run.cpp - One run of a module --------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"

#include "CheckSteps.h"
#include "LatencyRange.h"
#include "RunLaunches.h"
#include "Stopwatch.h"
#include "SummarizeRun.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/Transforms/Transforms.h"
#include "trn/Machine/MachineIO.h"
#include "trn/Run/CompileModule.h"
#include "trn/Support/OutputFile.h"
#include "trn/Transforms/Normalize/Passes.h"
#include "trn/Validate/CheckResults.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::trn;

LogicalResult Run::readOptions() {
  for (StringRef text : options.arguments) {
    auto source = parseArgumentSource(text);
    if (!source)
      return error(source.takeError());
    sources.push_back(std::move(*source));
  }
  for (StringRef text : options.results) {
    auto target = parseResultTarget(text);
    if (!target)
      return error(target.takeError());
    targets.push_back(std::move(*target));
  }
  for (StringRef text : options.dumps) {
    auto dump = parseDump(text);
    if (!dump)
      return error(dump.takeError());
    dumps.push_back(std::move(*dump));
  }
  if (options.compile) {
    compileOptions = std::make_unique<CompileOptions>();
    if (failed(readCompileOptions(module, *options.compile, *compileOptions)))
      return failure();
  }
  if (failed(readPlanCache()) || failed(checkFiles()))
    return failure();
  if (options.timingOnly &&
      (options.verify || !targets.empty() || !dumps.empty()))
    return emitOptionError(module) << "timing alone computes no values to "
                                   << (options.verify    ? "verify"
                                       : targets.empty() ? "dump"
                                                         : "write");
  return success();
}

LogicalResult Run::readPlanCache() {
  if (options.planCache.empty())
    return success();
  if (!compileOptions)
    return emitOptionError(module) << "plan-cache is for plans of the "
                                      "compiler, but nothing is compiled";
  if (!compileOptions->planCache.empty())
    return emitOptionError(module)
           << "plan-cache is given twice, '" << options.planCache
           << "' and, for the "
           << "compiler, '" << compileOptions->planCache.getValue() << "'";
  compileOptions->planCache = options.planCache;
  return success();
}

LogicalResult Run::checkFiles() {
  SmallVector<StringRef> inputs = {options.source, options.weights,
                                   options.machine};
  if (compileOptions)
    inputs.push_back(compileOptions->machine.getValue());
  for (const ArgumentSource &source : sources)
    inputs.push_back(source.path);
  std::vector<std::string> shards;
  std::error_code ignored;
  for (llvm::sys::fs::directory_iterator at(options.weights, ignored), end;
       !ignored && at != end; at.increment(ignored))
    if (StringRef(at->path()).ends_with(".safetensors"))
      shards.push_back(at->path());
  inputs.append(shards.begin(), shards.end());
  SmallVector<StringRef> outputs = {options.report, options.trace,
                                    options.html};
  outputs.append(targets.begin(), targets.end());
  for (const Dump &dump : dumps)
    outputs.push_back(dump.path);
  if (llvm::Error problem = checkOutputs(outputs, inputs))
    return error(std::move(problem));
  return success();
}

LogicalResult Run::chooseMachine() {
  StringRef name = options.machine;
  if (name.empty() && compileOptions)
    name = compileOptions->machine.getValue();
  if (name.empty() && options.machineConstants.empty())
    return success();
  Machine chosen;
  if (name.empty()) {
    FailureOr<Machine> present = trn::getMachine(module);
    if (failed(present))
      return failure();
    chosen = *present;
  } else if (llvm::Error problem = loadMachine(name).moveInto(chosen)) {
    return error(std::move(problem));
  }
  if (llvm::Error problem =
          applyOverrides(chosen, options.machineConstants, "machine"))
    return error(std::move(problem));
  setMachine(module, chosen);
  machine = std::move(chosen);
  if (compileOptions)
    compileOptions->machine = "";
  return success();
}

LogicalResult Run::specialize() {
  if (!compileOptions || compileOptions->specialize.empty())
    return success();
  PassManager manager(module->getContext());
  manager.addPass(createSpecialize({compileOptions->specialize}));
  compileOptions->specialize = "";
  return manager.run(module);
}

LogicalResult Run::compile() {
  // Arguments and references have the sizes that are asked for.
  if (failed(specialize()))
    return failure();
  // Wrong names and types are told before anything takes time.
  FailureOr<func::FuncOp> found = findEntry(module, options.entry);
  if (failed(found) || (!options.timingOnly && failed(getSignature(*found))))
    return failure();
  std::string name = found->getSymName().str();
  if (options.verify)
    source = OwningOpRef<ModuleOp>(module.clone());
  if (compileOptions) {
    Stopwatch watch;
    if (failed(compileModule(module, *compileOptions)))
      return failure();
    host.emplace_back("compile_s", watch.seconds());
  }
  found = findEntry(module, name);
  if (failed(found))
    return failure();
  entry = *found;
  FailureOr<Machine> chosen = trn::getMachine(entry);
  if (failed(chosen))
    return failure();
  // The attribute keeps the constants of a machine file, but neither its name
  // nor where they come from.
  machine.lnc = chosen->lnc; // the compiler may have chosen it
  if (machine.name.empty())
    machine = std::move(*chosen);
  FailureOr<int64_t> cores = countCores(entry);
  if (failed(cores))
    return failure();
  machine = machine.ofCores(*cores);
  if (source) {
    FailureOr<Oracle> created = Oracle::create(*source, name, machine);
    if (failed(created))
      return failure();
    oracle = std::move(*created);
  }
  return checkTargets(entry, targets);
}

/// Holds hand-written kernels to the rules of their machine. The compiler does
/// so with its own.
LogicalResult Run::verifyKernels() {
  if (compileOptions)
    return success();
  FailureOr<HostCode> code = collectHostCode(entry, !options.timingOnly);
  if (failed(code))
    return failure();
  for (func::FuncOp kernel : code->kernels)
    if (failed(verifyKernel(kernel, Level::Placed, machine)))
      return failure();
  return success();
}

LogicalResult Run::runKernels() {
  ExecutableOptions executableOptions;
  executableOptions.threads = options.threads;
  executableOptions.cores = options.cores;
  executableOptions.timingOnly = options.timingOnly;
  executableOptions.progress = options.progress;
  Stopwatch watch;
  auto created = Executable::create(entry, machine, executableOptions);
  if (failed(created))
    return failure();
  executable = std::move(*created);
  if (!options.timingOnly)
    host.emplace_back("jit_s", watch.seconds());
  if (executable->getKernels().empty())
    return entry.emitError()
           << "@" << entry.getSymName() << " calls no kernel"
           << (compileOptions
                   ? ""
                   : "; if it is linalg, compile it first, as --compile does");
  if (failed(checkSteps(entry, executable->getKernels(), options.maxSteps)))
    return failure();
  if (options.timingOnly)
    return success();

  if (failed(checkMemory(entry)))
    return failure();
  SmallVector<KernelSnapshot> snapshots;
  for (const Dump &dump : dumps) {
    auto found = findBuffer(entry, dump, executable->getKernels());
    if (failed(found))
      return failure();
    snapshots.push_back(std::move(*found));
  }
  auto bound = bindInputs(entry, sources, options.weights);
  if (failed(bound))
    return failure();
  inputs = std::move(*bound);
  auto allocated = allocateResults(entry);
  if (failed(allocated))
    return failure();
  results = std::move(*allocated);
  if (failed(executable->run(inputs, results, snapshots)))
    return failure();
  host.emplace_back("interpret_s", executable->getKernelSeconds());
  for (auto [dump, snapshot] : llvm::zip_equal(dumps, snapshots))
    if (failed(writeDump(entry, dump, snapshot, *executable)))
      return failure();
  return writeResults(entry, results, targets);
}

LogicalResult Run::execute() {
  return success(succeeded(readOptions()) && succeeded(chooseMachine()) &&
                 succeeded(compile()) && succeeded(verifyKernels()) &&
                 succeeded(runKernels()));
}

LogicalResult Run::verify(llvm::raw_ostream &os) {
  if (!options.verify)
    return success();
  Stopwatch watch;
  // The run may have written its buffers, and so may the source.
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  SmallVector<HostTensor> fresh;
  if (llvm::any_of(entry.getArgumentTypes(), isBuffer)) {
    auto bound = bindInputs(entry, sources, options.weights);
    if (failed(bound))
      return failure();
    fresh = std::move(*bound);
  }
  auto references = oracle->compute(fresh.empty() ? inputs : fresh);
  if (failed(references))
    return failure();
  if (oracle->runsSource())
    os << "verify: against the module before its compilation, run on the "
          "host\n";
  bool mayFlip = compileOptions &&
                 compileOptions->outputLayout == OutputLayout::Transposed;
  SmallVector<CheckedValue> values;
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes()))
    if (isBuffer(type))
      values.push_back(
          {("argument " + Twine(index)).str(), inputs[index], fresh[index]});
  for (auto [index, result] : llvm::enumerate(results))
    values.push_back({("result " + Twine(index)).str(), result,
                      *(*references)[index], mayFlip});
  LogicalResult outcome =
      checkResults(entry, values, oracle->getTolerance(), os);
  host.emplace_back("verify_s", watch.seconds());
  return outcome;
}

bool Run::addRounds(size_t rounds) {
  SmallVector<RecordedCall> calls = identifyCalls(entry, *executable);
  auto found = trn::addRounds(calls, getPrograms(*executable), rounds);
  if (!found)
    return false;
  likes = std::move(*found);
  executable->setCalls({calls.begin(), calls.end()});
  return true;
}

FailureOr<Report> Run::summarize(int64_t findingSteps) {
  Report report = summarizeRun(entry, *executable, machine, findingSteps);
  if (options.range &&
      failed(addLatencyRange(report, executable->getHostCode().kernels,
                             identifyCalls(entry, *executable))))
    return failure();
  report.host.insert(report.host.begin(), host.begin(), host.end());
  return report;
}
