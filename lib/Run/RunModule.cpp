//===- RunModule.cpp - Compile, run, check and time a module --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/RunModule.h"

#include "Budget.h"
#include "CheckSteps.h"
#include "CompileModule.h"
#include "LatencyRange.h"
#include "Oracle.h"
#include "Sweep.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/Transforms/Transforms.h"
#include "trn/Machine/MachineIO.h"
#include "trn/Page/Html.h"
#include "trn/Page/RecordedTimeline.h"
#include "trn/Report/Report.h"
#include "trn/Report/Trace.h"
#include "trn/Runtime/Arguments.h"
#include "trn/Runtime/Reference.h"
#include "trn/Runtime/Runtime.h"
#include "trn/Simulator/Simulator.h"
#include "trn/Support/OutputFile.h"

#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace mlir;
using namespace mlir::trn;

namespace {

class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

/// One run. The steps are called in the order in which they stand here.
class Run {
public:
  Run(ModuleOp module, const RunOptions &options, llvm::raw_ostream &os)
      : module(module), options(options), os(os) {}

  LogicalResult readOptions();
  /// No output is an input.
  LogicalResult checkFiles();
  LogicalResult chooseMachine();
  LogicalResult compile();
  LogicalResult verifyKernels();
  LogicalResult execute();
  LogicalResult verify();
  /// Simulates the kernels.
  FailureOr<Report> summarize();
  LogicalResult report();
  /// The same without printing; no budget fails it.
  FailureOr<TimedModule> time();

private:
  LogicalResult error(llvm::Error problem) {
    return module.emitError() << llvm::toString(std::move(problem));
  }
  /// The relative error of result `index`.
  FailureOr<double> compare(const HostTensor &result,
                            const HostTensor &reference, unsigned index);
  std::vector<SimulationResult> simulateKernels();
  /// Tells a `TimelineSink` that takes kernels about all calls in order.
  template <typename Timeline>
  void simulateCalls(Timeline &timeline);
  void writeTrace(llvm::raw_ostream &to);
  void writeHtml(const Report &report, llvm::raw_ostream &to);

  ModuleOp module;
  const RunOptions &options;
  llvm::raw_ostream &os;

  SmallVector<ArgumentSource> sources;
  SmallVector<std::string> targets;
  /// Absent: the module is compiled already. (The options cannot be moved.)
  std::unique_ptr<CompileOptions> compileOptions;
  /// The module as it came, for reference values.
  OwningOpRef<ModuleOp> source;
  std::optional<Oracle> oracle;
  func::FuncOp entry;
  Machine machine;
  std::optional<Executable> executable;
  SmallVector<HostTensor> inputs, results;
  std::vector<std::pair<std::string, double>> host;
};

} // namespace

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
  if (options.compile) {
    compileOptions = std::make_unique<CompileOptions>();
    if (failed(readCompileOptions(module, *options.compile, *compileOptions)))
      return failure();
  }
  if (failed(checkFiles()))
    return failure();
  if (options.timingOnly && (options.verify || !targets.empty()))
    return module.emitError("timing alone computes no values to ")
           << (options.verify ? "verify" : "write");
  return success();
}

LogicalResult Run::checkFiles() {
  SmallVector<StringRef> inputs = {options.source, options.weights,
                                   options.machine};
  if (compileOptions)
    inputs.push_back(compileOptions->machine.getValue());
  for (const ArgumentSource &source : sources)
    inputs.push_back(source.path);
  SmallVector<StringRef> outputs = {options.report, options.trace,
                                    options.html};
  outputs.append(targets.begin(), targets.end());
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
    FailureOr<Machine> present = getMachine(module);
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

LogicalResult Run::compile() {
  // Wrong names and types are told before anything takes time.
  FailureOr<func::FuncOp> found = findEntry(module, options.entry);
  if (failed(found) || failed(getSignature(*found)))
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
  FailureOr<Machine> chosen = getMachine(entry);
  if (failed(chosen))
    return failure();
  // The attribute keeps the constants of a machine file, but neither its name
  // nor where they come from.
  if (machine.name.empty())
    machine = std::move(*chosen);
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
  FailureOr<HostCode> code = collectHostCode(entry);
  if (failed(code))
    return failure();
  for (func::FuncOp kernel : code->kernels)
    if (failed(verifyKernel(kernel, Level::Placed, machine)))
      return failure();
  return success();
}

LogicalResult Run::execute() {
  if (failed(verifyKernels()))
    return failure();
  ExecutableOptions executableOptions;
  executableOptions.threads = options.threads;
  executableOptions.timingOnly = options.timingOnly;
  auto created = Executable::create(entry, machine, executableOptions);
  if (failed(created))
    return failure();
  executable = std::move(*created);
  if (executable->getKernels().empty())
    return entry.emitError()
           << "@" << entry.getSymName() << " calls no kernel"
           << (compileOptions ? "" : "; compile it first if it is linalg");
  if (failed(checkSteps(entry, executable->getKernels(), options.maxSteps)))
    return failure();
  if (options.timingOnly)
    return success();

  if (failed(checkMemory(entry)))
    return failure();
  auto bound = bindInputs(entry, sources, options.weights);
  if (failed(bound))
    return failure();
  inputs = std::move(*bound);
  auto allocated = allocateResults(entry);
  if (failed(allocated))
    return failure();
  results = std::move(*allocated);
  if (failed(executable->run(inputs, results)))
    return failure();
  host.emplace_back("interpret_s", executable->getKernelSeconds());
  return writeResults(entry, results, targets);
}

/// The transpose of a matrix.
static llvm::Expected<HostTensor> transpose(const HostTensor &matrix) {
  int64_t rows = matrix.getShape()[0], columns = matrix.getShape()[1];
  auto result = HostTensor::create(matrix.getType(), {columns, rows});
  if (result)
    // A row-major matrix is the column-major form of its transpose.
    cantFail(result->assign({matrix.getType(),
                             {columns, rows},
                             static_cast<const char *>(matrix.data()),
                             /*columnMajor=*/true}));
  return result;
}

/// The compiler may have been asked to return the transpose. A square result
/// does not show whether it had to do so: either is right then.
FailureOr<double> Run::compare(const HostTensor &result,
                               const HostTensor &reference, unsigned index) {
  std::optional<double> relative;
  if (reference.getShape() == result.getShape())
    relative = relativeError(result, reference);
  bool mayFlip = compileOptions &&
                 compileOptions->outputLayout == OutputLayout::Transposed;
  if (mayFlip && reference.getShape().size() == 2 &&
      llvm::equal(reference.getShape(), llvm::reverse(result.getShape()))) {
    llvm::Expected<HostTensor> flipped = transpose(reference);
    if (!flipped)
      return error(flipped.takeError());
    double other = relativeError(result, *flipped);
    relative = relative && *relative < other ? *relative : other;
  }
  if (relative)
    return *relative;
  return entry.emitError() << "result " << index << " of @"
                           << entry.getSymName() << " is "
                           << formatShape(result.getShape())
                           << ", but its reference is "
                           << formatShape(reference.getShape());
}

LogicalResult Run::verify() {
  if (!options.verify)
    return success();
  Stopwatch watch;
  // The run may have written its buffers.
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  if (llvm::any_of(entry.getArgumentTypes(), isBuffer)) {
    auto bound = bindInputs(entry, sources, options.weights);
    if (failed(bound))
      return failure();
    inputs = std::move(*bound);
  }
  auto references = oracle->compute(inputs);
  if (failed(references))
    return failure();
  if (oracle->runsSource())
    os << "verify: against the module before its compilation, run on the "
          "host\n";
  double tolerance = getTolerance(getCoarsest(inputs, results));
  LogicalResult outcome = success();
  for (auto [index, result] : llvm::enumerate(results)) {
    FailureOr<double> relative = compare(result, *(*references)[index], index);
    if (failed(relative))
      return failure();
    os << llvm::formatv("verify: result {0}: relative error {1:e2}, at most "
                        "{2:e2} is allowed\n",
                        index, *relative, tolerance);
    // Not a number is no agreement.
    if (!(*relative <= tolerance))
      outcome = entry.emitError()
                << "result " << index << " of @" << entry.getSymName()
                << llvm::formatv(" has relative error {0:e2}, but at most "
                                 "{1:e2} is allowed",
                                 *relative, tolerance)
                       .str();
  }
  host.emplace_back("verify_s", watch.seconds());
  return outcome;
}

std::vector<SimulationResult> Run::simulateKernels() {
  // Every call of a kernel takes the same time: one simulation for each.
  std::vector<SimulationResult> simulations;
  Stopwatch watch;
  int64_t stepped = 0;
  SimulationOptions simulationOptions;
  simulationOptions.criticalPath = true;
  for (const DecodedKernel &kernel : executable->getKernels()) {
    simulations.push_back(simulate(kernel.program, machine, simulationOptions));
    stepped += simulations.back().instructions;
  }
  double seconds = watch.seconds();
  host.emplace_back("simulate_s", seconds);
  host.emplace_back("simulated_instructions_per_s",
                    seconds > 0 ? stepped / seconds : 0);
  return simulations;
}

template <typename Timeline>
void Run::simulateCalls(Timeline &timeline) {
  for (const RecordedCall &call : executable->getCalls()) {
    const DecodedKernel &kernel = executable->getKernels()[call.kernel];
    timeline.beginKernel(kernel.program, machine);
    timeline.endKernel(simulate(kernel.program, machine, {&timeline}),
                       kernel.schedule);
  }
}

void Run::writeTrace(llvm::raw_ostream &to) {
  TraceWriter trace(to);
  simulateCalls(trace);
  trace.finish();
}

void Run::writeHtml(const Report &report, llvm::raw_ostream &to) {
  RecordedTimeline timeline;
  simulateCalls(timeline);
  std::string name = ("@" + entry.getSymName()).str();
  HtmlPage page;
  page.title = name + " on " + machine.name;
  page.reports.push_back({name, toJson(report), &timeline});
  printHtml(page, to);
}

FailureOr<Report> Run::summarize() {
  std::vector<SimulationResult> simulations = simulateKernels();
  SmallVector<KernelCall> calls;
  for (const RecordedCall &call : executable->getCalls()) {
    const DecodedKernel &kernel = executable->getKernels()[call.kernel];
    calls.push_back({&kernel.program, &simulations[call.kernel], call.arguments,
                     kernel.modelFlops, kernel.schedule});
  }
  Report report = makeReport(calls, machine);
  if (options.range &&
      failed(addLatencyRange(report, collectHostCode(entry)->kernels,
                             executable->getCalls())))
    return failure();
  report.host = host;
  return report;
}

LogicalResult Run::report() {
  FailureOr<Report> summary = summarize();
  if (failed(summary))
    return failure();
  const Report &report = *summary;
  printText(report, os);
  // Errors that follow stand below, also where both go to one terminal.
  os.flush();
  auto json = [&](llvm::raw_ostream &to) { printJson(report, to); };
  auto trace = [&](llvm::raw_ostream &to) { writeTrace(to); };
  auto html = [&](llvm::raw_ostream &to) { writeHtml(report, to); };
  for (auto [path, write] : std::initializer_list<
           std::pair<StringRef, function_ref<void(llvm::raw_ostream &)>>>{
           {options.report, json},
           {options.trace, trace},
           {options.html, html}})
    if (llvm::Error problem = writeFile(path, write))
      return error(std::move(problem));
  return checkBudgets(entry, executable->getKernels(), report);
}

FailureOr<TimedModule> Run::time() {
  FailureOr<Report> summary = summarize();
  if (failed(summary))
    return failure();
  TimedModule timed{std::move(*summary), {}};
  for (BudgetExcess &excess :
       findExcesses(entry, executable->getKernels(), timed.report))
    timed.overBudget.push_back(excess.summarize());
  return timed;
}

void mlir::trn::registerRunDialects(DialectRegistry &registry) {
  registerHostCompilation(registry);
}

FailureOr<TimedModule> mlir::trn::timeModule(ModuleOp module,
                                             const RunOptions &options) {
  Run run(module, options, llvm::nulls());
  if (failed(run.readOptions()) || failed(run.chooseMachine()) ||
      failed(run.compile()) || failed(run.execute()))
    return failure();
  return run.time();
}

LogicalResult mlir::trn::runModule(ModuleOp module, const RunOptions &options,
                                   llvm::raw_ostream &os) {
  if (options.sweep)
    return runSweep(module, options, os);
  if (!options.csv.empty())
    return module.emitError("there is no sweep to write as CSV");
  Run run(module, options, os);
  if (failed(run.readOptions()) || failed(run.chooseMachine()) ||
      failed(run.compile()) || failed(run.execute()))
    return failure();
  // A wrong result is no reason to keep the report back.
  LogicalResult verified = run.verify();
  return success(succeeded(run.report()) && succeeded(verified));
}
