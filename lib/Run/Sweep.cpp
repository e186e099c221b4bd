//===- Sweep.cpp - Time many variants of a module -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sweep.h"

#include "Budget.h"
#include "CompileFlags.h"
#include "CompileModule.h"
#include "Run.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Page/Html.h"
#include "trn/Runtime/Arguments.h"
#include "trn/Support/OutputFile.h"
#include "trn/Transforms/ResizeRows.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// Keeps what goes wrong at one point from the user's eyes until the end.
class ErrorCollector {
public:
  explicit ErrorCollector(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error || location)
            return success();
          location = diagnostic.getLocation();
          first = diagnostic.str();
          // The reason of "cannot" often stands in a note.
          if (auto notes = diagnostic.getNotes(); notes.begin() != notes.end())
            first += ": " + notes.begin()->str();
          return success();
        }) {}

  std::string first;
  std::optional<Location> location;

private:
  ScopedDiagnosticHandler handler;
};

class Sweep {
public:
  Sweep(ModuleOp module, const RunOptions &options)
      : module(module), options(options),
        baseText(options.compile.value_or("")) {}

  LogicalResult read();
  void run();

  std::vector<SweepPoint> points;

private:
  /// What all points have in common.
  LogicalResult checkOptions();
  LogicalResult checkKeys(ArrayRef<SweepKey> keys);
  LogicalResult checkFiles(ArrayRef<SweepKey> keys);
  /// The options of one point; sets everything but the number of rows.
  RunOptions applySettings(ArrayRef<SweepSetting> settings);
  LogicalResult timePoint(SweepPoint &point);
  std::string describeChoice(const KernelReport &kernel,
                             ArrayRef<SweepSetting> settings);

  ModuleOp module;
  const RunOptions &options;
  std::string baseText;
  /// The options in it that no key varies; absent: kernels are timed as
  /// they are.
  std::optional<SmallVector<CompileFlag>> base;
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
      return module.emitError("a sweep ") << reason;
  if (failed(findEntry(module, options.entry)))
    return failure();
  CompileOptions ignored;
  return readCompileOptions(module, baseText, ignored);
}

LogicalResult Sweep::checkFiles(ArrayRef<SweepKey> keys) {
  SmallVector<StringRef> inputs = {options.source, options.machine};
  for (const CompileFlag &flag : splitCompileFlags(baseText))
    if (flag.key == "machine")
      inputs.push_back(flag.value.value_or(""));
  for (const SweepKey &key : keys)
    if (key.name == "machine")
      inputs.append(key.values.begin(), key.values.end());
  if (llvm::Error problem =
          checkOutputs({options.csv, options.report, options.html}, inputs))
    return module.emitError() << llvm::toString(std::move(problem));
  return success();
}

LogicalResult Sweep::checkKeys(ArrayRef<SweepKey> keys) {
  auto kernels = llvm::make_filter_range(
      module.getOps<func::FuncOp>(), [](auto func) { return isKernel(func); });
  if (options.compile || kernels.empty()) {
    base.emplace();
    for (CompileFlag flag : splitCompileFlags(baseText))
      if (llvm::none_of(
              keys, [&](const SweepKey &key) { return key.name == flag.key; }))
        base->push_back(flag);
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

LogicalResult Sweep::read() {
  llvm::Expected<std::vector<SweepKey>> keys = parseSweep(*options.sweep);
  if (!keys)
    return module.emitError() << llvm::toString(keys.takeError());
  if (failed(checkOptions()) || failed(checkKeys(*keys)) ||
      failed(checkFiles(*keys)))
    return failure();
  for (std::vector<SweepSetting> &settings : enumeratePoints(*keys))
    points.push_back({std::move(settings), {}, {}, {}, {}, {}});
  return success();
}

RunOptions Sweep::applySettings(ArrayRef<SweepSetting> settings) {
  RunOptions result;
  result.entry = options.entry;
  result.machine = options.machine;
  result.machineConstants = options.machineConstants;
  result.timingOnly = true;
  result.range = options.range;
  result.maxSteps = options.maxSteps;
  std::string compile;
  for (const CompileFlag &flag : base.value_or(SmallVector<CompileFlag>()))
    compile += flag.text.str() + " ";
  for (const auto &[key, value] : settings) {
    if (StringRef field = getMachineField(key); !field.empty())
      result.machineConstants[field] =
          llvm::cantFail(parseMachineConstant(field, value));
    else if (key == "machine")
      result.machine = value;
    else if (key != "rows")
      compile += key + "=" + value + " ";
  }
  if (base)
    result.compile = std::move(compile);
  return result;
}

/// What the compiler chose for `kernel`, without what it was told to choose.
std::string Sweep::describeChoice(const KernelReport &kernel,
                                  ArrayRef<SweepSetting> settings) {
  auto isAsked = [&](StringRef key, StringRef value) {
    std::string name = llvm::join(llvm::split(key, '_'), "-");
    return llvm::is_contained(settings, SweepSetting(name, value.str())) ||
           llvm::any_of(*base, [&](const CompileFlag &flag) {
             return flag.key == name && flag.value == value;
           });
  };
  SmallVector<std::string> parts;
  for (StringRef key : {"strategy", "block_m", "block_k", "block_r", "block_n"})
    for (const auto &[name, value] : kernel.schedule)
      // A product alone has no block-r, nor one of a sequential chain a
      // strategy of its own.
      if (name == key && value != "0" && !isAsked(key, value) &&
          !(key == "strategy" && isAsked(key, "sequential")))
        parts.push_back(key == "strategy" ? value : name + " " + value);
  return llvm::join(parts, ", ");
}

LogicalResult Sweep::timePoint(SweepPoint &point) {
  OwningOpRef<ModuleOp> copy(module.clone());
  for (const auto &[key, value] : point.settings)
    if (key == "rows" &&
        failed(resizeRows(*findEntry(*copy, options.entry), std::stoll(value))))
      return failure();
  RunOptions pointOptions = applySettings(point.settings);
  Run run(*copy, pointOptions);
  if (failed(run.execute()))
    return failure();
  FailureOr<Report> report = run.summarize();
  if (failed(report))
    return failure();
  for (BudgetExcess &excess :
       findExcesses(run.getEntry(), run.getExecutable().getKernels(), *report))
    point.overBudget.push_back(excess.summarize());
  point.report = std::move(*report);
  if (!base)
    return success();
  SmallVector<std::string> choices;
  for (const KernelReport &kernel : point.report->kernels)
    choices.push_back(describeChoice(kernel, point.settings));
  point.chosen = llvm::join(choices, " | ");
  return success();
}

void Sweep::run() {
  for (auto [index, point] : llvm::enumerate(points)) {
    if (options.progress)
      options.progress(index, points.size());
    ErrorCollector errors(module.getContext());
    if (succeeded(timePoint(point)))
      continue;
    point.error = errors.first;
    point.errorLocation = errors.location;
  }
  if (options.progress)
    options.progress(points.size(), points.size());
}

LogicalResult mlir::trn::runSweep(ModuleOp module, const RunOptions &options,
                                  llvm::raw_ostream &os) {
  Sweep sweep(module, options);
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
    page.title = "sweep of " + *options.sweep;
    page.sweep = llvm::cantFail(llvm::json::parse(text));
    printHtml(page, to);
  };
  for (auto [path, write] : std::initializer_list<
           std::pair<StringRef, function_ref<void(llvm::raw_ostream &)>>>{
           {options.csv, csv}, {options.report, json}, {options.html, html}})
    if (llvm::Error problem = writeFile(path, write))
      return module.emitError() << llvm::toString(std::move(problem));
  if (llvm::any_of(sweep.points, [](const SweepPoint &point) {
        return point.report.has_value();
      }))
    return success();
  InFlightDiagnostic error = module.emitError("sweep: no point could be timed");
  const SweepPoint &first = sweep.points.front();
  error.attachNote(first.errorLocation) << "the first one: " << first.error;
  return error;
}
