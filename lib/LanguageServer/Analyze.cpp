//===- Analyze.cpp - What a document costs --------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analyze.h"
#include "Fixes.h"

#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Pipelines/Pipelines.h"
#include "trn/Report/Keys.h"
#include "trn/Run/CompiledModule.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::editor;

namespace {

/// What its locations call it.
constexpr llvm::StringLiteral documentName = "document";

/// As the protocol has them.
enum Severity { Error = 1, Warning = 2, Information = 3 };

/// The diagnostics of one part of a document.
class Collector {
public:
  Collector(const Text &text, StringRef uri, llvm::json::Array &diagnostics)
      : text(text), uri(uri), diagnostics(diagnostics) {}

  /// The offset of a location, if it is in the document.
  std::optional<size_t> find(Location location) const;
  std::optional<size_t> find(StringRef described) const;

  llvm::json::Object &add(size_t at, Severity severity, StringRef message) {
    diagnostics.push_back(
        llvm::json::Object{{"range", text.range(text.wordAt(at))},
                           {"severity", int(severity)},
                           {"source", "trn"},
                           {"message", llvm::json::fixUTF8(message)}});
    return *diagnostics.back().getAsObject();
  }
  void add(const Diagnostic &diagnostic);
  /// From there on: all that were added since.
  MutableArrayRef<llvm::json::Value> since(size_t number) {
    return MutableArrayRef(diagnostics.data(), diagnostics.size())
        .drop_front(number);
  }
  size_t size() const { return diagnostics.size(); }

  const Text &text;

private:
  StringRef uri;
  llvm::json::Array &diagnostics;
};

} // namespace

std::optional<size_t> Collector::find(StringRef described) const {
  size_t line, column;
  auto [rest, last] = described.rsplit(':');
  auto [name, first] = rest.rsplit(':');
  if (name != documentName || first.getAsInteger(10, line) ||
      last.getAsInteger(10, column))
    return std::nullopt;
  return text.offsetAt(line, column);
}

std::optional<size_t> Collector::find(Location location) const {
  return find(describeLocation(location));
}

void Collector::add(const Diagnostic &diagnostic) {
  llvm::json::Object &added =
      add(find(diagnostic.getLocation()).value_or(0),
          diagnostic.getSeverity() == DiagnosticSeverity::Error ? Error
                                                                : Information,
          diagnostic.str());
  llvm::json::Array notes;
  for (const Diagnostic &note : diagnostic.getNotes()) {
    size_t at = find(note.getLocation()).value_or(0);
    llvm::json::Object place{{"uri", uri.str()},
                             {"range", text.range(text.wordAt(at))}};
    notes.push_back(
        llvm::json::Object{{"location", std::move(place)},
                           {"message", llvm::json::fixUTF8(note.str())}});
  }
  if (!notes.empty())
    added["relatedInformation"] = std::move(notes);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Calls `take` with the module of each part. Lines keep their numbers.
static llvm::json::Array
forEachPart(const Text &text, StringRef uri, DialectRegistry &registry,
            function_ref<void(OwningOpRef<ModuleOp>, Collector &)> take) {
  llvm::json::Array diagnostics;
  Collector collector(text, uri, diagnostics);
  SmallVector<StringRef> parts;
  text.str().split(parts, "// -----\n");
  for (StringRef part : parts) {
    size_t lines = StringRef(text.str().data(), part.data() - text.str().data())
                       .count('\n');
    std::string padded = std::string(lines, '\n') + part.str();
    MLIRContext context(registry);
    context.allowUnregisteredDialects();
    context.printOpOnDiagnostic(false);
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        collector.add(diagnostic);
      return success();
    });
    if (auto module =
            parseSourceString<ModuleOp>(padded, &context, documentName))
      take(std::move(module), collector);
  }
  return diagnostics;
}

/// The level of a module whose kernels hold instructions, or nothing.
static std::optional<Level> levelOf(ModuleOp module) {
  bool isPlaced = true, hasKernel = false, isLowered = true;
  module.walk([&](func::FuncOp kernel) {
    if (!isKernel(kernel) || kernel.isExternal())
      return;
    bool hasInstruction = false;
    kernel.walk([&](Operation *op) {
      hasInstruction |= isa_and_nonnull<TrnDialect>(op->getDialect());
      if (auto alloc = dyn_cast<AllocOp>(op))
        isPlaced &= alloc.isPlaced();
    });
    hasKernel = true;
    isLowered &= hasInstruction;
  });
  if (!hasKernel || !isLowered)
    return std::nullopt;
  return isPlaced ? Level::Placed : Level::Virtual;
}

/// Each kernel with the one that its other core runs, if any. What is wrong has
/// been collected.
static void decodeKernels(ModuleOp module) {
  llvm::SmallPtrSet<Attribute, 4> others;
  SmallVector<func::FuncOp> kernels;
  module.walk([&](func::FuncOp kernel) {
    if (!isKernel(kernel) || kernel.isExternal())
      return;
    kernels.push_back(kernel);
    others.insert(
        kernel->getAttr(TrnDialect::OtherCoreAttrHelper::getNameStr()));
  });
  for (func::FuncOp kernel : kernels) {
    FailureOr<Machine> machine = getMachine(kernel);
    // The other one is decoded with the first.
    if (succeeded(machine) && !others.contains(SymbolRefAttr::get(kernel)))
      (void)decodeCores(kernel, *machine);
  }
}

llvm::json::Array mlir::trn::editor::checkKernels(const Text &text,
                                                  StringRef uri,
                                                  DialectRegistry &registry) {
  return forEachPart(text, uri, registry,
                     [](OwningOpRef<ModuleOp> module, Collector &) {
                       std::optional<Level> level = levelOf(*module);
                       if (!level)
                         return;
                       PassManager manager(module.get().getContext());
                       manager.addNestedPass<func::FuncOp>(
                           createVerifyLevel(VerifyLevelOptions{*level}));
                       // Buffers without addresses fit if they can be placed.
                       if (*level == Level::Virtual)
                         buildPlacementPipeline(manager);
                       if (succeeded(manager.run(*module)))
                         decodeKernels(*module);
                     });
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// Four digits, or a whole number, on the side that is allowed.
static std::string roundLimit(double value, bool hasMaximum) {
  if (value == std::floor(value))
    return llvm::formatv("{0}", int64_t(value));
  double unit = std::pow(10, std::floor(std::log10(std::fabs(value))) - 3);
  double steps =
      hasMaximum ? std::ceil(value / unit) : std::floor(value / unit);
  llvm::SmallString<32> digits;
  llvm::APFloat(steps * unit).toString(digits, /*FormatPrecision=*/4);
  std::string text = digits.str().str();
  // MLIR has no float without a point.
  size_t exponent = std::min(text.find('E'), text.size());
  if (text.find('.') == std::string::npos)
    text.insert(exponent, ".0");
  return text;
}

static std::string limitOf(const MetricKey &key, const Metrics &metrics,
                           const Machine &machine) {
  return roundLimit(*key.value(metrics, machine).getAsNumber(),
                    key.better != Better::More);
}

/// Adds the edit to errors such as `latency_ms of @main is 12.1, but its budget
/// allows at most 11`, and moves them to the number.
static void fixBudgets(MutableArrayRef<llvm::json::Value> errors,
                       const Report &report, StringRef entry,
                       const Text &text) {
  for (llvm::json::Value &error : errors) {
    llvm::json::Object &diagnostic = *error.getAsObject();
    auto [name, rest] =
        diagnostic.getString("message").value_or("").split(" of @");
    StringRef function = rest.split(" is ").first;
    const MetricKey *key = findMetricKey(name);
    std::optional<Span> span = text.spanOf(diagnostic.getObject("range"));
    const Metrics *metrics = function == entry ? &report.total : nullptr;
    for (const KernelReport &kernel : report.kernels)
      if (!metrics && kernel.name == function)
        metrics = &kernel.metrics;
    if (!key || !span || !metrics)
      continue;
    std::optional<llvm::json::Object> fix = setLimit(
        text, span->begin, key->name, limitOf(*key, *metrics, report.machine));
    if (!fix)
      continue;
    const llvm::json::Value &edit = fix->getArray("edits")->front();
    diagnostic["range"] = *edit.getAsObject()->get("range");
    diagnostic["data"] = llvm::json::Array{std::move(*fix)};
  }
}

/// Where the function called `name` stands, in the module as it was written.
static std::optional<size_t> findFunction(ModuleOp module, StringRef name,
                                          const Collector &collector) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  return function ? collector.find(function.getLoc()) : std::nullopt;
}

/// One with advice: what the compiler has weighed is no news.
static void addFinding(const Finding &finding, const Report &report,
                       ModuleOp source, size_t entry, Collector &collector) {
  if (finding.advice.empty())
    return;
  size_t kernel =
      findFunction(source, finding.kernel, collector).value_or(entry);
  std::optional<llvm::json::Object> fix;
  if (finding.cause == "demands" || !finding.schedule.empty()) {
    if (finding.kernel.empty())
      source.walk([&](func::FuncOp function) {
        std::optional<size_t> at = collector.find(function.getLoc());
        if (!fix && at)
          fix = setPlan(collector.text, *at, "");
      });
    else
      fix = setPlan(collector.text, kernel, finding.schedule);
    // That it takes more effort to find a better plan goes without saying.
    if (!fix)
      return;
  }
  Finding shown = finding;
  std::optional<size_t> at = collector.find(finding.location);
  shown.location.clear();
  llvm::json::Object &diagnostic =
      collector.add(at.value_or(kernel), Information,
                    describeFinding(shown, report.total.sum.latency));
  diagnostic["code"] = finding.cause;
  if (fix)
    diagnostic["data"] = llvm::json::Array{std::move(*fix)};
}

/// `latency_ms 0.0239 modelled for trn1, at 14 % of its bound (traffic)`
static void addSummary(func::FuncOp function, const Report &report, size_t at,
                       Collector &collector) {
  const MetricKey &key = *findMetricKey("latency_ms");
  llvm::json::Object &diagnostic = collector.add(
      at, Information,
      llvm::formatv("latency_ms {0}, modelled on {1}; {2}",
                    formatValue(key.value(report.total, report.machine)),
                    report.machine.name,
                    describeBound(report.total, report.machine))
          .str());
  diagnostic["code"] = "latency";
  if (function->hasAttr("trn.budget"))
    return;
  if (std::optional<llvm::json::Object> fix =
          addBudget(collector.text, at, key.name,
                    limitOf(key, report.total, report.machine)))
    diagnostic["data"] = llvm::json::Array{std::move(*fix)};
}

static void findCostsOf(func::FuncOp function, ModuleOp source,
                        CompiledModule &compiled, Collector &collector) {
  StringRef name = function.getSymName();
  FailureOr<Report> report = compiled.explain(name);
  std::optional<size_t> at = findFunction(source, name, collector);
  if (failed(report) || !at || report->kernels.empty())
    return;
  addSummary(function, *report, *at, collector);
  for (const Finding &finding : *report->findings)
    addFinding(finding, *report, source, *at, collector);
  size_t before = collector.size();
  if (failed(compiled.checkBudget(name)))
    fixBudgets(collector.since(before), *report, name, collector.text);
}

llvm::json::Array mlir::trn::editor::findCosts(const Text &text, StringRef uri,
                                               StringRef options,
                                               DialectRegistry &registry) {
  return forEachPart(text, uri, registry,
                     [&](OwningOpRef<ModuleOp> module, Collector &collector) {
                       OwningOpRef<ModuleOp> source(module->clone());
                       size_t before = collector.size();
                       FailureOr<CompiledModule> compiled =
                           CompiledModule::create(std::move(module), options);
                       if (failed(compiled)) {
                         // Not every file is for the compiler.
                         for (llvm::json::Value &problem :
                              collector.since(before))
                           (*problem.getAsObject())["severity"] = int(Warning);
                         return;
                       }
                       for (func::FuncOp function : compiled->getFunctions())
                         findCostsOf(function, *source, *compiled, collector);
                     });
}
