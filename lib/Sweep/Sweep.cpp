//===- Sweep.cpp - Time many variants of a module -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Sweep/Sweep.h"

#include "JoinTable.h"
#include "ResizeDim.h"
#include "SweepPoint.h"
#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleCopy.h"
#include "trn/Page/Html.h"
#include "trn/Pipelines/CompileFlags.h"
#include "trn/Run/CompileModule.h"
#include "trn/Run/OptionErrors.h"
#include "trn/Run/TimeModule.h"
#include "trn/Runtime/Arguments.h"
#include "trn/Support/OutputFile.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>

using namespace mlir;
using namespace mlir::trn;

namespace {
/// Keeps what goes wrong at one point from the user's eyes until the end.
class ErrorCollector {
public:
  ErrorCollector(MLIRContext *context, SweepPoint &point)
      : handler(context, [&point](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
              !point.error.empty())
            return success();
          if (!isa<UnknownLoc>(diagnostic.getLocation()))
            point.errorLocation = describeLocation(diagnostic.getLocation());
          point.error = diagnostic.str();
          // The reason of "cannot" often stands in a note.
          if (auto notes = diagnostic.getNotes(); notes.begin() != notes.end())
            point.error += ": " + notes.begin()->str();
          return success();
        }) {}

private:
  ScopedDiagnosticHandler handler;
};

/// A module that is swept, as every point reads it.
struct SweptModule {
  ModuleOp module;
  std::string bytecode;
  /// The options of the compiler that no key varies; absent: kernels are timed
  /// as they are.
  std::optional<SmallVector<CompileFlag>> base;
};

class Sweep {
public:
  Sweep(ArrayRef<ModuleOp> modules, const SweepOptions &spec,
        const RunOptions &options)
      : module(modules.front()), spec(spec), options(options),
        baseText(options.compile.value_or("")) {
    for (ModuleOp each : modules)
      swept.push_back({each, "", std::nullopt});
  }

  LogicalResult read();
  void run();

  std::vector<SweepPoint> points;

private:
  /// What all points have in common.
  LogicalResult checkOptions();
  LogicalResult checkKeys(SweptModule &each, ArrayRef<SweepKey> keys);
  LogicalResult checkFiles(ArrayRef<SweepKey> keys);
  /// By module: the keys, without values for dimensions that only others have.
  SmallVector<std::vector<SweepKey>> keysOfModules(ArrayRef<SweepKey> keys);
  /// The points of one module.
  void addPoints(size_t index, ArrayRef<SweepKey> keys);
  LogicalResult join();
  /// The options of one point; sets everything but the sizes.
  RunOptions applySettings(const SweptModule &each,
                           ArrayRef<SweepSetting> settings);
  LogicalResult timePoint(const SweptModule &each, ModuleOp copy,
                          SweepPoint &point);

  /// The first one, for errors.
  ModuleOp module;
  std::vector<SweptModule> swept;
  const SweepOptions &spec;
  const RunOptions &options;
  std::string baseText;
  /// By point: its module.
  std::vector<size_t> moduleOf;
};
} // namespace

LogicalResult Sweep::checkOptions() {
  std::pair<bool, StringRef> useless[] = {
      {options.verify, "computes no values to verify"},
      {!options.arguments.empty(), "computes nothing from arguments"},
      {!options.weights.empty(), "computes nothing from weights"},
      {!options.results.empty(), "computes no values to write"},
      {!options.dumps.empty(), "computes no values to dump"},
      {!options.trace.empty(), "has no single timeline to trace"}};
  for (auto [isGiven, reason] : useless)
    if (isGiven)
      return emitOptionError(module) << "a sweep " << reason;
  for (const SweptModule &each : swept)
    if (failed(findEntry(each.module, options.entry)))
      return failure();
  CompileOptions ignored;
  return readCompileOptions(module, baseText, ignored);
}

LogicalResult Sweep::checkFiles(ArrayRef<SweepKey> keys) {
  SmallVector<StringRef> inputs = {options.source, options.machine, spec.join};
  inputs.append(spec.sources.begin(), spec.sources.end());
  for (const CompileFlag &flag : splitCompileFlags(baseText))
    if (flag.key == "machine")
      inputs.push_back(flag.value.value_or(""));
  for (const SweepKey &key : keys)
    if (key.name == "machine")
      inputs.append(key.values.begin(), key.values.end());
  if (llvm::Error problem =
          checkOutputs({spec.csv, options.report, options.html}, inputs))
    return emitOptionError(module) << llvm::toString(std::move(problem));
  return success();
}

LogicalResult Sweep::checkKeys(SweptModule &each, ArrayRef<SweepKey> keys) {
  auto kernels =
      llvm::make_filter_range(each.module.getOps<func::FuncOp>(),
                              [](auto func) { return isKernel(func); });
  if (options.compile || kernels.empty()) {
    each.base.emplace();
    for (CompileFlag flag : splitCompileFlags(baseText))
      if (llvm::none_of(
              keys, [&](const SweepKey &key) { return key.name == flag.key; }))
        each.base->push_back(flag);
    return success();
  }
  for (const SweepKey &key : keys)
    if (key.name != "machine" && getMachineField(key.name).empty()) {
      func::FuncOp kernel = *kernels.begin();
      return kernel.emitError()
             << "sweep: " << key.name << " cannot vary, because @"
             << kernel.getSymName()
             << " is compiled already; only the machine can";
    }
  return success();
}

SmallVector<std::vector<SweepKey>>
Sweep::keysOfModules(ArrayRef<SweepKey> keys) {
  SmallVector<std::vector<SweepKey>> own(swept.size(), keys.vec());
  for (auto [index, key] : llvm::enumerate(keys)) {
    if (swept.size() == 1 || !isDimName(key.name))
      continue;
    SmallVector<std::vector<SweepKey> *> without;
    for (auto [each, keys] : llvm::zip_equal(swept, own)) {
      ModuleCopy copy(module.getContext(), each.bytecode);
      if (copy.get() &&
          !hasDim(*findEntry(copy.get(), options.entry), key.name))
        without.push_back(&keys);
    }
    // If none has it, each point says so.
    if (without.size() < swept.size())
      for (std::vector<SweepKey> *keys : without)
        (*keys)[index].values = {noValue.str()};
  }
  return own;
}

/// Gives points the numbers of a table that are theirs.
LogicalResult Sweep::join() {
  if (spec.join.empty())
    return success();
  llvm::Expected<JoinTable> table = JoinTable::read(
      spec.join,
      llvm::map_to_vector(points.front().settings,
                          [](const SweepSetting &each) { return each.first; }));
  if (!table)
    return emitOptionError(module)
           << "join: " << llvm::toString(table.takeError());
  bool isFound = false;
  for (SweepPoint &point : points)
    for (auto [name, number] :
         llvm::zip_equal(table->getColumns(), table->find(point.settings))) {
      point.joined.emplace_back(name, number);
      isFound |= number.has_value();
    }
  if (!isFound)
    return emitOptionError(module) << "join: no line of '" << spec.join
                                   << "' is for a point of the sweep";
  return success();
}

void Sweep::addPoints(size_t index, ArrayRef<SweepKey> keys) {
  for (std::vector<SweepSetting> &settings : enumeratePoints(keys)) {
    if (swept.size() > 1)
      settings.insert(settings.begin(), {fileKey.str(), spec.sources[index]});
    points.push_back({std::move(settings), {}, {}, {}, {}, {}, {}});
    moduleOf.push_back(index);
  }
}

LogicalResult Sweep::read() {
  std::vector<SweepKey> keys;
  // Several files vary by themselves.
  if (swept.size() == 1 || !StringRef(spec.keys).trim().empty()) {
    llvm::Expected<std::vector<SweepKey>> read =
        parseSweep(spec.keys, spec.maxPoints);
    if (!read)
      return emitOptionError(module) << llvm::toString(read.takeError());
    keys = std::move(*read);
  }
  if (llvm::Error problem = checkPoints(keys, swept.size(), spec.maxPoints))
    return emitOptionError(module) << llvm::toString(std::move(problem));
  if (failed(checkOptions()) || failed(checkFiles(keys)))
    return failure();
  for (SweptModule &each : swept) {
    if (failed(checkKeys(each, keys)))
      return failure();
    llvm::raw_string_ostream os(each.bytecode);
    if (failed(writeBytecodeToFile(each.module, os)))
      return failure();
  }
  SmallVector<std::vector<SweepKey>> own = keysOfModules(keys);
  auto isReference = [](ArrayRef<SweepKey> keys) {
    return llvm::any_of(keys, [](const SweepKey &key) {
      return key.values.front() == noValue;
    });
  };
  // What has no value of a key comes first: the others are compared with it.
  for (bool isFirst : {true, false})
    for (auto [index, keys] : llvm::enumerate(own))
      if (isReference(keys) == isFirst)
        addPoints(index, keys);
  return join();
}

RunOptions Sweep::applySettings(const SweptModule &each,
                                ArrayRef<SweepSetting> settings) {
  RunOptions result;
  result.entry = options.entry;
  result.machine = options.machine;
  result.machineConstants = options.machineConstants;
  result.timingOnly = true;
  result.range = options.range;
  result.maxSteps = options.maxSteps;
  result.planCache = options.planCache;
  std::string compile;
  for (const CompileFlag &flag : each.base.value_or(SmallVector<CompileFlag>()))
    compile += flag.text.str() + " ";
  for (const auto &[key, value] : settings) {
    if (StringRef field = getMachineField(key); !field.empty())
      result.machineConstants[field] =
          llvm::cantFail(parseMachineConstant(field, value));
    else if (key == "machine")
      result.machine = value;
    else if (!isDimName(key) && key != fileKey)
      compile += key + "=" + value + " ";
  }
  if (each.base)
    result.compile = std::move(compile);
  return result;
}

LogicalResult Sweep::timePoint(const SweptModule &each, ModuleOp copy,
                               SweepPoint &point) {
  for (const auto &[key, value] : point.settings)
    if (isDimName(key) && value != noValue &&
        failed(
            resizeDim(*findEntry(copy, options.entry), key, std::stoll(value))))
      return failure();
  RunOptions pointOptions = applySettings(each, point.settings);
  FailureOr<TimedModule> timed = timeModule(copy, pointOptions);
  if (failed(timed))
    return failure();
  point.overBudget = std::move(timed->overBudget);
  point.report = std::move(timed->report);
  if (!each.base)
    return success();
  SmallVector<std::string> blocks;
  for (const KernelReport &kernel : point.report->kernels)
    for (const auto &[key, value] : kernel.schedule)
      if (key == "blocks")
        blocks.push_back(value);
  point.chosen = blocks.empty() ? "" : "blocks " + llvm::join(blocks, " | ");
  return success();
}

void Sweep::run() {
  std::mutex mutex;
  size_t done = 0;
  auto showProgress = [&](size_t more) {
    std::lock_guard<std::mutex> lock(mutex);
    done += more;
    if (options.progress)
      options.progress(done, points.size());
  };
  showProgress(0);
  // Each point has a context of its own, and none knows of the others.
  llvm::DefaultThreadPool pool(
      llvm::heavyweight_hardware_concurrency(options.threads));
  for (auto [index, point] : llvm::enumerate(points))
    pool.async([&, index = index, &point = point] {
      const SweptModule &each = swept[moduleOf[index]];
      ModuleCopy copy(module.getContext(), each.bytecode);
      ErrorCollector errors(copy.getContext(), point);
      if (!copy.get())
        point.error = copy.getProblem();
      else if (succeeded(timePoint(each, copy.get(), point)))
        point.error.clear();
      showProgress(1);
    });
  pool.wait();
}

LogicalResult mlir::trn::runSweep(ArrayRef<ModuleOp> modules,
                                  const SweepOptions &spec,
                                  const RunOptions &options,
                                  llvm::raw_ostream &os) {
  ModuleOp module = modules.front();
  Sweep sweep(modules, spec, options);
  if (failed(sweep.read()))
    return failure();
  sweep.run();
  printTable(sweep.points, os);
  os.flush();
  auto csv = [&](llvm::raw_ostream &to) { printCsv(sweep.points, to); };
  auto json = [&](llvm::raw_ostream &to) { printJson(sweep.points, to); };
  auto html = [&](llvm::raw_ostream &to) {
    std::string text;
    llvm::raw_string_ostream os(text);
    printJson(sweep.points, os);
    HtmlPage page;
    page.title = "sweep of " + spec.keys;
    page.sweep = llvm::cantFail(llvm::json::parse(text));
    printHtml(page, to);
  };
  for (auto [path, write] : std::initializer_list<
           std::pair<StringRef, function_ref<void(llvm::raw_ostream &)>>>{
           {spec.csv, csv}, {options.report, json}, {options.html, html}})
    if (llvm::Error problem = writeFile(path, write))
      return emitOptionError(module) << llvm::toString(std::move(problem));
  if (llvm::any_of(sweep.points, [](const SweepPoint &point) {
        return point.report.has_value();
      }))
    return success();
  InFlightDiagnostic error = emitOptionError(module);
  error << "sweep: no point could be timed";
  const SweepPoint &first = sweep.points.front();
  error.attachNote() << "the first one: " << first.errorLocation
                     << (first.errorLocation.empty() ? "" : ": ")
                     << first.error;
  return error;
}
